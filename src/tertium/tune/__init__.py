"""Tuning: weights of a model under which a metric scores its output best."""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.text.input_files import read_references as read_references
    from tertium.tune.labelled import LabelledTuning as LabelledTuning
    from tertium.tune.labelled import tune_by_label as tune_by_label
    from tertium.tune.loop import Decoder as Decoder
    from tertium.tune.loop import Iteration as Iteration
    from tertium.tune.loop import LoopReport as LoopReport
    from tertium.tune.loop import tune_decoder as tune_decoder
    from tertium.tune.material import Material as Material
    from tertium.tune.material import read_material as read_material
    from tertium.tune.mert import Mert as Mert
    from tertium.tune.mert import SearchOptions as SearchOptions
    from tertium.tune.mert import mert as mert
    from tertium.tune.statistics_files import StatisticsSurface as StatisticsSurface
    from tertium.tune.statistics_files import read_statistics as read_statistics
    from tertium.tune.surfaces import Candidates as Candidates
    from tertium.tune.surfaces import GraphSurface as GraphSurface
    from tertium.tune.surfaces import NBestSurface as NBestSurface
    from tertium.tune.training import Trained as Trained
    from tertium.tune.training import TrainingOptions as TrainingOptions
    from tertium.tune.training import train as train
    from tertium.tune.tune import Outcome as Outcome
    from tertium.tune.tune import Tuned as Tuned
    from tertium.tune.tune import TuningReport as TuningReport
    from tertium.tune.tune import outcome as outcome
    from tertium.tune.tune import tune as tune
    from tertium.tune.weight_vectors import moses_text as moses_text
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "read_references": "tertium.text.input_files",
            "GraphSurface": "tertium.tune.surfaces",
            "LabelledTuning": "tertium.tune.labelled",
            "tune_by_label": "tertium.tune.labelled",
            "Decoder": "tertium.tune.loop",
            "Iteration": "tertium.tune.loop",
            "LoopReport": "tertium.tune.loop",
            "tune_decoder": "tertium.tune.loop",
            "Material": "tertium.tune.material",
            "read_material": "tertium.tune.material",
            "Candidates": "tertium.tune.surfaces",
            "NBestSurface": "tertium.tune.surfaces",
            "Mert": "tertium.tune.mert",
            "SearchOptions": "tertium.tune.mert",
            "mert": "tertium.tune.mert",
            "StatisticsSurface": "tertium.tune.statistics_files",
            "read_statistics": "tertium.tune.statistics_files",
            "Trained": "tertium.tune.training",
            "TrainingOptions": "tertium.tune.training",
            "train": "tertium.tune.training",
            "Outcome": "tertium.tune.tune",
            "Tuned": "tertium.tune.tune",
            "TuningReport": "tertium.tune.tune",
            "outcome": "tertium.tune.tune",
            "tune": "tertium.tune.tune",
            "moses_text": "tertium.tune.weight_vectors",
        },
    )
