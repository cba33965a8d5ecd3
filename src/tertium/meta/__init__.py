"""Metrics against human judgment: how far do they agree, and how sure is that?

Ratings come in by `read_judgments`, scores by `metric_scores` or `read_scores`; `agree` holds one
metric against one set of ratings, `agreement_report` all of them.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.choices import RANK_METHODS as RANK_METHODS
    from tertium.meta.agreement.agreement_table import Agreement as Agreement
    from tertium.meta.agreement.agreement_table import AgreementTable as AgreementTable
    from tertium.meta.agreement.agreement_table import agree as agree
    from tertium.meta.agreement.agreement_table import agreements as agreements
    from tertium.meta.agreement.measures import MEASURES as MEASURES
    from tertium.meta.agreement.overview import AgreementReport as AgreementReport
    from tertium.meta.agreement.overview import RatedSet as RatedSet
    from tertium.meta.agreement.overview import agreement_report as agreement_report
    from tertium.meta.agreement.overview import rated_sets as rated_sets
    from tertium.meta.agreement.permutation_test import PermutationMatrix as PermutationMatrix
    from tertium.meta.agreement.permutation_test import permutation_matrix as permutation_matrix
    from tertium.meta.agreement.prediction_error import PredictionErrors as PredictionErrors
    from tertium.meta.agreement.prediction_error import prediction_errors as prediction_errors
    from tertium.meta.agreement.ranking import MetricRanking as MetricRanking
    from tertium.meta.agreement.ranking import RankedColumn as RankedColumn
    from tertium.meta.agreement.ranking import rank_metrics as rank_metrics
    from tertium.meta.agreement.shared_systems import RatedTexts as RatedTexts
    from tertium.meta.agreement.shared_systems import metric_scores as metric_scores
    from tertium.meta.agreement.shared_systems import rated_texts as rated_texts
    from tertium.meta.agreement.shared_systems import systems_as_rated as systems_as_rated
    from tertium.meta.agreement.williams import WilliamsTests as WilliamsTests
    from tertium.meta.agreement.williams import williams_tests as williams_tests
    from tertium.meta.fit.cases import FitCase as FitCase
    from tertium.meta.fit.fits import fit as fit
    from tertium.meta.fit.results import Fit as Fit
    from tertium.meta.ratings.files import as_judgments as as_judgments
    from tertium.meta.ratings.files import read_judgments as read_judgments
    from tertium.meta.ratings.files import read_ratings as read_ratings
    from tertium.meta.ratings.files import read_scores as read_scores
    from tertium.meta.ratings.judge_agreement import Kappa as Kappa
    from tertium.meta.ratings.judge_agreement import krippendorff_alpha as krippendorff_alpha
    from tertium.meta.ratings.judge_agreement import wmt_kappa as wmt_kappa
    from tertium.meta.ratings.judge_groups import GroupAgreement as GroupAgreement
    from tertium.meta.ratings.judge_groups import group_agreement as group_agreement
    from tertium.meta.ratings.judge_groups import of_judges as of_judges
    from tertium.meta.ratings.judges import JudgeReport as JudgeReport
    from tertium.meta.ratings.judges import judge_report as judge_report
    from tertium.meta.ratings.judges import standardized as standardized
    from tertium.meta.ratings.judgments import Comparisons as Comparisons
    from tertium.meta.ratings.judgments import Exclusion as Exclusion
    from tertium.meta.ratings.judgments import Judgments as Judgments
    from tertium.meta.ratings.judgments import MetricScores as MetricScores
    from tertium.meta.ratings.rating_sets import Rankings as Rankings
    from tertium.meta.ratings.rating_sets import Ratings as Ratings
    from tertium.meta.ratings.rating_sets import rank_values as rank_values
    from tertium.meta.ratings.standing import Standings as Standings
    from tertium.meta.ratings.standing import standings as standings
    from tertium.meta.ratings.system_names import match_names as match_names
    from tertium.meta.ratings.system_names import with_rated_names as with_rated_names
    from tertium.meta.sanity.needed import Needed as Needed
    from tertium.meta.sanity.needed import ratings_needed as ratings_needed
    from tertium.meta.sanity.sanity import Sanity as Sanity
    from tertium.meta.sanity.sanity import sanity as sanity
    from tertium.meta.spans.agreement import SpanAgreement as SpanAgreement
    from tertium.meta.spans.agreement import span_agreement as span_agreement
    from tertium.meta.spans.files import read_spans as read_spans
    from tertium.meta.spans.ratings import Weights as Weights
    from tertium.meta.spans.ratings import ratings_of as ratings_of
    from tertium.meta.spans.segments import RatedCorpus as RatedCorpus
    from tertium.meta.spans.segments import locate as locate
    from tertium.meta.spans.segments import with_texts as with_texts
    from tertium.meta.spans.span import Annotation as Annotation
    from tertium.meta.spans.span import Annotations as Annotations
    from tertium.meta.spans.span import Span as Span
    from tertium.meta.spans.summary import SpanReport as SpanReport
    from tertium.meta.spans.summary import span_report as span_report
    from tertium.meta.worth_curves import SystemPairs as SystemPairs
    from tertium.meta.worth_curves import Worth as Worth
    from tertium.meta.worth_curves import WorthCurve as WorthCurve
    from tertium.meta.worth_curves import WorthTable as WorthTable
    from tertium.meta.worth_curves import shipped_table as shipped_table
    from tertium.meta.worth_curves import shipped_worth as shipped_worth
    from tertium.meta.worth_curves import worth_curve as worth_curve
    from tertium.meta.worth_curves import worth_curves as worth_curves
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Agreement": "tertium.meta.agreement.agreement_table",
            "AgreementTable": "tertium.meta.agreement.agreement_table",
            "agree": "tertium.meta.agreement.agreement_table",
            "agreements": "tertium.meta.agreement.agreement_table",
            "RANK_METHODS": "tertium.choices",
            "MEASURES": "tertium.meta.agreement.measures",
            "AgreementReport": "tertium.meta.agreement.overview",
            "RatedSet": "tertium.meta.agreement.overview",
            "agreement_report": "tertium.meta.agreement.overview",
            "rated_sets": "tertium.meta.agreement.overview",
            "PermutationMatrix": "tertium.meta.agreement.permutation_test",
            "permutation_matrix": "tertium.meta.agreement.permutation_test",
            "PredictionErrors": "tertium.meta.agreement.prediction_error",
            "prediction_errors": "tertium.meta.agreement.prediction_error",
            "MetricRanking": "tertium.meta.agreement.ranking",
            "RankedColumn": "tertium.meta.agreement.ranking",
            "rank_metrics": "tertium.meta.agreement.ranking",
            "RatedTexts": "tertium.meta.agreement.shared_systems",
            "metric_scores": "tertium.meta.agreement.shared_systems",
            "rated_texts": "tertium.meta.agreement.shared_systems",
            "systems_as_rated": "tertium.meta.agreement.shared_systems",
            "WilliamsTests": "tertium.meta.agreement.williams",
            "williams_tests": "tertium.meta.agreement.williams",
            "FitCase": "tertium.meta.fit.cases",
            "fit": "tertium.meta.fit.fits",
            "Fit": "tertium.meta.fit.results",
            "as_judgments": "tertium.meta.ratings.files",
            "read_judgments": "tertium.meta.ratings.files",
            "read_ratings": "tertium.meta.ratings.files",
            "read_scores": "tertium.meta.ratings.files",
            "Kappa": "tertium.meta.ratings.judge_agreement",
            "krippendorff_alpha": "tertium.meta.ratings.judge_agreement",
            "wmt_kappa": "tertium.meta.ratings.judge_agreement",
            "GroupAgreement": "tertium.meta.ratings.judge_groups",
            "group_agreement": "tertium.meta.ratings.judge_groups",
            "of_judges": "tertium.meta.ratings.judge_groups",
            "JudgeReport": "tertium.meta.ratings.judges",
            "judge_report": "tertium.meta.ratings.judges",
            "standardized": "tertium.meta.ratings.judges",
            "Comparisons": "tertium.meta.ratings.judgments",
            "Exclusion": "tertium.meta.ratings.judgments",
            "Judgments": "tertium.meta.ratings.judgments",
            "MetricScores": "tertium.meta.ratings.judgments",
            "Rankings": "tertium.meta.ratings.rating_sets",
            "Ratings": "tertium.meta.ratings.rating_sets",
            "rank_values": "tertium.meta.ratings.rating_sets",
            "Standings": "tertium.meta.ratings.standing",
            "standings": "tertium.meta.ratings.standing",
            "match_names": "tertium.meta.ratings.system_names",
            "with_rated_names": "tertium.meta.ratings.system_names",
            "Needed": "tertium.meta.sanity.needed",
            "ratings_needed": "tertium.meta.sanity.needed",
            "Sanity": "tertium.meta.sanity.sanity",
            "sanity": "tertium.meta.sanity.sanity",
            "SpanAgreement": "tertium.meta.spans.agreement",
            "span_agreement": "tertium.meta.spans.agreement",
            "read_spans": "tertium.meta.spans.files",
            "Weights": "tertium.meta.spans.ratings",
            "ratings_of": "tertium.meta.spans.ratings",
            "RatedCorpus": "tertium.meta.spans.segments",
            "locate": "tertium.meta.spans.segments",
            "with_texts": "tertium.meta.spans.segments",
            "Annotation": "tertium.meta.spans.span",
            "Annotations": "tertium.meta.spans.span",
            "Span": "tertium.meta.spans.span",
            "SpanReport": "tertium.meta.spans.summary",
            "span_report": "tertium.meta.spans.summary",
            "SystemPairs": "tertium.meta.worth_curves",
            "Worth": "tertium.meta.worth_curves",
            "WorthCurve": "tertium.meta.worth_curves",
            "WorthTable": "tertium.meta.worth_curves",
            "shipped_table": "tertium.meta.worth_curves",
            "shipped_worth": "tertium.meta.worth_curves",
            "worth_curve": "tertium.meta.worth_curves",
            "worth_curves": "tertium.meta.worth_curves",
        },
    )
