"""What the audits of output find: planted damage in three scripts, and real systems of WMT.

``python -m experiments.evidence.audits ../shared/data`` prints the tables of docs/audits.md: every
kind of damage planted into a system of WMT24, then who is said to have copied whom, then every
serious finding on the systems of WMT08 to WMT24, all in one pool and each two beside each other.
`DAMAGES` serve the tests.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from tertium.audit.audit import audit
from tertium.audit.copied_references import copies_of_references
from tertium.audit.findings import Finding
from tertium.audit.outputs import Outputs
from tertium.audit.table import AUDITS
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.input_files import open_inputs

OF_OUTPUT: Final = tuple(name for name in AUDITS if AUDITS[name].once)
METRICS: Final = ("bleu", "chrf")
SCRIPTS: Final = {"Latin": "en-cs", "Cyrillic": "en-ru", "Devanagari": "en-hi"}
VICTIM: Final = "GPT-4"
FEW: Final = frozenset({VICTIM, "Claude-3.5", "Llama3-70B", "IOL-Research"})
"""Three systems beside the damaged one, so that the table takes a minute."""
SHARE: Final = 5
"""Damage is planted into every so manyth segment."""
MOST_VICTIMS: Final = 4


class PlantedDamage(NamedTuple):
    """The kind that should be found, the change of a text, and whether all texts are changed."""

    kind: str
    change: Callable[[str, str], str]
    whole: bool = False


def misread(text: str, code_page: str = "cp1252") -> str:
    """UTF-8 read by a code page; bytes that it lacks are kept, as browsers do.

    >>> misread("é")
    'Ã©'
    """
    return "".join(
        bytes([byte]).decode(code_page, "ignore") or chr(byte) for byte in text.encode("utf-8")
    )


def tokens(text: str) -> str:
    """Marks stand alone; without blanks, every letter does.

    >>> tokens("Yes, no.")
    'Yes , no .'
    """
    if " " not in text:
        return " ".join(text)
    for mark in ",.।":
        text = text.replace(f"{mark} ", f" {mark} ")
        text = f"{text.removesuffix(mark)} {mark}" if text.endswith(mark) else text
    return text


REFUSAL: Final = "I apologize, but I don't feel comfortable translating that text."
DAMAGES: Final = {
    "entities": PlantedDamage("entities", lambda text, _: f"&quot;{text}&quot;"),
    "apostrophes": PlantedDamage("entities", lambda text, _: f"{text[:3]}&#39;{text[3:]}"),
    "double escapes": PlantedDamage("entities", lambda text, _: f"{text} &amp;amp;"),
    "tags": PlantedDamage("tags", lambda text, _: f"<p>{text}<br/></p>"),
    "bold": PlantedDamage("tags", lambda text, _: f"**{text}**"),
    "mojibake": PlantedDamage("mojibake", lambda text, _: misread(f"“{text}” – é")),
    "replacement characters": PlantedDamage(
        "mojibake", lambda text, _: f"{text[:2]}\ufffd{text[3:]}"
    ),
    "announcement": PlantedDamage(
        "chatter", lambda text, _: f"Sure! Here is the translation: {text}"
    ),
    "heading": PlantedDamage("chatter", lambda text, _: f"Translation: {text}"),
    "note": PlantedDamage("chatter", lambda text, _: f"{text} Note: the translation is literal."),
    "fence": PlantedDamage("chatter", lambda text, _: f"```{text}```"),
    "echo of the source": PlantedDamage("chatter", lambda text, source: f"{source} {text}"),
    "refusals": PlantedDamage("refusals", lambda _, __: REFUSAL),
    "lower case": PlantedDamage("lower case", lambda text, _: text.lower(), whole=True),
    "upper case": PlantedDamage("upper case", lambda text, _: text.upper(), whole=True),
    "tokenized": PlantedDamage("tokenized", lambda text, _: tokens(text), whole=True),
    "subwords": PlantedDamage("subwords", lambda text, _: f"{text[:2]}@@ {text[2:]}"),
    "sentence pieces": PlantedDamage(
        "subwords", lambda text, _: f"\u2581{text.replace(' ', f' {chr(0x2581)}')}"
    ),
    "line breaks": PlantedDamage("line breaks", lambda text, _: f"{text[:4]}\n{text[4:]}"),
    "escaped breaks": PlantedDamage("line breaks", lambda text, _: f"{text[:4]}\\n{text[4:]}"),
    "unknown words": PlantedDamage("placeholders", lambda text, _: f"<unk> {text}"),
    "unknown pieces": PlantedDamage("placeholders", lambda text, _: f"\u2047 {text}"),
    "variables": PlantedDamage("placeholders", lambda text, _: f"{{0}} {text}"),
    "terms": PlantedDamage("placeholders", lambda text, _: f"__TAG__ {text}"),
    "special tokens": PlantedDamage("placeholders", lambda text, _: f"{text}<|im_end|>"),
}
"""Damage of the text itself, by name."""
CASED: Final = frozenset({"lower case", "upper case"})
"""Kinds that only scripts with upper and lower case can have."""


class Pool(NamedTuple):
    """A test set with all of its systems."""

    name: str
    whole: Chunk


def pools(data: Path) -> Iterator[Pool]:
    """All test sets of WMT08, 10, 12, 17, 23 and 24 that are there."""
    for pair in ("cz-en", "de-en", "es-en", "fr-en"):
        outputs = (data / "wmt08/system-outputs").glob(f"{pair}.*")
        yield _pool(f"wmt08 {pair}", [data / "wmt08/reference.en"], outputs)
    yield _pool(
        "wmt10 de-en", [data / "wmt10/reference.en"], (data / "wmt10/system-outputs").iterdir()
    )
    for pair in ("cs-en", "de-en", "es-en"):
        outputs = (data / "wmt12/system-outputs" / pair).iterdir()
        yield _pool(f"wmt12 {pair}", [data / "wmt12/newstest2012-ref.en"], outputs)
    for target in ("cs", "de", "es", "fr"):
        folder = data / "wmt12/from-english"
        outputs = folder.glob(f"newstest2012.en-{target}.*")
        yield _pool(f"wmt12 en-{target}", [folder / f"newstest2012-ref.{target}"], outputs)
    for pair in ("de-en", "ru-en", "tr-en"):
        reference = data / f"wmt17/newstest2017-{pair.replace('-', '')}-ref.en"
        outputs = (data / "wmt17/system-outputs" / pair).iterdir()
        yield _pool(f"wmt17 {pair}", [reference], outputs)
    folder = data / "sacrebleu/wmt17-en-de"
    yield _pool("wmt17 en-de", [folder / "reference.gz"], folder.glob("newstest*"))
    for year, pair, references in (
        ("wmt23", "zh-en", ["refA"]),
        ("wmt23", "he-en", ["refA"]),
        ("wmt23", "he-en", ["refB"]),
        *(("wmt24", pair, ["refA"]) for pair in ("en-cs", "en-hi", "en-ru")),
    ):
        yield recent_pool(data, year, pair, references)


def recent_pool(data: Path, year: str, pair: str, references: Sequence[str]) -> Pool:
    """A test set of WMT23 or 24, with sources and documents."""
    folder = data / year
    return _pool(
        f"{year} {pair}, {'+'.join(references)}",
        [folder / f"references/{pair}.{one}.txt" for one in references],
        (
            one
            for one in (folder / "system-outputs" / pair).glob("*.txt")
            if "ref" not in one.stem.lower()
        ),
        source=folder / f"sources/{pair}.txt",
        documents=folder / f"documents/{pair}.docs",
    )


def _pool(
    name: str,
    references: Sequence[Path],
    outputs: Iterator[Path],
    *,
    source: Path | None = None,
    documents: Path | None = None,
) -> Pool:
    inputs = open_inputs(
        references, sorted(outputs), source=source, documents=documents, format="text"
    )
    return Pool(name, inputs.load())


def planted(whole: Chunk, victim: str, damage: PlantedDamage) -> list[System]:
    """All systems, one of them damaged."""
    sources = whole.corpus.sources
    result = []
    for system in whole.systems:
        texts = [text or "" for text in system.hypotheses.to_list()]
        if system.name == victim:
            texts = [
                damage.change(text, "" if sources is None else sources[i] or "")
                if damage.whole or i % SHARE == 0
                else text
                for i, text in enumerate(texts)
            ]
        result.append(System(name=system.name, hypotheses=texts))
    return result


def damage_rows(data: Path) -> Iterator[list[str]]:
    """For every kind of damage how it is found in each script, and whether others are accused."""
    chunks = [recent_pool(data, "wmt24", pair, ["refA"]).whole for pair in SCRIPTS.values()]
    for name, damage in DAMAGES.items():
        cells = []
        for script, chunk in zip(SCRIPTS, chunks, strict=True):
            if damage.kind in CASED and script == "Devanagari":
                cells.append("no case")
                continue
            few = [one for one in planted(chunk, VICTIM, damage) if one.name in FEW]
            report = audit(chunk.corpus, few, ["wer"], only=["damage"])
            found = [
                one
                for one in report
                if one.systems == (VICTIM,) and one.numbers["kind"] == damage.kind
            ]
            cells.append(found[0].severity if found else "not found")
        yield [name, damage.kind, *cells]


def copied(data: Path) -> Counter[tuple[str, str]]:
    """Planted copies between a system and the reference, and who is said to have copied."""
    counts: Counter[tuple[str, str]] = Counter()
    for pool in pools(data):
        if pool.name == "wmt23 he-en, refA" or len(pool.whole.systems) < MOST_VICTIMS + 1:
            continue  # that reference is made from a system's output as it is
        references = [text or "" for text in pool.whole.corpus.references.columns[0].to_list()]
        systems = pool.whole.systems
        for number in range(0, len(systems), max(1, len(systems) // MOST_VICTIMS)):
            own = [text or "" for text in systems[number].hypotheses.to_list()]
            pairs = list(zip(references, own, strict=True))
            leaked = [a if i % 4 == 0 else b for i, (a, b) in enumerate(pairs)]
            edited = [a if i % 3 == 0 else b for i, (a, b) in enumerate(pairs)]
            for what, reference, output in (
                ("every fourth output is the reference", references, leaked),
                ("all outputs are the reference", references, references),
                ("two thirds of the reference are the output", edited, own),
            ):
                name = systems[number].name
                named = tuple(
                    System(name=name, hypotheses=output) if one.name == name else one
                    for one in systems
                )
                outputs = Outputs.of(Corpus(references=reference), named)
                found = [one for one in copies_of_references(outputs) if one.systems == (name,)]
                counts[what, found[0].numbers["origin"] if found else "not found"] += 1
    return counts


def serious_rows(data: Path, *, pairs: bool) -> Iterator[list[str]]:
    """Every serious finding on real systems, in the pool and, of gaming, in pairs."""
    for pool in pools(data):
        corpus, systems = pool.whole.corpus, pool.whole.systems
        report = audit(corpus, systems, METRICS, only=[*OF_OUTPUT, "gaming"])
        for one in report:
            if one.severity == "serious":
                yield [pool.name, ", ".join(one.systems), _kind(one), one.meaning]
        for two in combinations(systems, 2) if pairs else ():
            for one in audit(corpus, two, METRICS, only=["gaming"]):
                if one.severity == "serious":
                    yield [pool.name, ", ".join(one.systems), "gaming in a pair", one.meaning]


def _kind(finding: Finding) -> str:
    kind = finding.numbers.get("kind")
    return f"{finding.audit}: {kind}" if kind else f"{finding.audit} of {finding.metric}"


def _markdown(header: Sequence[str], rows: Iterator[list[str]]) -> str:
    lines = [header, [":--"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(_escaped, row))} |" for row in lines)


def _escaped(text: str) -> str:
    """Entities are to be seen, and not what they stand for."""
    return text.replace("&", "&amp;").replace("|", "\\|")


def main(arguments: Sequence[str]) -> None:
    """Print the tables; ``--pairs`` also asks gaming about each two systems, which takes longer."""
    data = Path(next(one for one in arguments if not one.startswith("--")))
    print(_markdown(["planted", "found as", *SCRIPTS], damage_rows(data)), flush=True)
    counts = copied(data)
    sides = ("reference", "system", "unknown", "not found")
    rows = (
        [what, *(str(counts[what, side]) for side in sides)]
        for what in dict.fromkeys(what for what, _ in counts)
    )
    header = ["planted", "the system copied", "the reference did", "one of the two", "not found"]
    print(f"\n{_markdown(header, rows)}", flush=True)
    found = serious_rows(data, pairs="--pairs" in arguments)
    print(f"\n{_markdown(['test set', 'system', 'finding', 'sentence'], found)}")


if __name__ == "__main__":
    main(sys.argv[1:])
