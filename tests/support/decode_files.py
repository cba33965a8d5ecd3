"""Small files of every format, as text, and what to do with them in tests."""

from typing import Any

from tertium.decode import Damages, Forest, FormatOptions, Lattice, format_named
from tertium.text.files import TextFile

FOREST = """# target ||| features ||| source-covered
3 4
# node 0
1
<s> |||  ||| 0
# node 1
2
[0] the house ||| LM0=-3.5 LM0=1 ||| 1
[0] a ||| LM0=-2 tm=0.5 ||| 1
# node 2
1
[1] </s> |||  ||| 2
"""

GOOD = {
    "moses": "7 ||| good",
    "samples": '{"id": 7, "hypotheses": ["good"]}',
    "plf": "((('good',0,1),),)",
    "openfst": "\n0 1 good good\n1",
    "hypergraph": "# target ||| features\n1 1\n1\ngood |||",
    "travatar-json": '{"nodes": [{}], "edges": [{"head": 0, "trg": [{"words": ["good"]}]}]}',
}


def file_of(text: str | bytes, name: str = "in.txt") -> TextFile:
    return TextFile(name=name, data=text if isinstance(text, bytes) else text.encode())


def read_text(text: str | bytes, name: str, options: FormatOptions | None = None) -> list[Any]:
    return list(format_named(name, options).read(file_of(text), Damages()))


def written(structures: list[Any], name: str) -> str:
    return "".join(format_named(name).write(structures))


def paths(structure: Lattice | Forest) -> list[tuple[str, float]]:
    return sorted((path.text, path.score) for path in structure.paths())
