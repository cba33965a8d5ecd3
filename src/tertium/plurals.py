"""Numbers with the nouns that they count."""


def counted(count: int, noun: str) -> str:
    """A number and what it counts.

    >>> counted(1, "segment"), counted(98, "document"), counted(2, "hypothesis")
    ('1 segment', '98 documents', '2 hypotheses')
    """
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {noun.removesuffix('is')}es" if noun.endswith("is") else f"{count} {noun}s"
