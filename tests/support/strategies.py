"""Random text for property tests: few distinct words, so that much matches."""

from hypothesis import strategies as st

words = st.sampled_from(["a", "b", "c", "d", "the", "cat", "sat", "on", "mat", "naïve"])
sentences = st.lists(words, max_size=14)


@st.composite
def segment(draw: st.DrawFn, min_words: int = 0) -> tuple[list[str], list[list[str]]]:
    """A hypothesis and one to three references."""
    sentence = st.lists(words, min_size=min_words, max_size=14)
    return draw(sentence), draw(st.lists(sentence, min_size=1, max_size=3))


corpora = st.lists(segment(min_words=1), min_size=1, max_size=8)


def joined(
    segments: list[tuple[list[str], list[list[str]]]],
) -> tuple[list[str], list[list[str]]]:
    """The corpus as strings: hypotheses, and [segment][reference]."""
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in segments]
    references = [[" ".join(words) for words in references] for _, references in segments]
    return hypotheses, references
