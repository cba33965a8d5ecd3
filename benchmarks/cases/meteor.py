"""METEOR 1.5 with all its tables: whole commands, loading included."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from case import Case, Command, Peer

from cases.commands import TERTIUM


def jar() -> str:
    """The jar inside the package that also brings the tables."""
    spec = find_spec("pycocoevalcap")
    folders = (spec.submodule_search_locations or []) if spec else []
    return str(Path(*folders[:1]) / "meteor" / "meteor-1.5.jar")


CASES: Final = (
    Case(
        name="meteor",
        title="tertium score -m meteor",
        ours=Command(
            words=(*TERTIUM, "score", "{references}", "-i", "{hypotheses}", "-m", "meteor")
        ),
        peers=(
            Peer(
                name="java -jar meteor-1.5.jar",
                work=Command(
                    words=(
                        *("java", "-Xmx2G", "-jar", jar()),
                        *("{hypotheses}", "{references}", "-l", "en", "-norm"),
                    )
                ),
                at_least=1,
                same_score=False,
            ),
        ),
        sizes=(3_000,),
    ),
)
