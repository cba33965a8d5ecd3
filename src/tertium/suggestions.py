"""Helpful words for a name that does not exist."""

from collections.abc import Iterable


def did_you_mean(kind: str, name: str, known: Iterable[str]) -> str:
    """Say what is unknown, what is near it and what there is.

    >>> did_you_mean("metric", "blue", ["bleu", "wer"])
    "unknown metric 'blue'; did you mean 'bleu'? known: bleu, wer"
    """
    from difflib import get_close_matches

    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    hint = f" did you mean '{near[0]}'?" if near else ""
    return f"unknown {kind} '{name}';{hint} known: {', '.join(names)}"
