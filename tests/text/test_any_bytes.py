"""Every reader of a file takes any bytes: it gives a value, or one line that says what is wrong."""

import gzip
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.metrics.foreign.score_files import read_scores as read_score_file
from tertium.scored import Scored, scored
from tertium.text.input_files import read_systems
from tests.support.effort import examples
from tests.support.readers import NAMED, PIECES, READERS, WHOLE, matrices, refusal, text


@st.composite
def changed(draw: st.DrawFn) -> bytes:
    """A file that was whole, with places written over, or cut off, or compressed."""
    data = draw(st.sampled_from(WHOLE)) * draw(st.integers(1, 2))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(data)))
        piece = draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=2)))
        data = data[:place] + piece + data[place + draw(st.integers(0, 4)) :]
    match draw(st.integers(0, 9)):
        case 0:
            return gzip.compress(data, mtime=0)[: draw(st.integers(0, 60))]
        case 1:
            return data[: draw(st.integers(0, len(data)))]
        case _:
            return data


ANY = st.one_of(
    changed(),
    changed(),
    st.lists(st.sampled_from(PIECES), max_size=12).map(b"".join),
    st.binary(max_size=60),
)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=examples(100), deadline=None)
@given(data=ANY)
def test_any_bytes_are_a_value_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.bytes"
    said = refusal(READERS[name], path, data)
    assert "\n" not in said
    assert len(said) < 2000


@pytest.mark.parametrize("name", NAMED)
@settings(max_examples=examples(100), deadline=None)
@given(data=ANY)
def test_any_bytes_of_a_name_are_a_value_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    said = refusal(NAMED[name], path, data)
    assert "\n" not in said
    assert len(said) < 2000


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Whole Parquet files: texts, scores, statistics."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("parquet")
    texts = {"reference": ["a b", "c"], "hypothesis": ["a", "猫"], "system": ["A", "A"]}
    parquet.write_table(arrow.table(texts), folder / "texts.parquet")
    scores = {"system": ["A", "A"], "segment": [1, 2], "score": [0.5, 0.25]}
    parquet.write_table(arrow.table(scores), folder / "scores.parquet")
    corpus = tertium.Corpus(references=["a b", "c"], documents=["d", "e"])
    systems = [tertium.System(name="A", hypotheses=["a", "c"])]
    scored(corpus, systems, ["bleu", "ter"]).save(folder / "statistics.parquet")
    return [path.read_bytes() for path in sorted(folder.iterdir())]


@pytest.mark.parametrize(
    "read",
    [partial(text, format="parquet"), read_systems, read_score_file, matrices, Scored.load],
    ids=["text", "systems", "scores", "matrices", "statistics"],
)
@settings(max_examples=examples(150), deadline=None)
@given(data=st.data())
def test_damaged_parquet_is_a_value_or_one_line(
    tmp_path_factory: pytest.TempPathFactory,
    tables: list[bytes],
    read: Callable[[str], object],
    data: st.DataObject,
) -> None:
    whole = bytearray(data.draw(st.sampled_from(tables)))
    for _ in range(data.draw(st.integers(0, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    kept = data.draw(st.one_of(st.just(len(whole)), st.integers(0, len(whole))))
    path = tmp_path_factory.getbasetemp() / "damaged.parquet"
    assert "\n" not in refusal(read, path, bytes(whole[:kept]))
