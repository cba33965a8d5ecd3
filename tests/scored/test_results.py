"""Results show themselves to people, notebooks and programs."""

import json
import re
import sys
from dataclasses import FrozenInstanceError

import pytest

import tertium
from tertium.errors import MissingExtraError
from tertium.installation import install_hint
from tertium.text.corpus import Corpus, System
from tertium.text.references import References, column_of

HYPOTHESES = ["the cat sat on the mat", "<b>yes</b>"]
REFERENCES = ["the cat sat on a mat", "<b>yes</b>"]


@pytest.fixture
def evaluation() -> tertium.Evaluation:
    corpus = Corpus(references=References.of(REFERENCES), name="references", genres=("news", "web"))
    system = System(name="<i>one</i>", hypotheses=column_of(HYPOTHESES, "one"))
    return tertium.evaluate(corpus, [system], ["bleu", "wer"], by="genre")


def test_a_score_is_frozen_and_shows_itself() -> None:
    score = tertium.score(HYPOTHESES, REFERENCES, "wer[tokenizer=none]", segments=True)
    assert repr(score) == "<wer[tokenizer=none]: 14.29>"
    assert f"{score:.3f}" == "14.286"
    assert float(score) == score.value
    assert str(score).startswith("WER|nrefs:1|case:mixed|tok:none|version:tertium-")
    with pytest.raises(FrozenInstanceError):
        score.value = 0.0  # type: ignore[misc]


def test_dictionaries_are_json(evaluation: tertium.Evaluation) -> None:
    whole = json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))
    bleu, wer = whole["systems"][0]["scores"]
    assert wer["slices"]["web"]["score"] == 0.0
    assert bleu["statistics"]["hypothesis_length"] == bleu["statistics"]["reference_length"]
    assert evaluation["<i>one</i>"].scores[1].value == wer["score"]


def test_notebooks_get_escaped_tables(evaluation: tertium.Evaluation) -> None:
    shown = evaluation._repr_html_()
    assert "&lt;i&gt;one&lt;/i&gt;" in shown
    assert "<i>" not in shown
    assert "BLEU" in tertium.score(HYPOTHESES, REFERENCES)._repr_html_()


def test_data_frames(evaluation: tertium.Evaluation) -> None:
    frame = evaluation.to_dataframe()
    assert frame["slice"].tolist() == ["", "news", "web"] * 2
    segments = tertium.score(HYPOTHESES, REFERENCES, "wer", segments=True).to_dataframe()
    assert segments["segment"].tolist() == [1, 2]
    assert len(tertium.score(HYPOTHESES, REFERENCES).to_dataframe()) == 1


def test_without_pandas(evaluation: tertium.Evaluation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=re.escape(install_hint("pandas"))):
        evaluation.to_dataframe()
