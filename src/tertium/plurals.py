"""Numbers with the nouns that they count."""


def counted(count: int, noun: str) -> str:
    """A number and what it counts.

    >>> counted(1, "segment"), counted(98, "document")
    ('1 segment', '98 documents')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
