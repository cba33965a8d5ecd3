"""Oracles of real lattices and forests: the best paths by WRR and by 4-GRR.

The texts are not used: structures have their own references. They are read on the first call,
which warms up, so that only the search is measured.
"""

from functools import cache
from typing import TYPE_CHECKING, Final

from case import Case
from data import SHARED

if TYPE_CHECKING:
    from tertium.decode.formats.table import Structure

    Segments = tuple[list[Structure], list[tuple[str, ...]]]

_HIFST: Final = SHARED / "lattices" / "hifst"
_FISHER: Final = SHARED / "lattices" / "fisher"
_GRAMMAR: Final = SHARED / "forests" / "joshua-bn-en"
_JOSHUA: Final = SHARED / "nbest" / "joshua-bn-en"
_MOSES: Final = SHARED / "forests" / "moses"


@cache
def hifst_lattices() -> "Segments":
    """Twenty lattices of a hierarchical decoder: 33,771 states in all."""
    from tertium.decode import FormatOptions, read_lattices

    options = FormatOptions(boundary=("1", "2"))
    paths = [_HIFST / f"lmert.{number}.txt.gz" for number in range(1, 21)]
    found = [one for path in paths for one in read_lattices(path, options=options)]
    lines = (_HIFST / "lmert.refs").read_text(encoding="utf-8").splitlines()
    return list(found), [(line,) for line in lines[: len(found)]]


@cache
def fisher_lattices() -> "Segments":
    """A thousand lattices of a speech recogniser."""
    from tertium.decode import read_lattices

    lines = (_FISHER / "dev2.oracle").read_text(encoding="utf-8").splitlines()
    return list(read_lattices(_FISHER / "dev2.plf")), [(line,) for line in lines]


@cache
def real_forests() -> "Segments":
    """The forests of a hierarchical grammar for 100 segments, and two phrase-based ones."""
    from cky import Grammar

    from tertium.decode import read_forests

    grammar = Grammar.read(_GRAMMAR / "grammar.gz", _GRAMMAR / "glue-grammar")
    sources = (_JOSHUA / "input.bn").read_text(encoding="utf-8").splitlines()
    columns = [
        (_JOSHUA / f"reference.en.{number}").read_text(encoding="utf-8").splitlines()
        for number in range(4)
    ]
    forests = [grammar.forest(source) for source in sources]
    references = list(zip(*columns, strict=True))
    for name in ("denseonly", "sparse"):
        for forest in read_forests(_MOSES / name / "data" / "hg.gz"):
            forests.append(forest)
            references.append((forest.best().text,))
    return list(forests), references


def oracle_score(segments: "Segments", metric: str) -> float:
    """The corpus score of the exact oracles."""
    from tertium.decode.oracle.candidates import OracleSetting
    from tertium.decode.oracle.oracles import corpus_oracle
    from tertium.decode.weights import word_metric

    structures, references = segments
    setting = OracleSetting(metric=word_metric(metric, of_words=True))
    found = corpus_oracle(structures, references, setting)
    if found.approximation:
        raise ValueError(f"found {found.approximation}, expected exact oracles")
    return found.score


def hifst(_hypotheses: list[str], _references: list[str]) -> float:
    """4-GRR oracles of translation lattices."""
    return oracle_score(hifst_lattices(), "grr")


def fisher(_hypotheses: list[str], _references: list[str]) -> float:
    """WRR oracles of speech lattices."""
    return oracle_score(fisher_lattices(), "wrr")


def forests(_hypotheses: list[str], _references: list[str]) -> float:
    """4-GRR oracles of forests, against four references each."""
    return oracle_score(real_forests(), "grr")


CASES: Final = (
    (
        Case(
            name="oracle-lattices",
            title="4-GRR oracle, HiFST lattices",
            ours=hifst,
            peers=(),
            sizes=(20,),
            seconds=2.0,
        ),
        Case(
            name="oracle-speech",
            title="WRR oracle, Fisher lattices",
            ours=fisher,
            peers=(),
            sizes=(1_000,),
            seconds=1.0,
        ),
        Case(
            name="oracle-forests",
            title="4-GRR oracle, CKY and Moses forests",
            ours=forests,
            peers=(),
            sizes=(102,),
            seconds=10.0,
        ),
    )
    if SHARED.is_dir()
    else ()
)
