"""What people call things: names, notes, tags and addresses, checked before they are kept."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

from tertium.plurals import counted
from tertium.serve.errors import ConflictError, RequestError

SLUG: Final = r"[a-z0-9]+(?:-[a-z0-9]+)*"
LONGEST_SLUG: Final = 64
LONGEST_NAME: Final = 200
LONGEST_NOTE: Final = 10_000
MOST_TAGS: Final = 20


def name_of(text: str, place: str, *, longest: int = LONGEST_NAME) -> str:
    """A name on one line, without signs that nobody can see."""
    name = text.strip()
    if not name:
        raise RequestError(f"{place}: found nothing, expected a name")
    return _checked(name, place, longest, "Cc", "Zl", "Zp")


def note_of(text: str, place: str) -> str:
    """A note, which may have several lines."""
    plain = text.replace("\r\n", "\n").strip()
    bare = plain.replace("\n", " ").replace("\t", " ")
    _checked(bare, place, LONGEST_NOTE, "Cc")
    return plain


def tags_of(tags: Sequence[str], place: str = "tags") -> list[str]:
    """Tags, each once, in the order given."""
    found = list(dict.fromkeys(name_of(one, place, longest=LONGEST_SLUG) for one in tags))
    if len(found) > MOST_TAGS:
        raise RequestError(f"{place}: found {len(found)}, expected at most {MOST_TAGS}")
    return found


def slug_of(name: str) -> str:
    """Letters and digits of a name that any address can have; empty where it has none."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:LONGEST_SLUG].strip("-")


def free_slug(name: str, wanted: str | None, taken: Callable[[str], bool], other: str) -> str:
    """The address asked for, or one made of the name; ``other`` where it has no letters a-z."""
    if wanted is not None:
        if not re.fullmatch(SLUG, wanted) or len(wanted) > LONGEST_SLUG:
            raise RequestError(
                f"slug: found {wanted!r}, expected letters a-z and digits, joined by '-'"
            )
        if taken(wanted):
            raise ConflictError(f"slug: {wanted} is taken, expected another")
        return wanted
    start = slug_of(name)[: LONGEST_SLUG - 8].strip("-") or other
    names = (start if number == 1 else f"{start}-{number}" for number in count(1))
    return next(one for one in names if not taken(one))


def _checked(text: str, place: str, longest: int, *refused: str) -> str:
    if len(text) > longest:
        raise RequestError(
            f"{place}: found {counted(len(text), 'character')}, expected at most {longest}"
        )
    for sign in text:
        if unicodedata.category(sign) in {*refused, "Cs"}:
            raise RequestError(f"{place}: found the sign U+{ord(sign):04X}, expected plain text")
    return text
