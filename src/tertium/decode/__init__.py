"""Metrics inside decoding: n-best lists, lattices and forests, and what is sought in them."""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.decode.best_of import Best as Best
    from tertium.decode.best_of import BestOf as BestOf
    from tertium.decode.best_of import best_of as best_of
    from tertium.decode.formats.conversion import convert as convert
    from tertium.decode.formats.conversion import write_pieces as write_pieces
    from tertium.decode.formats.numbered_lines import Damages as Damages
    from tertium.decode.formats.segments import read as read
    from tertium.decode.formats.segments import read_forests as read_forests
    from tertium.decode.formats.segments import read_lattices as read_lattices
    from tertium.decode.formats.segments import read_nbest as read_nbest
    from tertium.decode.formats.table import FormatOptions as FormatOptions
    from tertium.decode.formats.table import format_named as format_named
    from tertium.decode.mbr.decision import Decider as Decider
    from tertium.decode.mbr.decision import MbrSetting as MbrSetting
    from tertium.decode.mbr.decision import product_mbr as product_mbr
    from tertium.decode.mbr.evidence import Evidence as Evidence
    from tertium.decode.mbr.linear_bleu import LinearBleu as LinearBleu
    from tertium.decode.mbr.linear_bleu import NgramPosteriors as NgramPosteriors
    from tertium.decode.mbr.linear_bleu import determinized as determinized
    from tertium.decode.mbr.linear_bleu import forest_posteriors as forest_posteriors
    from tertium.decode.mbr.linear_bleu import lattice_posteriors as lattice_posteriors
    from tertium.decode.mbr.linear_bleu import linear_bleu_mbr as linear_bleu_mbr
    from tertium.decode.mbr.linear_bleu import text_posteriors as text_posteriors
    from tertium.decode.mbr.lists import Choice as Choice
    from tertium.decode.mbr.lists import mbr as mbr
    from tertium.decode.mbr.matrix import utility_matrix as utility_matrix
    from tertium.decode.mbr.matrix_files import MatrixWriter as MatrixWriter
    from tertium.decode.mbr.matrix_files import SavedMatrices as SavedMatrices
    from tertium.decode.mbr.matrix_files import save_matrices as save_matrices
    from tertium.decode.mbr.outcomes import mbr_corpus as mbr_corpus
    from tertium.decode.mbr.spaces import SpaceSearch as SpaceSearch
    from tertium.decode.mbr.spaces import forest_linear_mbr as forest_linear_mbr
    from tertium.decode.mbr.spaces import space_mbr as space_mbr
    from tertium.decode.oracle.automaton import RecognitionAutomaton as RecognitionAutomaton
    from tertium.decode.oracle.candidates import OracleSetting as OracleSetting
    from tertium.decode.oracle.curves import OracleCurve as OracleCurve
    from tertium.decode.oracle.curves import oracle_curve as oracle_curve
    from tertium.decode.oracle.oracles import Oracles as Oracles
    from tertium.decode.oracle.oracles import SegmentOracle as SegmentOracle
    from tertium.decode.oracle.oracles import corpus_oracle as corpus_oracle
    from tertium.decode.oracle.oracles import oracle as oracle
    from tertium.decode.rerank import MetricFeature as MetricFeature
    from tertium.decode.rerank import Reranking as Reranking
    from tertium.decode.rerank import reranked as reranked
    from tertium.decode.structures.arrays import Path as Path
    from tertium.decode.structures.forest import Forest as Forest
    from tertium.decode.structures.inspection import Inspection as Inspection
    from tertium.decode.structures.inspection import inspect as inspect
    from tertium.decode.structures.lattice import Lattice as Lattice
    from tertium.decode.structures.nbest import NBest as NBest
    from tertium.decode.weights import read_weights as read_weights
    from tertium.text.input_files import read_references as read_references
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Best": "tertium.decode.best_of",
            "BestOf": "tertium.decode.best_of",
            "best_of": "tertium.decode.best_of",
            "convert": "tertium.decode.formats.conversion",
            "write_pieces": "tertium.decode.formats.conversion",
            "Damages": "tertium.decode.formats.numbered_lines",
            "read": "tertium.decode.formats.segments",
            "read_forests": "tertium.decode.formats.segments",
            "read_lattices": "tertium.decode.formats.segments",
            "read_nbest": "tertium.decode.formats.segments",
            "FormatOptions": "tertium.decode.formats.table",
            "format_named": "tertium.decode.formats.table",
            "Decider": "tertium.decode.mbr.decision",
            "MbrSetting": "tertium.decode.mbr.decision",
            "product_mbr": "tertium.decode.mbr.decision",
            "Evidence": "tertium.decode.mbr.evidence",
            "LinearBleu": "tertium.decode.mbr.linear_bleu",
            "NgramPosteriors": "tertium.decode.mbr.linear_bleu",
            "determinized": "tertium.decode.mbr.linear_bleu",
            "forest_posteriors": "tertium.decode.mbr.linear_bleu",
            "lattice_posteriors": "tertium.decode.mbr.linear_bleu",
            "linear_bleu_mbr": "tertium.decode.mbr.linear_bleu",
            "text_posteriors": "tertium.decode.mbr.linear_bleu",
            "Choice": "tertium.decode.mbr.lists",
            "mbr": "tertium.decode.mbr.lists",
            "utility_matrix": "tertium.decode.mbr.matrix",
            "MatrixWriter": "tertium.decode.mbr.matrix_files",
            "SavedMatrices": "tertium.decode.mbr.matrix_files",
            "save_matrices": "tertium.decode.mbr.matrix_files",
            "mbr_corpus": "tertium.decode.mbr.outcomes",
            "SpaceSearch": "tertium.decode.mbr.spaces",
            "forest_linear_mbr": "tertium.decode.mbr.spaces",
            "space_mbr": "tertium.decode.mbr.spaces",
            "RecognitionAutomaton": "tertium.decode.oracle.automaton",
            "OracleSetting": "tertium.decode.oracle.candidates",
            "OracleCurve": "tertium.decode.oracle.curves",
            "oracle_curve": "tertium.decode.oracle.curves",
            "Oracles": "tertium.decode.oracle.oracles",
            "SegmentOracle": "tertium.decode.oracle.oracles",
            "corpus_oracle": "tertium.decode.oracle.oracles",
            "oracle": "tertium.decode.oracle.oracles",
            "MetricFeature": "tertium.decode.rerank",
            "Reranking": "tertium.decode.rerank",
            "reranked": "tertium.decode.rerank",
            "Path": "tertium.decode.structures.arrays",
            "Forest": "tertium.decode.structures.forest",
            "Inspection": "tertium.decode.structures.inspection",
            "inspect": "tertium.decode.structures.inspection",
            "Lattice": "tertium.decode.structures.lattice",
            "NBest": "tertium.decode.structures.nbest",
            "read_weights": "tertium.decode.weights",
            "read_references": "tertium.text.input_files",
        },
    )
