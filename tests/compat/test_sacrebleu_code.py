"""Code as well-known programs have it runs on tertium's ``sacrebleu``, with the same results.

Every row says what such a program does with sacreBLEU and leaves something in ``result``. It
runs twice, with the real package and with ours in its place.
"""

# ruff: noqa: ARG001 - a fixture that is an argument comes after the one before it

import doctest
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import sacrebleu
import sacrebleu.significance

import tertium.compat
from tertium.errors import OptionError
from tests.support.commands import printed
from tests.support.places import DOCS

HYPOTHESES = ["The cat sat on the mat.", "It rains in the valley .", "He paid 3.50 $ for it"]
REFERENCES = [
    ["The cat sat on a mat.", "It is raining in the valley.", "He paid 3.50 $ for it."],
    ["A cat sat on the mat.", "In the valley it rains.", "It cost him $ 3.50."],
]

ROWS = {
    # Sequence-to-sequence trainers: a scorer object that collects text.
    "scorer of a trainer": """
import sacrebleu
scorer = sacrebleu
first = scorer.corpus_bleu(hypotheses, [references[0]], tokenize="13a")
result = first.format(), first.score
""",
    "validation with tokenised text": """
import sacrebleu
result = sacrebleu.corpus_bleu(hypotheses, [references[0]], tokenize="none").score
""",
    "summed counts of workers": """
import inspect
import numpy
try:
    from sacrebleu.metrics import BLEU
    compute = BLEU.compute_bleu
except ImportError:
    import sacrebleu
    compute = sacrebleu.compute_bleu
named = inspect.getfullargspec(compute)[0]
smooth = {"smooth_method": "exp"} if "smooth_method" in named else {"smooth": "exp"}
bleu = compute(correct=numpy.array([12, 6, 2, 0]), total=numpy.array([15, 12, 9, 6]),
               sys_len=15, ref_len=16, **smooth)
result = round(bleu.score, 2)
""",
    "evaluation tokenizer of a trainer": """
from sacrebleu.metrics.bleu import _get_tokenizer
result = [_get_tokenizer(name)()(hypotheses[2]) for name in ("none", "13a", "intl", "char", "zh")]
""",
    "tokenizer module": """
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
result = [cut()(hypotheses[0]) for cut in (Tokenizer13a, TokenizerV14International, TokenizerZh)]
""",
    # Libraries of metrics.
    "metric with a version guard": """
import sacrebleu as scb
from packaging import version
if version.parse(scb.__version__) < version.parse("1.4.12"):
    raise ImportWarning("too old")
turned = [[one[k] for one in zip(*references)] for k in range(2)]
output = scb.corpus_bleu(hypotheses, turned, smooth_method="exp", smooth_value=None, force=False,
                         lowercase=False, use_effective_order=False)
result = [output.score, output.counts, output.totals, output.precisions, output.bp,
          output.sys_len, output.ref_len]
""",
    "chrF of a library": """
from sacrebleu import CHRF
output = CHRF(6, 2, 2, False, False, False).corpus_score(hypotheses, references)
result = output.score, output.char_order, output.word_order, output.beta
""",
    "TER of a library": """
from sacrebleu import TER
output = TER(normalized=True, no_punct=False, asian_support=False, case_sensitive=True)
output = output.corpus_score(hypotheses, references)
result = output.score, output.num_edits, output.ref_length
""",
    "reference values for another implementation": """
from sacrebleu.metrics import BLEU, CHRF, TER
result = [
    BLEU(tokenize=name, lowercase=fold).corpus_score(hypotheses, references).score / 100
    for name in ("none", "13a", "zh", "intl", "char") for fold in (False, True)
] + [metric().sentence_score(hypotheses[0], [references[0][0]]).score for metric in (CHRF, TER)]
""",
    "harness for language models": """
import sacrebleu
refs = list(zip(*[[one] for one in references[0]]))
result = [function(hypotheses, [list(references[0])]).score
          for function in (sacrebleu.corpus_bleu, sacrebleu.corpus_chrf, sacrebleu.corpus_ter)]
""",
    "names of test sets that nobody has": """
import sacrebleu
result = sacrebleu.get_langpairs_for_testset("no such set")
""",
    # Minimum Bayes risk decoding and self-BLEU.
    "statistics of candidates": """
from sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER
bleu = BLEU(effective_order=True, max_ngram_order=MAX_NGRAM_ORDER)
rows = [bleu._extract_corpus_statistics([one], [[other]])[0]
        for one in hypotheses for other in hypotheses]
result = [bleu._compute_score_from_stats(list(row)).score for row in rows]
""",
    "cached references": """
from sacrebleu import CHRF
from sacrebleu.utils import sum_of_lists
chrf = CHRF(word_order=2)
cache = chrf._cache_references(references)
rows = [chrf._compute_segment_statistics(chrf._preprocess_segment(text), known)
        for text, known in zip(hypotheses, cache)]
result = rows, chrf._compute_score_from_stats(sum_of_lists(rows)).score
""",
    "self-BLEU": """
from sacrebleu.metrics import BLEU
bleu = BLEU()
known = bleu._extract_reference_info([bleu._preprocess_segment(text) for text in hypotheses])
result = [bleu._aggregate_and_compute([
    bleu._compute_segment_statistics(bleu._preprocess_segment(text), known)]).score
    for text in hypotheses]
""",
    "tokens by the metric": """
from sacrebleu import BLEU
result = [BLEU().tokenizer(text).split() for text in hypotheses]
""",
    # Reports and web pages.
    "signature in a table": """
from sacrebleu.metrics import METRICS
result = []
for name in sorted(METRICS):
    metric = METRICS[name](references=references)
    score = metric.corpus_score(hypotheses, None, n_bootstrap=50)
    signature = metric.get_signature()
    signature.update("lang", "de-en")
    shown = signature.format(short=True).rpartition("|")[0]
    result.append((score.format(width=2), score._mean, score._ci, shown))
""",
    "score to a record": """
import sacrebleu
result = {key: value for key, value in vars(sacrebleu.corpus_bleu(hypotheses, references)).items()
          if key != "score"}
""",
    "paired test": """
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest, _compute_p_value, estimate_ci
metrics = {"BLEU": BLEU(references=references), "CHRF": CHRF(references=references)}
systems = [("base", hypotheses), ("new", references[1])]
_, scores = PairedTest(systems, metrics, references=None, test_type="ar", n_samples=100)()
import numpy
result = [vars(one) for name in ("BLEU", "chrF2") for one in scores[name]], scores["System"], (
    _compute_p_value(numpy.array([0.1, 0.3]), 0.2)), estimate_ci(numpy.arange(80.0))
""",
    "submodules by attribute": """
import sacrebleu
import sacrebleu.metrics.helpers
result = sorted(sacrebleu.metrics.helpers.extract_word_ngrams(["a", "b", "a"], 1).items()), (
    sacrebleu.metrics.METRICS["TER"]().sentence_score("a b", ["b a"]).score,
    sacrebleu.utils.my_log(1), sacrebleu.version.__version__)
""",
    "quiet loggers and names of tokenizers": """
import logging
from sacrebleu.metrics.base import sacrelogger
from sacrebleu.metrics.bleu import _TOKENIZERS, sacrelogger as of_bleu
from sacrebleu.utils import sacrelogger as of_utils
result = [one is logging.getLogger("sacrebleu") for one in (sacrelogger, of_bleu, of_utils)], (
    sorted(_TOKENIZERS))
""",
    "oldest functions": """
import sacrebleu
result = [
    sacrebleu.raw_corpus_bleu(hypotheses, references, 0.01).score,
    sacrebleu.sentence_bleu(hypotheses[0], [references[0][0]], smooth_method="floor",
                            smooth_value=0.1, use_effective_order=True).score,
    sacrebleu.sentence_chrf(hypotheses[0], [references[0][0]], 6, 0, 2, True).score,
    sacrebleu.sentence_ter(hypotheses[0], [references[0][0]], no_punct=True).score,
]
""",
}

# What only versions 1 of sacreBLEU had, with the value that it gave.
OLD_ROWS = {
    "compute_bleu of the package": (
        """
import sacrebleu
result = round(sacrebleu.compute_bleu([3, 2, 1, 1], [4, 3, 2, 1], 4, 4).score, 4)
""",
        70.7107,  # (3/4 · 2/3 · 1/2 · 1) ** (1/4)
    ),
    "tokenizers in a table": (
        """
import sacrebleu
from sacrebleu.tokenizers import TOKENIZERS
result = sacrebleu.DEFAULT_TOKENIZER, [name in sacrebleu.TOKENIZERS for name in ("13a", "x")], (
    TOKENIZERS["13a"]()("a, b."), sacrebleu.tokenize_13a("a, b."))
""",
        ("13a", [True, False], ("a , b .", "a , b .")),
    ),
    "n-grams of the package": (
        """
import sacrebleu
result = sorted(sacrebleu.extract_ngrams("a b a", max_order=2).items())
""",
        [("a", 2), ("a b", 1), ("b", 1), ("b a", 1)],
    ),
}


def run(code: str) -> Any:
    """Run a row, and return what it leaves."""
    space: dict[str, Any] = {"hypotheses": HYPOTHESES, "references": REFERENCES}
    exec(compile(code, "row", "exec"), space)  # noqa: S102 - the rows above
    return space["result"]


def imported() -> dict[str, ModuleType]:
    return {name: one for name, one in sys.modules.items() if name.split(".")[0] == "sacrebleu"}


@pytest.fixture
def replaced() -> Iterator[None]:
    """``sacrebleu`` is ours, and afterwards the real one again."""
    real = imported()
    for name in real:
        del sys.modules[name]
    tertium.compat.replace("sacrebleu")
    yield
    for name in imported():
        del sys.modules[name]
    sys.modules.update(real)


@pytest.fixture
def real_result(request: pytest.FixtureRequest) -> Any:
    """What a row leaves with the real package, which must run before it is replaced."""
    assert sys.modules["sacrebleu"] is sacrebleu
    return run(ROWS[request.param])


@pytest.mark.parametrize(
    ("real_result", "name"), [(name, name) for name in ROWS], indirect=["real_result"], ids=ROWS
)
def test_code_gives_what_it_gave(real_result: Any, name: str, replaced: None) -> None:
    found = run(ROWS[name])
    assert flat(found) == pytest.approx(flat(real_result), abs=1e-9)


@pytest.mark.parametrize("name", OLD_ROWS)
def test_code_for_versions_1(name: str, replaced: None) -> None:
    code, expected = OLD_ROWS[name]
    assert run(code) == expected


def flat(value: Any) -> dict[str, Any]:
    """Nested results as one table of numbers and texts, which approx can compare."""
    if isinstance(value, dict):
        parts = {str(key): one for key, one in value.items()}
    elif isinstance(value, list | tuple):
        parts = {str(place): one for place, one in enumerate(value)}
    else:
        return {"": value}
    return {f"{key}.{rest}": one for key, part in parts.items() for rest, one in flat(part).items()}


def test_replacing_comes_too_late_after_the_real_import() -> None:
    with pytest.raises(OptionError, match="sacrebleu has been imported already, expected this"):
        tertium.compat.replace("sacrebleu")
    assert sys.modules["sacrebleu"] is sacrebleu


@pytest.mark.slow
def test_the_documented_line_is_enough() -> None:
    code = (
        "import tertium.compat; tertium.compat.replace('sacrebleu'); import sacrebleu;"
        "from sacrebleu.metrics.bleu import BLEU; tertium.compat.replace('sacrebleu');"
        "print(sacrebleu.BLEU is BLEU, BLEU.__module__, sacrebleu.__version__)"
    )
    assert printed("-c", code).split() == ["True", "tertium.compat.sacrebleu.metrics.bleu", "2.6.0"]


def test_the_documentation_is_true() -> None:
    page = DOCS / "coming-from" / "sacrebleu.md"
    failures, attempts = doctest.testfile(str(page), module_relative=False)
    assert (failures, attempts) == (0, 6)
