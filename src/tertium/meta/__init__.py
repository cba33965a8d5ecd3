"""Metrics against human judgment: how far do they agree, and how sure is that?

Ratings come in by `read_judgments`, scores by `score_systems` or `read_scores`; `agree` holds one
metric against one set of ratings, `agreement_report` all of them.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.meta.agreement import Agreement as Agreement
    from tertium.meta.agreement import agree as agree
    from tertium.meta.agreement_report import AgreementReport as AgreementReport
    from tertium.meta.agreement_report import RatedSet as RatedSet
    from tertium.meta.agreement_report import agreement_report as agreement_report
    from tertium.meta.agreement_report import rated_sets as rated_sets
    from tertium.meta.agreement_table import AgreementTable as AgreementTable
    from tertium.meta.agreement_table import agreements as agreements
    from tertium.meta.choices import RANK_METHODS as RANK_METHODS
    from tertium.meta.fit_cases import FitCase as FitCase
    from tertium.meta.fit_results import Fit as Fit
    from tertium.meta.fitting import fit as fit
    from tertium.meta.judge_agreement import Kappa as Kappa
    from tertium.meta.judge_agreement import krippendorff_alpha as krippendorff_alpha
    from tertium.meta.judge_agreement import wmt_kappa as wmt_kappa
    from tertium.meta.judge_groups import GroupAgreement as GroupAgreement
    from tertium.meta.judge_groups import group_agreement as group_agreement
    from tertium.meta.judge_groups import of_judges as of_judges
    from tertium.meta.judges import JudgeReport as JudgeReport
    from tertium.meta.judges import judge_report as judge_report
    from tertium.meta.judges import standardized as standardized
    from tertium.meta.judgments import Comparisons as Comparisons
    from tertium.meta.judgments import Exclusion as Exclusion
    from tertium.meta.judgments import Judgments as Judgments
    from tertium.meta.judgments import MetricScores as MetricScores
    from tertium.meta.matching import match_names as match_names
    from tertium.meta.matching import with_rated_names as with_rated_names
    from tertium.meta.measures import MEASURES as MEASURES
    from tertium.meta.permutation_matrix import PermutationMatrix as PermutationMatrix
    from tertium.meta.permutation_matrix import permutation_matrix as permutation_matrix
    from tertium.meta.prediction_error import PredictionErrors as PredictionErrors
    from tertium.meta.prediction_error import prediction_errors as prediction_errors
    from tertium.meta.rankings import rank_values as rank_values
    from tertium.meta.ratings import Rankings as Rankings
    from tertium.meta.ratings import Ratings as Ratings
    from tertium.meta.reading import as_judgments as as_judgments
    from tertium.meta.reading import read_judgments as read_judgments
    from tertium.meta.reading import read_ratings as read_ratings
    from tertium.meta.reading import read_scores as read_scores
    from tertium.meta.scored import ScoredSystems as ScoredSystems
    from tertium.meta.scored import score_systems as score_systems
    from tertium.meta.scored import systems_as_rated as systems_as_rated
    from tertium.meta.williams import WilliamsTests as WilliamsTests
    from tertium.meta.williams import williams_tests as williams_tests
else:
    __getattr__, __dir__ = offered(__name__)
