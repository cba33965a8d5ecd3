"""The state of a campaign in a sentence."""

from collections.abc import Sequence

from tertium.meta.ratings.standing import Standing


def headline(found: Sequence[Standing]) -> str:
    """Who leads, as far as the ratings tell.

    >>> headline(())
    'No ratings yet.'
    """
    if not found:
        return "No ratings yet."
    if len(found) == 1:
        return f"{found[0].system} is the only system with ratings."
    best = [one.system for one in found if one.cluster == 1]
    if len(best) == 1:
        return f"{best[0]} is best: significantly better than every other system."
    if len(best) == len(found):
        return (
            f"{found[0].system} leads, but the ratings do not yet tell a group of better systems "
            "from the rest."
        )
    others = len(found) - len(best)
    rest = "the other" if others == 1 else f"the other {others}"
    return f"{_joined(best)} are the best group: each is significantly better than {rest}."


def _joined(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
