"""All audits of some systems under some metrics."""

from collections.abc import Sequence

from tertium.audit.case import AuditSlicing, cases
from tertium.audit.findings import SEVERITIES, AuditReport, Skipped
from tertium.audit.table import AUDITS, NEED_TEXT
from tertium.errors import InputError, OptionError
from tertium.inference.choices import Resampling
from tertium.inference.rows import DEFAULT_SEED
from tertium.inference.units import units_of
from tertium.scoring import AnyMetric
from tertium.suggestions import did_you_mean
from tertium.text.corpus import Chunk, Corpus, System


def audit(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[AnyMetric] = ("bleu",),
    *,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    by: Sequence[AuditSlicing] = (),
    resample: Resampling = "auto",
    level: float = 0.05,
    seed: int = DEFAULT_SEED,
) -> AuditReport:
    """Look for reasons not to trust the metrics' verdict on these systems.

    ``only`` and ``skip`` choose among ``AUDITS``; ``by`` are the slices that reversals are looked
    for in, by default all there are labels for; ``level`` is the significance level of tests.
    The bootstrap draws whole documents where the corpus knows them, unless ``resample`` says
    ``segments``; the sign test is about segments, which it is accused of taking one by one.
    """
    whole = Chunk(corpus=corpus, systems=tuple(systems))
    if not whole.systems or not len(corpus):
        raise InputError(
            f"audit: found {len(whole.systems)} systems and {len(corpus)} segments, "
            "expected at least one of each"
        )
    if not 0 < level <= 0.5:
        raise OptionError(f"level: found {level}, expected a significance level such as 0.05")
    chosen = chosen_audits(only, skip)
    units = units_of(len(corpus), corpus.documents, resample)
    findings, skipped, scores = [], [], {}
    for case in cases(whole, metrics, by=by, resample=resample, level=level, seed=seed):
        metric = case.metric
        scores[metric.spec] = tuple(case.scores.tolist())
        for name in chosen:
            if name in NEED_TEXT and metric.segment_form != "plain text":
                reason = f"{metric.title} reads {metric.segment_form}, not plain text"
                skipped.append(Skipped(audit=name, metric=metric.spec, reason=reason))
            else:
                findings += AUDITS[name](case)
    specs = list(scores)
    findings.sort(key=lambda one: (specs.index(one.metric), SEVERITIES.index(one.severity)))
    return AuditReport(
        findings=tuple(findings),
        skipped=tuple(skipped),
        audits=chosen,
        systems=tuple(one.name for one in whole.systems),
        scores=scores,
        segments=len(corpus),
        unit=units.unit,
        units=units.count,
        level=level,
        seed=seed,
    )


def chosen_audits(only: Sequence[str], skip: Sequence[str]) -> tuple[str, ...]:
    """The audits to do, in the order of the table."""
    for name in (*only, *skip):
        if name not in AUDITS:
            raise OptionError(did_you_mean("audit", name, AUDITS))
    return tuple(name for name in AUDITS if name not in skip and (not only or name in only))
