"""The batches of a campaign of Appraise: the texts that its export does not have.

``[{"task": {…}, "items": [{"itemID", "itemType", "documentID", "targetID", "sourceText",
"targetText"}, …]}, …]``. A person works on one task, so the task is the one that has all that the
person saw; the item's number is unique within it, and across tasks it is not.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from tertium.errors import InputError
from tertium.meta.spans.appraise import KINDS, base_document, base_system
from tertium.meta.spans.entries import Look
from tertium.meta.spans.fields import Fields, whole_json
from tertium.text.files import TextFile

Key: TypeAlias = tuple[str, int | None, str, str]
"""System, number, document and kind of an item."""
NEEDED: Final = ("itemID", "documentID", "targetID", "sourceText", "targetText")


class ShownTexts(NamedTuple):
    """What a rater saw."""

    source: str
    hypothesis: str


Task: TypeAlias = Mapping[Key, ShownTexts]


def is_batches(value: object) -> bool:
    """Whether a JSON value is a list of tasks."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, dict) and isinstance(one.get("items"), list) for one in value)
    )


def read_batches(file: TextFile) -> tuple[Task, ...]:
    """The tasks of a campaign, each with the texts of its items."""
    tasks = []
    for number, one in enumerate(whole_json(file), 1):
        task: dict[Key, ShownTexts] = {}
        for item in Fields.of(one, f"{file.name}: task {number}").objects("items"):
            if not all(key in item for key in NEEDED):
                continue
            kind = item.text("itemType", "TGT")
            if kind not in KINDS:
                raise InputError(f"{item.place}: type '{kind}', expected {', '.join(KINDS)}")
            system = base_system(item.text("targetID"))
            document = base_document(item.text("documentID"), system)
            key = (system, item.whole("itemID"), document, KINDS[kind])
            task[key] = ShownTexts(item.text("sourceText"), item.text("targetText"))
        tasks.append(task)
    return tuple(tasks)


def with_batches(looks: Sequence[Look], tasks: Sequence[Task]) -> list[Look]:
    """The looks with the texts of the task that their rater worked on."""
    seen: dict[str, list[Look]] = {}
    for look in looks:
        if look.hypothesis is None and look.segment is None:
            seen.setdefault(look.rater, []).append(look)
    texts: dict[str, ShownTexts] = {}
    for own in seen.values():
        if not _add_texts(own, tasks, texts):  # a person with several tasks: document by document
            views: dict[tuple[str, str, str], list[Look]] = {}
            for look in own:
                views.setdefault((look.system, look.document, look.kind), []).append(look)
            for some in views.values():
                if not _add_texts(some, tasks, texts):
                    raise InputError(
                        f"{some[0].place}: items of {some[0].rater} in document "
                        f"'{some[0].document}', expected all of them in one task of the batches"
                    )
    names = _names(looks, texts)
    return [
        look._replace(
            source=texts[look.place].source,
            hypothesis=texts[look.place].hypothesis,
            id=names[look.place],
        )
        if look.place in texts
        else look
        for look in looks
    ]


def _names(looks: Iterable[Look], texts: Mapping[str, ShownTexts]) -> dict[str, str]:
    """Names that are the same in every task: the document and the source, which may be repeated."""
    names: dict[str, str] = {}
    counts: dict[tuple[str, ...], int] = {}
    for look in sorted(looks, key=lambda one: one.number or 0):
        if look.place in texts:
            source = texts[look.place].source
            view = (look.rater, look.system, look.document, look.kind, source)
            counts[view] = counts.get(view, 0) + 1
            names[look.place] = f"{look.document}:{source} {counts[view]}"
    return names


def _add_texts(looks: Sequence[Look], tasks: Iterable[Task], texts: dict[str, ShownTexts]) -> bool:
    """Take the texts of the one task that has all these looks; False if none has them all."""
    keys = {look.place: (look.system, look.number, look.document, look.kind) for look in looks}
    fitting = [task for task in tasks if all(key in task for key in keys.values())]
    if not fitting:
        return False
    for place, key in keys.items():
        if len({task[key] for task in fitting}) > 1:
            raise InputError(
                f"{place}: {len(fitting)} tasks of the batches have this item, with different "
                "texts, expected one"
            )
        texts[place] = fitting[0][key]
    return True
