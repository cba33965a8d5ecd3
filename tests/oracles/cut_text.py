"""Where tokens end inside of a text, a character at a time."""

from collections.abc import Sequence


def cut_text(text: str, words: Sequence[str]) -> str:
    """The words with a space or a unit separator between them, as the text has a blank or none."""
    plain = text.replace("\x1f", " ")
    parts: list[str] = []
    place = 0
    for word in words:
        start = place
        while start < len(plain) and plain[start].isspace():
            start += 1
        if not plain.startswith(word, start):
            return " ".join(words)
        if parts:
            parts.append(" " if start > place else "\x1f")
        parts.append(word)
        place = start + len(word)
    return "".join(parts) if not plain[place:].strip() else " ".join(words)
