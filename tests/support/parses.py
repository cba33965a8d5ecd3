"""CoNLL-U written for tests."""

from tests.oracles.dependency import Word


def conllu(*sentences: list[Word]) -> str:
    """Sentences of (lemma, head, relation); the form is the lemma in capitals."""
    return "\n\n".join(
        "\n".join(
            "\t".join([str(n), lemma.upper(), lemma, "X", "_", "_", str(head), relation, "_", "_"])
            for n, (lemma, head, relation) in enumerate(sentence, 1)
        )
        for sentence in sentences
    )
