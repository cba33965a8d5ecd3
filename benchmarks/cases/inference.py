"""Paired tests of sixteen systems against the first, from Python strings."""

from typing import TYPE_CHECKING, Any, Final

from case import Case, Peer

if TYPE_CHECKING:
    from tertium.results import Evaluation

SYSTEMS: Final = 16
RESAMPLES: Final = 1_000
TRIALS: Final = 10_000


def systems_of(hypotheses: list[str], references: list[str]) -> dict[str, list[str]]:
    """Systems that differ in part: each has other segments from the reference."""
    systems = {}
    for number in range(SYSTEMS):
        texts = hypotheses.copy()
        texts[number::SYSTEMS] = references[number::SYSTEMS]
        systems[f"system-{number:02}"] = texts
    return systems


def our_evaluation(hypotheses: list[str], references: list[str]) -> "Evaluation":
    """BLEU of all systems, with the statistics that the tests need."""
    from tertium.evaluation import evaluate
    from tertium.text.corpus import Corpus, System
    from tertium.text.references import References, column_of

    corpus = Corpus(references=References.of(references), name="references")
    systems = [
        System(name=name, hypotheses=column_of(texts, name))
        for name, texts in systems_of(hypotheses, references).items()
    ]
    return evaluate(corpus, systems, ["bleu[tokenizer=none]"], rows=True)


def bootstrap(hypotheses: list[str], references: list[str]) -> float:
    """Our paired bootstrap; returns the baseline's BLEU."""
    from tertium.inference import with_paired_bootstrap

    evaluation = our_evaluation(hypotheses, references)
    tested = with_paired_bootstrap(evaluation, trials=RESAMPLES)
    return tested.systems[0].scores[0].value


def randomization(hypotheses: list[str], references: list[str]) -> float:
    """Our approximate randomization; returns the baseline's BLEU."""
    from tertium.inference import with_randomization

    tested = with_randomization(our_evaluation(hypotheses, references), trials=TRIALS)
    return tested.systems[0].scores[0].value


def sacrebleu_test(hypotheses: list[str], references: list[str], **options: Any) -> float:
    """SacreBLEU's paired test of the same systems; returns the baseline's BLEU."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.significance import PairedTest

    metric = BLEU(tokenize="none", force=True, references=[references])
    test = PairedTest(
        list(systems_of(hypotheses, references).items()),
        {"BLEU": metric},
        references=None,
        **options,
    )
    found: Any = test()[1]["BLEU"][0]
    return float(found.score)


def sacrebleu_bootstrap(hypotheses: list[str], references: list[str]) -> float:
    """SacreBLEU's paired bootstrap."""
    return sacrebleu_test(hypotheses, references, test_type="bs", n_samples=RESAMPLES)


def sacrebleu_randomization(hypotheses: list[str], references: list[str]) -> float:
    """SacreBLEU's approximate randomization."""
    return sacrebleu_test(hypotheses, references, test_type="ar", n_samples=TRIALS)


CASES: Final = (
    Case(
        name="bootstrap",
        title=f"paired bootstrap, {SYSTEMS} systems",
        ours=bootstrap,
        peers=(Peer(name="sacreBLEU", work=sacrebleu_bootstrap, at_least=100),),
        sizes=(3_000,),
    ),
    Case(
        name="randomization",
        title=f"randomization, {SYSTEMS} systems",
        ours=randomization,
        peers=(Peer(name="sacreBLEU", work=sacrebleu_randomization, at_least=100),),
        sizes=(3_000,),
    ),
)
