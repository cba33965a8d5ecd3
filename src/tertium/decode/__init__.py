"""Metrics inside decoding: n-best lists, lattices and forests, and what is sought in them."""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.decode.automaton import RecognitionAutomaton as RecognitionAutomaton
    from tertium.decode.converting import convert as convert
    from tertium.decode.determinizing import determinized as determinized
    from tertium.decode.forest import Forest as Forest
    from tertium.decode.formats.lines import Damages as Damages
    from tertium.decode.formats.table import FormatOptions as FormatOptions
    from tertium.decode.formats.table import format_named as format_named
    from tertium.decode.inspecting import Inspection as Inspection
    from tertium.decode.inspecting import inspect as inspect
    from tertium.decode.lattice import Lattice as Lattice
    from tertium.decode.linear_bleu import LinearBleu as LinearBleu
    from tertium.decode.linear_bleu import linear_bleu_mbr as linear_bleu_mbr
    from tertium.decode.mbr_choice import Choice as Choice
    from tertium.decode.mbr_choice import mbr as mbr
    from tertium.decode.mbr_deciding import Decider as Decider
    from tertium.decode.mbr_deciding import MbrSetting as MbrSetting
    from tertium.decode.mbr_evidence import Evidence as Evidence
    from tertium.decode.mbr_files import MatrixWriter as MatrixWriter
    from tertium.decode.mbr_files import SavedMatrices as SavedMatrices
    from tertium.decode.mbr_files import save_matrices as save_matrices
    from tertium.decode.mbr_matrix import utility_matrix as utility_matrix
    from tertium.decode.mbr_outcomes import mbr_corpus as mbr_corpus
    from tertium.decode.mbr_product import product_mbr as product_mbr
    from tertium.decode.mbr_space import SpaceSearch as SpaceSearch
    from tertium.decode.mbr_space import forest_linear_mbr as forest_linear_mbr
    from tertium.decode.mbr_space import space_mbr as space_mbr
    from tertium.decode.nbest import NBest as NBest
    from tertium.decode.oracle_curves import OracleCurve as OracleCurve
    from tertium.decode.oracle_curves import oracle_curve as oracle_curve
    from tertium.decode.oracle_finding import corpus_oracle as corpus_oracle
    from tertium.decode.oracle_finding import oracle as oracle
    from tertium.decode.oracle_results import Oracles as Oracles
    from tertium.decode.oracle_results import SegmentOracle as SegmentOracle
    from tertium.decode.oracle_search import OracleSetting as OracleSetting
    from tertium.decode.paths import Path as Path
    from tertium.decode.posteriors import NgramPosteriors as NgramPosteriors
    from tertium.decode.posteriors import forest_posteriors as forest_posteriors
    from tertium.decode.posteriors import lattice_posteriors as lattice_posteriors
    from tertium.decode.posteriors import text_posteriors as text_posteriors
    from tertium.decode.reading import read as read
    from tertium.decode.reading import read_forests as read_forests
    from tertium.decode.reading import read_lattices as read_lattices
    from tertium.decode.reading import read_nbest as read_nbest
    from tertium.decode.rerank import MetricFeature as MetricFeature
    from tertium.decode.rerank import Reranking as Reranking
    from tertium.decode.rerank import reranked as reranked
    from tertium.decode.weights import read_weights as read_weights
    from tertium.decode.writing import write_pieces as write_pieces
else:
    __getattr__, __dir__ = offered(__name__)
