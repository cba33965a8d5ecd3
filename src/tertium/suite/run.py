"""Run a suite: every test set is decided at its share of the significance level.

With ``n`` test sets each is decided at ``alpha / n``, its own correction covers its systems and
metrics, and so the chance of any false claim in the whole suite is at most ``alpha``, however the
test sets depend on each other. Two caches save work: the decision of a test set none of whose
files has changed, and the statistics of a system that has not, where another has.
"""

import io
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from tertium.decide.decide import decide
from tertium.errors import InputError, TertiumError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.word_metric import fitted_metrics
from tertium.metrics.foreign.file_scores import metrics_of_files
from tertium.plain import to_plain
from tertium.scored.scored import Scored, together
from tertium.suite.results import SetResult, SuiteResult
from tertium.suite.settings import Suite, SuiteSet
from tertium.suite.store import SuiteStore
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.files import BLOCK
from tertium.text.input_files import open_inputs
from tertium.version import __version__

STDIN: Final = "stdin"


SPENT: Final = "its budget of"


class _OverBudgetError(InputError):
    """A metric has taken its time in this run."""


def run_suite(
    suite: Suite,
    *,
    store: SuiteStore | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> SuiteResult:
    """Decide every test set; what ``store`` has of unchanged files is not made again.

    ``progress`` is told the name of each test set when it is begun.
    """
    store = SuiteStore(None) if store is None else store
    inputs: dict[str, str] = {}
    results = []
    spent: dict[str, float] = {}
    for test_set in suite.sets:
        progress(test_set.name)
        digests = {path: digest for path in test_set.files for digest in [_digest(path)]}
        inputs |= digests
        results.append(_decided(suite, test_set, digests, store, spent))
    result = SuiteResult(
        name=suite.name,
        path=suite.path,
        alpha=suite.alpha,
        sets=tuple(results),
        inputs=inputs,
        settings=_settings(suite),
    )
    store.add_run(suite.path, result.to_dict())
    return result


def _settings(suite: Suite) -> dict[str, Any]:
    """What decides the numbers beside the files."""
    settings: dict[str, Any] = to_plain(asdict(suite))
    del settings["path"], settings["budget"]  # what is missing says itself
    return settings


def _decided(
    suite: Suite,
    test_set: SuiteSet,
    digests: dict[str, str],
    store: SuiteStore,
    spent: dict[str, float],
) -> SetResult:
    key = _hash(
        json.dumps([__version__, _settings(suite) | {"sets": len(suite.sets)}, asdict(test_set)]),
        *digests.values(),
    )
    saved = store.decision(key)
    if saved is not None:
        return SetResult(name=test_set.name, cached=True, **saved)
    try:
        made = _made(suite, test_set, store, spent)
    except TertiumError as error:
        raise InputError(f"{suite.path}: sets.{test_set.name}: {error}") from None
    if not any(why.startswith(SPENT) for why in made["missing"].values()):
        store.save(key, made)  # else the next run goes on where this one ended
    return SetResult(name=test_set.name, **made)


def _made(
    suite: Suite, test_set: SuiteSet, store: SuiteStore, spent: dict[str, float]
) -> dict[str, Any]:
    whole = _loaded(test_set)
    systems = _in_order(suite, whole.systems)
    corpus = whole.corpus
    names = [system.name for system in systems]
    asked = [
        *fitted_metrics(test_set.metrics, corpus),
        *metrics_of_files(test_set.scores, pair=test_set.pair or "", systems=names),
    ]
    text = _corpus_hash(corpus)
    metrics, rows, missing = [], [], {}
    for metric in asked:
        try:
            bound = metric.bind(corpus)
            parts = []
            for system in systems:
                limit = suite.budget_of(metric.title, metric.name, metric.spec)
                if spent.get(metric.title, 0.0) >= limit:
                    raise _OverBudgetError(f"{SPENT} {limit:g} s is used up")
                start = perf_counter()
                parts.append(_rows(bound, system, corpus, text, store))
                spent[metric.title] = spent.get(metric.title, 0.0) + perf_counter() - start
        except InputError as error:
            if not metric.elsewhere and not isinstance(error, _OverBudgetError):
                raise
            missing[metric.title] = str(error)  # a cell says so; the other metrics go on
            continue
        metrics.append(bound)
        rows.append(together(parts))
    if not metrics:
        found = "; ".join(missing.values())
        raise InputError(f"metrics: found none with scores ({found}), expected at least one")
    scored = Scored(corpus=corpus, systems=systems, metrics=tuple(metrics), rows=tuple(rows))
    decision = decide(
        scored,
        alpha=suite.alpha_of_set,
        trials=suite.trials,
        seed=suite.seed,
        audit=suite.audit,
        require=suite.require,
        margins=suite.margins,
        llms=[name for name in suite.llms if name in names],
    )
    return {"decision": to_plain(decision.to_dict()), "missing": missing}


def _loaded(test_set: SuiteSet) -> Chunk:
    inputs = open_inputs(
        test_set.references,
        [path for _, path in test_set.systems],
        source=test_set.source,
        documents=test_set.documents,
        names=[name for name, _ in test_set.systems] or None,
        stdin=io.BytesIO(),
        pair=test_set.pair,
    )
    if inputs.system_names == (STDIN,):
        raise InputError("systems: found none, expected files, or references that have some")
    whole = inputs.load()
    if not len(whole):
        raise InputError(f"{inputs.name}: 0 segments, expected at least one")
    return whole


def _in_order(suite: Suite, systems: Iterable[System]) -> tuple[System, ...]:
    """The systems, the baseline first."""
    by_name = {system.name: system for system in systems}
    baseline = next(iter(by_name)) if suite.baseline is None else suite.baseline
    if baseline not in by_name:
        raise InputError(f"baseline: found {', '.join(by_name)}, expected '{baseline}' among them")
    if len(by_name) < 2:
        raise InputError("systems: found 1, expected a baseline and at least one more")
    return (by_name.pop(baseline), *by_name.values())


def _rows(metric: Metric, system: System, corpus: Corpus, text: str, store: SuiteStore) -> Rows:
    """The statistics of a system; those of files of scores are as quick to read as to look up."""
    if metric.elsewhere:
        return metric.rows_of(system, corpus)
    signature = metric.signature(corpus.references.count)
    key = _hash(__version__, metric.spec, signature, text, *system.hypotheses.to_list())
    saved = store.rows(key)
    if saved is None:
        saved = metric.rows_of(system, corpus)
        store.save_rows(key, saved)
    return saved


def _corpus_hash(corpus: Corpus) -> str:
    columns = [*corpus.references.columns, *([] if corpus.sources is None else [corpus.sources])]
    return _hash(str(len(columns)), *(text for column in columns for text in column.to_list()))


def _hash(*texts: str | None) -> str:
    digest = sha256()
    for text in texts:
        data = b"" if text is None else text.encode("utf-8", "surrogatepass")
        digest.update(f"{-1 if text is None else len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()


def _digest(path: str) -> str:
    """The SHA-256 of a file, or of all files of a folder."""
    digest = sha256()
    files = [Path(path)]
    if files[0].is_dir():
        files = sorted(file for file in files[0].rglob("*") if file.is_file())
    try:
        for file in files:
            digest.update(f"{file.name}\n".encode("utf-8", "surrogateescape") * (len(files) > 1))
            with file.open("rb") as stream:
                while block := stream.read(BLOCK):
                    digest.update(block)
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise InputError(
            f"{path}: {found[:1].lower()}{found[1:]}, expected a readable file"
        ) from None
    return digest.hexdigest()
