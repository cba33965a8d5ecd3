"""A corpus, its systems and people's ratings of them, made to go together."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tertium.errors import InputError, OptionError
from tertium.meta.agreement.metric_scores import systems_as_rated
from tertium.meta.ratings.judgments import Judgments
from tertium.meta.ratings.omission import copies_of_references, without
from tertium.text.corpus import Corpus, System


class RatedTexts(NamedTuple):
    """Systems go by their rated names; the ratings are of one language pair."""

    corpus: Corpus
    systems: tuple[System, ...]
    judgments: tuple[Judgments, ...]


def rated_texts(
    corpus: Corpus,
    systems: Sequence[System],
    judgments: Sequence[Judgments],
    *,
    names: Mapping[str, str] | None = None,
    include_references: bool = False,
) -> RatedTexts:
    """The systems that were rated, and the ratings of them.

    ``names`` are rated names by those of the systems, where they do not show it themselves. Output
    that equals a reference is left out, and that is stated, unless ``include_references``.
    """
    pairs = list(dict.fromkeys(one.name for one in judgments))
    if len(pairs) > 1:
        raise OptionError(
            f"--ratings: found {', '.join(pairs)}, expected one of them for these texts: --pair"
        )
    renamed = systems_as_rated(systems, judgments, names)
    rated = tuple(judgments)
    if not include_references:
        copies = copies_of_references(corpus, renamed)
        rated = tuple(without(one, copies) for one in rated)
    left_out = {name for one in rated for name in one.omitted}
    kept = tuple(one for one in renamed if one.name not in left_out)
    if not kept:
        raise InputError(
            f"systems: found only {', '.join(sorted(left_out))}, which are left out, expected "
            "others, or --include-references"
        )
    return RatedTexts(corpus=corpus, systems=kept, judgments=rated)
