"""AMBER with its defaults: three text types, three matchings."""

from typing import Final

from case import Case, Peer

from cases.families import bleu, our_score


def amber(hypotheses: list[str], references: list[str]) -> float:
    """Our AMBER."""
    return our_score("amber", hypotheses, references)


CASES: Final = (
    Case(
        name="amber",
        title="AMBER, strings",
        ours=amber,
        peers=(
            Peer(
                name="our BLEU",
                work=bleu,
                at_least=1 / 25,
                same_score=False,
                uses_our_threads=True,
            ),
        ),
        sizes=(3_000,),
    ),
)
