"""All audits of some systems under some metrics."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from tertium import _native
from tertium.audit.case import Case, cases
from tertium.audit.findings import SEVERITIES, AuditReport, Finding, Skipped
from tertium.audit.table import AUDITS
from tertium.choices import DEFAULT_SEED, Resampling, Slicing
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetrics
from tertium.results import remarks_on
from tertium.scored.scored import AnyScored, as_scored
from tertium.suggestions import did_you_mean
from tertium.text.corpus import AnyTexts
from tertium.threads import side_by_side


def audit(
    corpus: AnyScored,
    systems: AnyTexts | None = None,
    metrics: AnyMetrics | None = None,
    *,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    by: Sequence[Slicing] = (),
    resample: Resampling = "auto",
    alpha: float = 0.05,
    seed: int = DEFAULT_SEED,
) -> AuditReport:
    """Look for reasons not to trust the scores of these systems, by default by BLEU and chrF.

    - Instead of a corpus, systems and metrics you may give what `tertium.scored` made of them.
    - ``only`` and ``skip`` choose among ``AUDITS``.
    - ``by``: where reversals are looked for (genre, document, length); all by default.
    - ``alpha``: the significance level of tests.
    - ``resample``: the bootstrap draws whole documents if the corpus knows them; ``segments``
      changes that. The sign test always uses segments.
    """
    if not 0 < alpha <= 0.5:
        raise OptionError(f"alpha: found {alpha}, expected a significance level such as 0.05")
    chosen = chosen_audits(only, skip)
    whole = as_scored(corpus, systems, metrics)
    some = cases(whole, by=by, resample=resample, alpha=alpha, seed=seed)
    return audit_cases(some, audits=chosen)


def audit_cases(some: Iterable[Case], *, audits: Sequence[str] | None = None) -> AuditReport:
    """The audits of systems that are scored already, all by default; every case is one metric's."""
    audits = tuple(AUDITS) if audits is None else audits
    every = list(some)
    case = every[0]
    parts = side_by_side(
        [
            partial(_done, name, audited, first=audited is case)
            for audited in every
            for name in audits
        ],
        threads=_native.worker_count()
        if all(_native_only(audited.metric) for audited in every)
        else 1,
    )
    findings = [finding for group, _ in parts for finding in group]
    skipped = [skip for _, left_out in parts for skip in left_out]
    scores = {audited.metric.spec: tuple(audited.scores.tolist()) for audited in every}
    totals = [(audited.metric, audited.rows.sum(axis=1)) for audited in every]
    identities = {
        audited.metric.spec: {
            "signature": audited.metric.signature(audited.corpus.references.count),
            "higher_is_better": audited.metric.higher_is_better,
        }
        for audited in every
    }
    specs = ["", *scores]
    findings.sort(
        key=lambda finding: (
            specs.index(finding.metric),
            SEVERITIES.index(finding.severity),
            -finding.size,
        )
    )
    return AuditReport(
        findings=tuple(findings),
        skipped=tuple(skipped),
        audits=tuple(audits),
        systems=case.names,
        scores=scores,
        segments=len(case.corpus),
        unit=case.units.unit,
        units=case.units.count,
        alpha=case.alpha,
        seed=case.seed,
        identities=identities,
        warnings=(*case.corpus.notes, *remarks_on(case.names, totals, len(case.corpus))),
    )


def _done(name: str, case: Case, *, first: bool) -> tuple[list[Finding], list[Skipped]]:
    """What an audit finds under one metric; one of the outputs is done for the ``first`` alone."""
    audit = AUDITS[name]
    if audit.once and not first:
        return [], []
    spec = "" if audit.once else case.metric.spec
    skipped = [Skipped(audit=name, metric=spec, reason=limit) for limit in audit.limits_for(case)]
    if audit.once:
        return [replace(finding, metric="") for finding in audit(case)], skipped
    if skipped:
        return [], skipped
    if case.metric.refusal and audit.made_up_text != "none":
        part = "only case and punctuation: " if audit.made_up_text == "some" else ""
        skipped = [Skipped(audit=name, metric=spec, reason=f"{part}{case.metric.refusal}")]
        if audit.made_up_text == "all":
            return [], skipped
    return audit(case), skipped


def _native_only(metric: Metric) -> bool:
    """Whether it is one of ours: what others wrote may not bear two threads."""
    home = type(metric).__module__
    return home.startswith("tertium.metrics.") and not home.startswith("tertium.metrics.foreign.")


def chosen_audits(only: Sequence[str], skip: Sequence[str]) -> tuple[str, ...]:
    """The audits to do, in the order of the table."""
    for name in (*only, *skip):
        if name not in AUDITS:
            raise OptionError(did_you_mean("audit", name, AUDITS))
    return tuple(name for name in AUDITS if name not in skip and (not only or name in only))
