"""Tuning: weights of a model under which a metric scores its output best."""

from tertium.tune.candidates import Candidates, NBestSurface
from tertium.tune.decoder import Decoder
from tertium.tune.graphs import GraphSurface
from tertium.tune.labelled import LabelledTuning, tune_by_label
from tertium.tune.loading import Material, read_material, read_references
from tertium.tune.loop import Iteration, LoopReport, tune_decoder
from tertium.tune.mert import Mert, SearchOptions, mert
from tertium.tune.outcomes import Outcome, outcome
from tertium.tune.statistics_files import StatisticsSurface, read_statistics
from tertium.tune.training import Trained, train
from tertium.tune.training_options import TrainingOptions
from tertium.tune.tuning import Tuned, TuningReport, tune
from tertium.tune.weights import moses_text

__all__ = [
    "Candidates",
    "Decoder",
    "GraphSurface",
    "Iteration",
    "LabelledTuning",
    "LoopReport",
    "Material",
    "Mert",
    "NBestSurface",
    "Outcome",
    "SearchOptions",
    "StatisticsSurface",
    "Trained",
    "TrainingOptions",
    "Tuned",
    "TuningReport",
    "mert",
    "moses_text",
    "outcome",
    "read_material",
    "read_references",
    "read_statistics",
    "train",
    "tune",
    "tune_by_label",
    "tune_decoder",
]
