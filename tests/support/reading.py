"""Files written and read back, for the tests of reading."""

from itertools import chain
from pathlib import Path

from tertium.text.corpus import Chunk
from tertium.text.inputs import Inputs

LABELS = ("documents", "genres", "ids")


def written(path: Path, content: bytes | str) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def hypotheses(chunk: Chunk) -> list[list[str | None]]:
    return [system.hypotheses.to_list() for system in chunk.systems]


def references(chunk: Chunk) -> list[list[str | None]]:
    return [column.to_list() for column in chunk.corpus.references.columns]


def joined(inputs: Inputs, segments: int) -> dict[str, object]:
    """What the chunks give, put together again."""
    chunks = list(inputs.chunks(segments))
    assert all(len(chunk) == segments for chunk in chunks[:-1])
    whole: dict[str, object] = {
        kind: [list(chain.from_iterable(parts)) for parts in zip(*map(read, chunks), strict=True)]
        for kind, read in (("hypotheses", hypotheses), ("references", references))
    }
    for kind in LABELS:
        whole[kind] = list(chain.from_iterable(getattr(c.corpus, kind) or () for c in chunks))
    return whole
