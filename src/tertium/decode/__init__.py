"""Metrics inside decoding: n-best lists, lattices and forests, and what is sought in them."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tertium.decode.automaton import RecognitionAutomaton
    from tertium.decode.converting import convert
    from tertium.decode.determinizing import determinized
    from tertium.decode.forest import Forest
    from tertium.decode.formats.lines import Damages
    from tertium.decode.formats.table import FormatOptions, format_named
    from tertium.decode.inspecting import Inspection, inspect
    from tertium.decode.lattice import Lattice
    from tertium.decode.linear_bleu import LinearBleu, linear_bleu_mbr
    from tertium.decode.mbr_choice import Choice, mbr
    from tertium.decode.mbr_deciding import Decider, MbrSetting
    from tertium.decode.mbr_evidence import Evidence
    from tertium.decode.mbr_files import MatrixWriter, SavedMatrices, save_matrices
    from tertium.decode.mbr_matrix import utility_matrix
    from tertium.decode.mbr_outcomes import mbr_corpus
    from tertium.decode.mbr_product import product_mbr
    from tertium.decode.mbr_space import SpaceSearch, forest_linear_mbr, space_mbr
    from tertium.decode.nbest import NBest
    from tertium.decode.oracle_curves import OracleCurve, oracle_curve
    from tertium.decode.oracle_finding import corpus_oracle, oracle
    from tertium.decode.oracle_results import Oracles, SegmentOracle
    from tertium.decode.oracle_search import OracleSetting
    from tertium.decode.paths import Path
    from tertium.decode.posteriors import (
        NgramPosteriors,
        forest_posteriors,
        lattice_posteriors,
        text_posteriors,
    )
    from tertium.decode.reading import read, read_forests, read_lattices, read_nbest
    from tertium.decode.rerank import MetricFeature, Reranking, reranked
    from tertium.decode.weights import read_weights
    from tertium.decode.writing import write_pieces

# Loaded on first use, as in the package above.
_HOMES: Final = {
    "Choice": "tertium.decode.mbr_choice",
    "Damages": "tertium.decode.formats.lines",
    "Decider": "tertium.decode.mbr_deciding",
    "Evidence": "tertium.decode.mbr_evidence",
    "Forest": "tertium.decode.forest",
    "FormatOptions": "tertium.decode.formats.table",
    "Inspection": "tertium.decode.inspecting",
    "Lattice": "tertium.decode.lattice",
    "LinearBleu": "tertium.decode.linear_bleu",
    "MatrixWriter": "tertium.decode.mbr_files",
    "MbrSetting": "tertium.decode.mbr_deciding",
    "MetricFeature": "tertium.decode.rerank",
    "NBest": "tertium.decode.nbest",
    "NgramPosteriors": "tertium.decode.posteriors",
    "OracleCurve": "tertium.decode.oracle_curves",
    "OracleSetting": "tertium.decode.oracle_search",
    "Oracles": "tertium.decode.oracle_results",
    "Path": "tertium.decode.paths",
    "RecognitionAutomaton": "tertium.decode.automaton",
    "Reranking": "tertium.decode.rerank",
    "SavedMatrices": "tertium.decode.mbr_files",
    "SegmentOracle": "tertium.decode.oracle_results",
    "SpaceSearch": "tertium.decode.mbr_space",
    "convert": "tertium.decode.converting",
    "corpus_oracle": "tertium.decode.oracle_finding",
    "determinized": "tertium.decode.determinizing",
    "forest_linear_mbr": "tertium.decode.mbr_space",
    "forest_posteriors": "tertium.decode.posteriors",
    "format_named": "tertium.decode.formats.table",
    "inspect": "tertium.decode.inspecting",
    "lattice_posteriors": "tertium.decode.posteriors",
    "linear_bleu_mbr": "tertium.decode.linear_bleu",
    "mbr": "tertium.decode.mbr_choice",
    "mbr_corpus": "tertium.decode.mbr_outcomes",
    "oracle": "tertium.decode.oracle_finding",
    "oracle_curve": "tertium.decode.oracle_curves",
    "product_mbr": "tertium.decode.mbr_product",
    "read": "tertium.decode.reading",
    "read_forests": "tertium.decode.reading",
    "read_lattices": "tertium.decode.reading",
    "read_nbest": "tertium.decode.reading",
    "read_weights": "tertium.decode.weights",
    "reranked": "tertium.decode.rerank",
    "save_matrices": "tertium.decode.mbr_files",
    "space_mbr": "tertium.decode.mbr_space",
    "text_posteriors": "tertium.decode.posteriors",
    "utility_matrix": "tertium.decode.mbr_matrix",
    "write_pieces": "tertium.decode.writing",
}

__all__ = [
    "Choice",
    "Damages",
    "Decider",
    "Evidence",
    "Forest",
    "FormatOptions",
    "Inspection",
    "Lattice",
    "LinearBleu",
    "MatrixWriter",
    "MbrSetting",
    "MetricFeature",
    "NBest",
    "NgramPosteriors",
    "OracleCurve",
    "OracleSetting",
    "Oracles",
    "Path",
    "RecognitionAutomaton",
    "Reranking",
    "SavedMatrices",
    "SegmentOracle",
    "SpaceSearch",
    "convert",
    "corpus_oracle",
    "determinized",
    "forest_linear_mbr",
    "forest_posteriors",
    "format_named",
    "inspect",
    "lattice_posteriors",
    "linear_bleu_mbr",
    "mbr",
    "mbr_corpus",
    "oracle",
    "oracle_curve",
    "product_mbr",
    "read",
    "read_forests",
    "read_lattices",
    "read_nbest",
    "read_weights",
    "reranked",
    "save_matrices",
    "space_mbr",
    "text_posteriors",
    "utility_matrix",
    "write_pieces",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tertium.decode' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
