"""The examples speak the protocol; heavy packages are stood in for by modules of a few lines."""

import doctest
import json
import re
import shlex
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

import tertium
from tertium import Corpus, System
from tertium.metrics.foreign.command import CommandMetric, stop_programs
from tests.support.commands import output

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples" / "metrics"
CORPUS = Corpus(
    references=[["the cat sat", "a cat sat down"], "two dogs", "nothing"],
    sources=["die Katze saß", "zwei Hunde", "nichts"],
)
SYSTEM = System(name="one", hypotheses=["the cat sat", "two cats", ""])


@pytest.fixture(autouse=True)
def _stopped() -> Iterator[None]:
    yield
    stop_programs()


@pytest.fixture
def standins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules that the examples find before any installed ones."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path


def segments(script: str, *words: str, **options: object) -> list[float]:
    run = " ".join([f'"{sys.executable}"', f'"{EXAMPLES / script}"', *words])
    metric = CommandMetric(run=run, label="Example", **options)  # type: ignore[arg-type]
    found = tertium.evaluate(CORPUS, [SYSTEM], [metric], segments=True)["one"].scores[0].segments
    assert found is not None
    return [round(one, 4) for one in found.tolist()]


def test_ten_lines_are_enough() -> None:
    source = (EXAMPLES / "word_overlap.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 10
    assert "tertium" not in source
    assert segments("word_overlap.py") == [1, 0.5, 0]


def test_the_page_tells_what_is_so() -> None:
    page = ROOT / "docs" / "foreign-scores.md"
    script = (EXAMPLES / "word_overlap.py").read_text(encoding="utf-8")
    assert f"```python\n{script}```" in page.read_text(encoding="utf-8")
    failures, attempts = doctest.testfile(str(page), module_relative=False)
    assert (failures, attempts > 5) == (0, True)


def test_the_sample_of_the_page(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # In the checkout: an installed sample has no examples beside it.
    monkeypatch.chdir(ROOT / "src" / "tertium" / "data" / "sample")
    page = (ROOT / "docs" / "foreign-scores.md").read_text(encoding="utf-8")
    commands = re.findall(r"```text\n\$ (.*?)```", page, flags=re.DOTALL)
    score, cache = (one.replace("\\\n", "").partition("\n") for one in commands)
    shown = output(capsys, *shlex.split(score[0].replace("python3 ", f"{sys.executable} "))[1:])
    assert shown.replace(f"{Path(sys.executable).name} word", "python3 word") == score[2]
    assert output(capsys, "cache").startswith(cache[2])


def test_comet(standins: Path) -> None:
    (standins / "comet.py").write_text(
        """
print("COMET greets on standard output")
from types import SimpleNamespace
def download_model(name):
    return name
def load_from_checkpoint(path):
    def predict(texts, batch_size, progress_bar):
        assert path == "some/model"
        print("and says something at each batch")
        keys = {tuple(text) for text in texts}
        assert keys <= {("src", "mt", "ref"), ("src", "mt")}, keys
        scores = [len(text["mt"]) + len(text.get("ref", "")) for text in texts]
        return SimpleNamespace(scores=scores)
    return SimpleNamespace(predict=predict)
""",
        encoding="utf-8",
    )
    assert segments("comet_score.py", "some/model", source="yes") == [22, 16, 7]
    assert segments("comet_score.py", "some/model", source="yes", references=False) == [11, 8, 0]


@pytest.mark.parametrize(
    ("words", "expected"),
    [((), [1, 0.375, 0]), (("forward",), [1, 0.25, 0]), (("backward",), [1, 0.5, 0])],
)
def test_entailment_in_both_directions(
    standins: Path, words: tuple[str, ...], expected: list[float]
) -> None:
    # A text entails the share of words that it has; what is claimed of cats counts half.
    (standins / "transformers.py").write_text(
        """
print("Transformers greet on standard output")
def pipeline(task, model, top_k):
    assert (task, model, top_k) == ("text-classification", "some/model", None)
    def classify(pairs):
        found = []
        for pair in pairs:
            claim, premise = pair["text_pair"].split(), pair["text"].split()
            known = sum(word in premise for word in claim) / max(1, len(claim))
            score = known * (0.5 if "cats" in claim else 1)
            found.append([{"label": "neutral", "score": 1 - score},
                          {"label": "entailment", "score": score}])
        return found
    return classify
""",
        encoding="utf-8",
    )
    assert segments("entailment_nli.py", "some/model", *words) == expected


def test_metricx(standins: Path) -> None:
    (standins / "metricx24").mkdir()
    (standins / "metricx24" / "__init__.py").write_text("", encoding="utf-8")
    (standins / "metricx24" / "models.py").write_text(
        """
from types import SimpleNamespace
class MT5ForRegression:
    @classmethod
    def from_pretrained(cls, name):
        return cls()
    def to(self, device):
        return self
    def eval(self):
        return self
    def __call__(self, input_ids, attention_mask):
        assert input_ids.shape == attention_mask.shape
        return SimpleNamespace(predictions=float(input_ids.shape[1]))
""",
        encoding="utf-8",
    )
    (standins / "torch.py").write_text(
        """
from contextlib import nullcontext as no_grad
from types import SimpleNamespace
cuda = SimpleNamespace(is_available=lambda: False)
""",
        encoding="utf-8",
    )
    (standins / "transformers.py").write_text(
        """
import numpy
class Array(numpy.ndarray):
    def to(self, device):
        return self
class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, name):
        def cut(text, max_length, truncation, return_tensors):
            words = numpy.zeros((1, len(text.split()) + 1)).view(Array)
            return {"input_ids": words, "attention_mask": words}
        return cut
""",
        encoding="utf-8",
    )
    words = "metricx_score.py", "model", "tokenizer"
    # source: 3 candidate: 3 reference: 3 words, and the three labels
    assert segments(*words, higher="no") == [12, 9, 5]
    assert segments(*words, higher="no", references=False) == [8, 6, 3]


def test_embeddings(standins: Path) -> None:
    (standins / "sentence_transformers.py").write_text(
        """
import numpy
class SentenceTransformer:
    def __init__(self, name):
        print("loading", name)
    def encode(self, texts, normalize_embeddings):
        assert normalize_embeddings
        vectors = numpy.array([[text.count(c) for c in "abcdehnost"] for text in texts], float)
        return vectors / numpy.maximum(1e-9, numpy.linalg.norm(vectors, axis=1, keepdims=True))
def load_model():
    return SentenceTransformer("packaged")
""",
        encoding="utf-8",
    )
    found = segments("embedding_cosine.py", "some/model", encode=True)
    assert (found[0], found[2]) == (1, 0)
    assert 0 < found[1] < 1
    packaged = "package:sentence_transformers"
    assert segments("embedding_cosine.py", packaged, encode=True) == found
    assert segments("embedding_cosine.py", "some/model", "source", encode=True) != found


class _Judge(BaseHTTPRequestHandler):
    """Answers as a service does: in words, with the length of the question, or with nothing."""

    seen: list[tuple[str | None, str]] = []  # noqa: RUF012 - one server, one test

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert (body["model"], body["temperature"]) == ("my-model", 0)
        text = body["messages"][0]["content"]
        self.seen.append((self.headers["Authorization"], text))
        said = "Score: 85." if "cat sat" in text else "I cannot say" if "zwei" in text else "100"
        answer = json.dumps({"choices": [{"message": {"content": said}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


def test_a_judge_behind_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "secret")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with HTTPServer(("127.0.0.1", 0), _Judge) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
        found = segments("llm_judge.py", address, "my-model", source="yes")
        server.shutdown()
    assert str(found) == "[85.0, nan, 100.0]"
    keys, texts = zip(*_Judge.seen, strict=True)
    assert set(keys) == {"Bearer secret"}
    assert "Source: die Katze saß\nReference: the cat sat\nTranslation: the cat sat\n" in texts[0]
