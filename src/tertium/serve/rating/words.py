"""The state of a campaign in a sentence."""

from collections.abc import Sequence

from tertium.meta.ratings.standing import Standings


def headline(found: Standings) -> str:
    """Who is rated highest, as far as the ratings tell, and over which unit that was tested.

    >>> headline(Standings())
    'No ratings yet.'
    """
    if not len(found) or found.basis is None:
        return "No ratings yet."
    if len(found) == 1:
        return f"{found[0].system} is the only system with ratings."
    best = [one.system for one in found if one.cluster == 1]
    tested = f"significant by {found.basis.unit}s"
    if len(best) == 1:
        return f"{best[0]} is rated higher than every other system ({tested})."
    if len(best) == len(found):
        return (
            f"{found[0].system} leads, but the ratings do not yet tell a group from the rest by "
            f"{found.basis.unit}s."
        )
    others = len(found) - len(best)
    rest = "the other" if others == 1 else f"the other {others}"
    return f"{_joined(best)} are each rated higher than {rest} ({tested})."


def _joined(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
