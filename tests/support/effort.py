"""How hard property tests try."""

from hypothesis import settings


def examples(most: int) -> int:
    """So many examples of a property, but no more than the few of `make check` when that runs."""
    quick = settings.get_current_profile_name() == "quick"
    return min(most, settings().max_examples) if quick else most
