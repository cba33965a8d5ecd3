"""Audit: is the text whole, and nothing but text?

It looks for what a broken run leaves (nothing, half a sentence, a loop), for what a pipeline leaves
(HTML entities, tags, mojibake, tokens, lower case, lost line breaks, placeholders) and for what
chat models leave (remarks, refusals). Every mark is held against the segment's own references and
source, so that a text that really has it is not accused; and against how common it is in all
references, so that a test set that is tokenized or escaped as a whole is none.

Damage costs a system score that a conversion would give back. `gaming` leaves damaged segments
out: what a rival lost by damage, nobody gained by tuning.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.audit.case import Case
from tertium.audit.damage_marks import Marks, OutputColumn, alphabet_of, echoes, excerpt
from tertium.audit.findings import Finding, Severity
from tertium.audit.misplaced_lines import best_stretch, misorders, shifted_lines
from tertium.audit.outputs import (
    FEWEST,
    LONG,
    NOTE_SEGMENTS,
    Mask,
    Outputs,
    annotated,
    finding,
    severity_of,
    shown,
)
from tertium.plurals import counted

# Incomplete output: empty, cut short, the same line again and again, words in a loop.

NEARLY_NOTHING: Final = 0.2
"""Of the reference's words, at most this share is left in an output that says next to nothing."""
CUT: Final = 0.85
"""Of the reference's words, what an output with an open end has at most to be called cut."""
OPEN_ENDS: Final = 0.2
"""Where more of a system's whole outputs have no end mark, an open end proves nothing …"""
SHORT: Final = 0.5
"""… and only so few of the reference's words do."""
REPEATED: Final = 3
"""Different references that one and the same output stands for."""
UNLIKE_REFERENCE: Final = 0.4
"""An output as little like its reference as this is not the one right answer to many sources."""
LOOPED: Final = 8
"""Words in a loop: shorter ones are emphasis ("no, no, no, no")."""
MISSING_END: Final = "missing end"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Damage:
    """One kind of damage in the output of one system, and the segments that have it.

    ``meaning`` completes "the system's output …"; ``numbers`` are more evidence than the segments.
    """

    kind: str
    system: int
    segments: Mask = field(repr=False)
    meaning: str
    advice: str
    numbers: dict[str, Any] = field(default_factory=dict, repr=False)


def incomplete(outputs: Outputs) -> Iterator[Damage]:
    """All of them."""
    yield from empties(outputs)
    yield from cuts(outputs)
    yield from repeats(outputs)
    yield from loops(outputs)


def empties(outputs: Outputs) -> Iterator[Damage]:
    """Outputs that say nothing, or next to nothing; at the end of a file, of a run that ended."""
    for number, traits in enumerate(outputs.traits):
        silent = (traits.words == 0) & (outputs.words >= NOTE_SEGMENTS)
        little = (traits.words <= NEARLY_NOTHING * outputs.words) & outputs.long
        tail = _tail((traits.characters == 0) & (outputs.words > 0))
        if tail >= NOTE_SEGMENTS:
            missing = np.zeros(outputs.segments, bool)
            missing[-tail:] = True
            silent, little = silent & ~missing, little & ~missing
            yield Damage(
                kind=MISSING_END,
                system=number,
                segments=missing,
                meaning="is missing to the end",
                advice="Look whether the run was stopped, and score the complete output.",
            )
        yield Damage(
            kind="empty",
            system=number,
            segments=silent | little,
            numbers={"empty": int(silent.sum())},
            meaning="says nothing, or next to nothing,",
            advice="Find out why; an empty line is often a source that broke the system.",
        )


def cuts(outputs: Outputs) -> Iterator[Damage]:
    """Outputs that stop in mid-sentence where the reference goes on."""
    closed = np.all([reference.ends for reference in outputs.references], axis=0)
    shortest = np.min([reference.words for reference in outputs.references], axis=0)
    # Where others have an open end too, the source has one.
    usual = np.mean([trait.ends for trait in outputs.traits], axis=0) >= 0.5
    asked = closed & (shortest >= LONG)
    if len(outputs.systems) > 2:
        asked &= usual
    for number, traits in enumerate(outputs.traits):
        ratio = traits.words / np.maximum(1.0, shortest)
        whole = asked & (ratio >= CUT)
        open_ends = float(np.mean(~traits.ends[whole])) if whole.sum() >= FEWEST else 0.0
        telling = CUT if open_ends <= OPEN_ENDS else SHORT
        cut = asked & ~traits.ends & (ratio < telling) & (ratio > NEARLY_NOTHING)
        yield Damage(
            kind="cut",
            system=number,
            segments=cut,
            numbers={"open_ends": open_ends},
            meaning="stops in mid-sentence",
            advice="Look for a limit on the length of output, or of input.",
        )


def repeats(outputs: Outputs) -> Iterator[Damage]:
    """One output for many different segments, which it fits badly."""
    first = outputs.references[0].fingerprint
    meant = first if outputs.sources is None else outputs.sources.fingerprint
    for number, traits in enumerate(outputs.traits):
        unlike = (outputs.likeness[number] < UNLIKE_REFERENCE) & (traits.words > 0)
        places = np.flatnonzero(unlike & (outputs.words >= NOTE_SEGMENTS))
        prints, group = np.unique(traits.fingerprint[places], return_inverse=True)
        different = np.unique(np.stack([group, meant[places]], axis=1), axis=0)[:, 0].astype(int)
        counts = np.bincount(different, minlength=len(prints))
        repeated = np.zeros(outputs.segments, bool)
        repeated[places[(counts >= REPEATED)[group]]] = True
        if not repeated.any():
            continue
        most = places[group == int(counts.argmax())]
        text = outputs.systems[number].hypotheses[int(most[0])] or ""
        yield Damage(
            kind="repeated",
            system=number,
            segments=repeated,
            numbers={"text": text, "times": len(most)},
            meaning=f"is the same line for different sources, such as “{shortened(text)}”,",
            advice="Read the line: stock phrases are what systems say when they do not know.",
        )


def loops(outputs: Outputs) -> Iterator[Damage]:
    """Words that come again and again in one line, as they do not in the reference."""
    looped = np.max([reference.looped for reference in outputs.references], axis=0)
    for number, traits in enumerate(outputs.traits):
        is_looped = (traits.looped >= LOOPED) & (traits.looped > 2 * looped)
        if not is_looped.any():
            continue
        worst = int(np.argmax(np.where(is_looped, traits.looped, 0)))
        text = outputs.systems[number].hypotheses[worst] or ""
        yield Damage(
            kind="loop",
            system=number,
            segments=is_looped,
            numbers={"words": int(traits.looped[is_looped].sum()), "text": text},
            meaning=(
                f"repeats its words in a loop, such as segment {worst + 1} “{shortened(text)}”,"
            ),
            advice="Such output is worthless, but some metrics pay for it: blank it, or mend it.",
        )


def _tail(blank: NDArray[np.bool_]) -> int:
    """How many segments at the end have no output; not where nothing has any."""
    spoken = np.flatnonzero(~blank)
    return len(blank) - 1 - int(spoken[-1]) if len(spoken) else len(blank)


def shortened(text: str, most: int = 60) -> str:
    """The beginning of a long text."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"


NAME: Final = "damage"
SERIOUS_TAIL: Final = 0.02
"""Missing lines at the end of a file: a run that stopped, which is no matter of quality."""
USUAL: Final = 0.3
"""Of a system's share of marked segments, what the references or the source have at least where
the mark is the test set's own."""
CASED_LETTERS: Final = 10
"""Upper and lower letters of a text without which its case says nothing."""
ALL_UPPER: Final = 0.8
"""Of the letters, how many are upper case in a text in capitals …"""
NOT_UPPER: Final = 0.4
"""… and how many at most in one that is not."""
UNLIKE: Final = 0.5
"""A refusal has no more than this in common with the reference."""


class Kind(NamedTuple):
    """What is said of one kind of damage, and what to do about it."""

    meaning: str
    advice: str


KINDS: Final = {
    "entities": Kind(
        "has HTML entities, such as {example},", "Unescape the output, and score it again."
    ),
    "tags": Kind(
        "has tags or Markdown, such as {example},",
        "Strip what the source does not have, and score the output again.",
    ),
    "mojibake": Kind(
        "has characters that were decoded wrongly, such as {example},",
        "Find the step that read UTF-8 as another encoding, and write the output again.",
    ),
    "chatter": Kind(
        "talks about the translation, such as {example},",
        "Ask the model for the translation alone, or cut off what is none.",
    ),
    "refusals": Kind(
        "refuses to translate, such as {example},",
        "These are no translations: report their number beside the score, or ask the model again.",
    ),
    "lower case": Kind(
        "has no capital letters, unlike the references, such as {example},",
        "Restore the case (truecasing), or lowercase references and all systems alike.",
    ),
    "upper case": Kind(
        "is in capital letters, unlike the references, such as {example},",
        "Restore the case, or lowercase references and all systems alike.",
    ),
    "tokenized": Kind(
        "is tokenized, unlike the references, such as {example},",
        "Detokenize the output, and score it again.",
    ),
    "subwords": Kind(
        "has marks of subwords or of a tokenizer left in it, such as {example},",
        "Join the subwords, detokenize, and score the output again.",
    ),
    "line breaks": Kind(
        "has line breaks where references and source have none, or lacks those that they have, "
        "such as {example},",
        "Find the step that joins or splits lines, and write the output again.",
    ),
    "placeholders": Kind(
        "has placeholders that were never filled in, such as {example},",
        "Find the step that should put the text back, and write the output again.",
    ),
}
"""By name, in the order in which they are told."""
OF_WHOLE_FILES: Final = frozenset({"lower case", "upper case", "tokenized"})
"""Kinds that a conversion of the whole file leaves. Statistical systems begin a sentence in lower
case, or leave a comma alone, now and then, and that is their quality …"""
WHOLE_FILE_SHARES: Final = (0.03, 0.1, 0.5)
"""… so that these shares of the segments are a note, a warning, and serious."""
PLAIN: Final = ("entities", "tags", "mojibake", "placeholders", "subwords")
"""Kinds that are told by a mark which neither references nor source have."""


class MarkedOutputs(NamedTuple):
    """Marks of all systems, of the references and of the source, with the texts."""

    systems: tuple[Marks, ...]
    columns: tuple[OutputColumn, ...]
    references: tuple[Marks, ...]
    sources: Marks | None
    reference_columns: tuple[OutputColumn, ...]
    source_column: OutputColumn | None


def damage(case: Case) -> list[Finding]:
    """Findings on damaged text; none of them depends on the metric."""
    if annotated(case):
        return []
    outputs = Outputs.of_case(case)
    moved = [
        bool(shifts) or order is not None
        for shifts, order in zip(shifted_lines(case), misorders(case), strict=True)
    ]
    told = (_finding(outputs, damage, moved=moved[damage.system]) for damage in damages(case))
    return [finding for finding in told if finding is not None]


def left_out(case: Case) -> list[str]:
    """What the audit could not look for, and why."""
    if reason := annotated(case):
        return [f"everything: {reason}"]
    if len(case.corpus) < FEWEST:
        return [f"everything: {counted(len(case.corpus), 'segment')}, at least {FEWEST} are needed"]
    return []


def damages(case: Case) -> tuple[Damage, ...]:
    """All damage of all systems, however rare."""
    return case.kept_for_all("damage", lambda: tuple(_damages(Outputs.of_case(case))))


def damaged_segments(case: Case) -> Mask:
    """Whether the output is damaged, (systems, segments); nothing is known of annotated texts."""
    damaged = np.zeros((len(case.systems), len(case.corpus)), bool)
    if not annotated(case):
        for damage in damages(case):
            damaged[damage.system] |= damage.segments
    return damaged


def _damages(outputs: Outputs) -> Iterator[Damage]:
    if not outputs.segments:
        return
    yield from incomplete(outputs)
    marked = _marked(outputs)
    for system in range(len(outputs.systems)):
        for kind, segments in _kinds(outputs, marked, system):
            if segments.any():
                yield _described(marked, kind, system, segments)


def _marked(outputs: Outputs) -> MarkedOutputs:
    references = [OutputColumn.of(column) for column in outputs.corpus.references.columns]
    columns = tuple(OutputColumn.of(system.hypotheses) for system in outputs.systems)
    alphabet = alphabet_of(references)
    texts = outputs.corpus.sources
    sources = None if texts is None else OutputColumn.of(texts)
    return MarkedOutputs(
        systems=tuple(Marks.of(column, alphabet) for column in columns),
        columns=columns,
        references=tuple(Marks.of(reference, alphabet) for reference in references),
        sources=None if sources is None else Marks.of(sources, alphabet),
        reference_columns=tuple(references),
        source_column=sources,
    )


def _kinds(outputs: Outputs, marked: MarkedOutputs, system: int) -> Iterator[tuple[str, Mask]]:
    """The segments of one system that have each kind of damage."""
    own = marked.systems[system].counts
    for kind in PLAIN:
        yield kind, _unusual(marked, kind, own[kind] > 0)
    remarks = _unusual(marked, "chatter", own["chatter"] > 0)
    if marked.source_column is not None:
        kept = [echoes(column, marked.source_column) for column in marked.reference_columns]
        remarks |= echoes(marked.columns[system], marked.source_column) & ~np.any(kept, axis=0)
    yield "chatter", remarks
    refusals = _unusual(marked, "refusals", own["refusals"] > 0)
    yield "refusals", refusals & (outputs.likeness[system] < UNLIKE)
    lower, upper = _lost_case(outputs, marked, system)
    yield "lower case", lower
    yield "upper case", upper
    yield "tokenized", _unusual(marked, "tokenized", own["tokenized"] > 0)
    yield "line breaks", _line_breaks(marked, system)


def _unusual(marked: MarkedOutputs, kind: str, segments: Mask) -> Mask:
    """Of marked segments those where neither a reference nor the source has such a mark."""
    for other in (*marked.references, *([] if marked.sources is None else [marked.sources])):
        has = other.counts[kind] > 0
        if has.mean() >= USUAL * segments.mean():
            return np.zeros_like(segments)
        segments = segments & ~has
    return segments


def _lost_case(outputs: Outputs, marked: MarkedOutputs, system: int) -> tuple[Mask, Mask]:
    """Texts without capitals, and texts in capitals, where reference and source are neither.

    Where most other systems do the same, the source did, unless all of this one is so.
    """
    own = marked.systems[system]
    cased = _has_case(outputs, marked, system)
    lower = cased & (own.upper == 0)
    upper = cased & (own.upper >= ALL_UPPER * (own.upper + own.lower))
    for other in (*marked.references, *([] if marked.sources is None else [marked.sources])):
        letters = other.upper + other.lower
        if other is marked.sources and not other.upper.any():
            continue  # a script without case, or text that is all in lower case
        lower &= other.upper > 0
        upper &= other.upper <= NOT_UPPER * letters
    others = [marks for marks in marked.systems if marks is not own]
    if len(others) > 1:
        without = np.mean([marks.upper == 0 for marks in others], axis=0) >= 0.5
        capitals = np.mean([marks.upper > marks.lower for marks in others], axis=0) >= 0.5
        lower = lower if lower.mean() >= 0.5 else lower & ~without
        upper = upper if upper.mean() >= 0.5 else upper & ~capitals
    return lower, upper


def _has_case(outputs: Outputs, marked: MarkedOutputs, system: int) -> Mask:
    """Texts that are mostly of letters with case: no address of a page in a text in Hindi."""
    own = marked.systems[system]
    letters = own.upper + own.lower
    cased: Mask = (letters >= CASED_LETTERS) & (
        2 * letters >= outputs.traits[system].letters.sum(axis=1)
    )
    return cased


def _line_breaks(marked: MarkedOutputs, system: int) -> Mask:
    own = marked.systems[system].counts
    breaks = own["breaks"]
    others = [
        reference.counts["breaks"]
        for reference in (*marked.references, marked.sources)
        if reference
    ]
    most, fewest = np.max(others, axis=0), np.min(others, axis=0)
    escaped = _unusual(marked, "escaped breaks", own["escaped breaks"] > 0)
    changed: Mask = ((breaks > 0) & (most == 0)) | ((breaks == 0) & (fewest > 0)) | escaped
    return changed


def _described(marked: MarkedOutputs, kind: str, system: int, segments: Mask) -> Damage:
    first = int(np.flatnonzero(segments)[0])
    text = marked.columns[system].texts[first]
    meaning, advice = KINDS[kind]
    return Damage(
        kind=kind,
        system=system,
        segments=segments,
        numbers={"text": text},
        meaning=meaning.format(example=f"“{excerpt(text, kind)}” in segment {first + 1}"),
        advice=advice,
    )


def _finding(outputs: Outputs, fault: Damage, *, moved: bool) -> Finding | None:
    """What is said of damage, if enough segments have it, and whether they lie together.

    A short output beside another line's long reference looks cut, so nothing is said of systems
    whose lines have ``moved``.
    """
    name, count = outputs.names[fault.system], int(fault.segments.sum())
    share = count / outputs.segments
    severity = _severity(fault.kind, share, count)
    if fault.kind in {"empty", "cut"} and moved:
        return None
    if severity is None or outputs.segments < FEWEST:
        return None
    if fault.kind == MISSING_END:
        return _missing_end(outputs, fault)
    where = np.flatnonzero(fault.segments)
    first, last = best_stretch(np.where(fault.segments, 1.0, -1.0))
    inside = int(fault.segments[first : last + 1].sum())
    numbers = {"share": share, **fault.numbers, "segments": (where + 1).tolist()}
    told = shown(where)
    if inside >= FEWEST and 2 * inside >= count and 3 * (last - first + 1) <= outputs.segments:
        numbers["stretch"] = {"first": first + 1, "last": last + 1, "segments": inside}
        told = f"{inside} of them in segments {first + 1} to {last + 1}"
    return finding(
        fault.kind,
        (name,),
        severity,
        audit=NAME,
        size=share,
        reason=f"{name}'s output {fault.meaning.partition(',')[0]} in {share:.1%} of the segments",
        numbers=numbers,
        meaning=(
            f"{name}'s output {fault.meaning} in {counted(count, 'segment')}, {share:.1%} of them "
            f"({told})."
        ),
        advice=fault.advice,
    )


def _severity(kind: str, share: float, segments: int) -> Severity | None:
    if kind not in OF_WHOLE_FILES:
        return severity_of(share, segments)
    note, warning, serious = WHOLE_FILE_SHARES
    if share < note or segments < NOTE_SEGMENTS:
        return None
    return "serious" if share >= serious else "warning" if share >= warning else "note"


def _missing_end(outputs: Outputs, fault: Damage) -> Finding:
    name, count = outputs.names[fault.system], int(fault.segments.sum())
    share, first = count / outputs.segments, outputs.segments - count + 1
    return finding(
        fault.kind,
        (name,),
        "serious" if share >= SERIOUS_TAIL else "warning",
        audit=NAME,
        size=share,
        reason=f"{name} has no output for the last {counted(count, 'segment')}",
        numbers={"share": share, "first": first, "segments": count},
        meaning=(
            f"{name} has no output from segment {first} to the end, {share:.1%} of the test set."
        ),
        advice=fault.advice,
    )
