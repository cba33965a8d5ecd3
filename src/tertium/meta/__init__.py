"""Metrics against human judgment: how far do they agree, and how sure is that?

Ratings come in by `read_judgments`, scores by `score_systems` or `read_scores`; `agree` holds one
metric against one set of ratings, `agreement_report` all of them.
"""

from tertium.meta.agreement import Agreement, agree
from tertium.meta.agreement_report import (
    AgreementReport,
    RatedSet,
    agreement_report,
    rated_sets,
)
from tertium.meta.agreement_table import AgreementTable, agreements
from tertium.meta.fit_cases import FitCase
from tertium.meta.fit_results import Fit
from tertium.meta.fitting import fit
from tertium.meta.judge_agreement import Kappa, krippendorff_alpha, wmt_kappa
from tertium.meta.judge_groups import GroupAgreement, group_agreement, of_judges
from tertium.meta.judges import JudgeReport, judge_report, standardized
from tertium.meta.judgments import Comparisons, Exclusion, Judgments, MetricScores
from tertium.meta.matching import match_names, with_rated_names
from tertium.meta.measures import MEASURES
from tertium.meta.permutation_matrix import PermutationMatrix, permutation_matrix
from tertium.meta.prediction_error import PredictionErrors, prediction_errors
from tertium.meta.rankings import RANK_METHODS, rank_values
from tertium.meta.ratings import Rankings, Ratings
from tertium.meta.reading import as_judgments, read_judgments, read_ratings, read_scores
from tertium.meta.scored import ScoredSystems, score_systems, systems_as_rated
from tertium.meta.williams import WilliamsTests, williams_tests

__all__ = [
    "MEASURES",
    "RANK_METHODS",
    "Agreement",
    "AgreementReport",
    "AgreementTable",
    "Comparisons",
    "Exclusion",
    "Fit",
    "FitCase",
    "GroupAgreement",
    "JudgeReport",
    "Judgments",
    "Kappa",
    "MetricScores",
    "PermutationMatrix",
    "PredictionErrors",
    "Rankings",
    "RatedSet",
    "Ratings",
    "ScoredSystems",
    "WilliamsTests",
    "agree",
    "agreement_report",
    "agreements",
    "as_judgments",
    "fit",
    "group_agreement",
    "judge_report",
    "krippendorff_alpha",
    "match_names",
    "of_judges",
    "permutation_matrix",
    "prediction_errors",
    "rank_values",
    "rated_sets",
    "read_judgments",
    "read_ratings",
    "read_scores",
    "score_systems",
    "standardized",
    "systems_as_rated",
    "williams_tests",
    "with_rated_names",
    "wmt_kappa",
]
