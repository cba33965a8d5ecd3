"""Every kind of input with every flag: an answer, or one line that says what is wrong."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.support.commands import error, output, ran

pytestmark = pytest.mark.slow

FOREST = """# target ||| features ||| source-covered
4 4
# node 0
1
a |||  ||| 0
# node 1
1
b ||| LM0=-1 ||| 0
# node 2
1
c ||| LM0=-2 ||| 0
# node 3
1
[0] [1] [2] ||| LM0=-1 ||| 1
"""
FILES = {
    "nbest": "0 ||| a b ||| lm= -1 ||| -1\n0 ||| a c d ||| lm= -2 ||| -2\n"
    "1 ||| a c ||| lm= -3 ||| -3\n1 ||| a d ||| lm= -3 ||| -4\n",
    "samples": '{"id":0,"hypotheses":["a b","a c d"],"logprobs":[-1,-2]}\n'
    '{"id":1,"hypotheses":["a c","a d"],"logprobs":[-1,-2]}\n',
    "flat": "a b\na c d\na c\na d\n",
    "plf": "((('a',-1,1),),(('b',0,1),('c',-2,1),),)\n((('a',-1,1),),(('c',0,1),('d',-2,1),),)\n",
    "openfst": "0 1 a a 1\n1 2 b b 0\n1 2 c c 2\n2\n\n0 1 a a 1\n1 2 c c 0\n2\n",
    "hypergraph": FOREST + FOREST,
    "travatar-json": '{"nodes": [{}], "edges": [{"head": 0, "trg": [{"words": ["a"]}]}]}\n' * 2,
    "ref": "a b\na c\n",
    "weights": "lm= 1\n",
}
INPUTS = {
    "nbest": ["nbest"],
    "samples": ["samples"],
    "flat": ["flat", "--lines", "2"],
    "plf": ["plf"],
    "openfst": ["openfst"],
    "hypergraph": ["hypergraph"],
    "travatar-json": ["travatar-json"],
    "two kinds": ["nbest", "plf"],
}
FORMATS = ["samples", "flat", "moses", "marian", "travatar"]
FORMATS += ["plf", "openfst", "hypergraph", "travatar-json"]
MBR = """
| --candidates plf | --candidates nbest | --candidates hypergraph | --weights weights | --prune
| --approximate mean-reference | --save-matrix out.npz | --save-matrix out.npy
| --load-matrix good.npz | --load-matrix cut.npz | --load-matrix nan.npz | --load-matrix text.npz
| --load-matrix empty.npz | --load-matrix pickled.npy | --load-matrix nowhere.npz | --load-matrix .
| --utility linear-bleu | --utility linear-bleu --precision nan
| --utility linear-bleu --prune-arcs nan
| --utility grr --all-paths 2 | --utility bleu --all-paths 2 | --utility nist | --utility amber
| --scale nan | --scale -1 | --paths 0 --samples 0 | --evidence n-best | --precision 0.5
| --prune-arcs 3
| -r ref | -r ref -f json | -r nowhere | -r flat | --symbols ref | --trim | --skip-bad
| --fields id,text | --logprobs ref | --side input | --boundary a | -f lines | -f json | --also nist
"""
RERANK = """
--weights weights | --weights ref | --weights good.npz | --weights samples | --weights .
| --add-metric bleu | --add-metric bleu --against references -r ref | --add-metric nan*bleu
| --add-metric nist --against references -r ref | --add-metric nist | --add-metric bleu -f lines
| --add-metric bleu --scale nan | --add-metric bleu -f json | --add-metric bleu -f text -r ref
"""
ORACLE = """
| -r ref | -r ref --weights weights | -r ref -m bleu | -r ref -m nist | -r ref -m ter
| -r ref --band 0 | -r ref --beam 1 | -r ref --k-best 5 | -r ref --curve sizes
| -r ref --curve margins | -r ref --curve sizes --curve-points 0
| -r ref --curve sizes --curve-points nan
| -r ref --curve sizes --curve-points inf | -r ref --curve margins --curve-points nan
| -r ref --curve margins --curve-points -1 | -r ref -m grr[k=0] | -r plf | -r ref -f lines
"""
TUNE = """
| -m bleu ter | -f json | -f moses | --weights weights | --weights ref | --costs | --hold-out 2
| -m nist | --fixed lm | --fixed nothing | --directions 0 | --also nist
| --held-out-input plf --held-out-references ref | --held-out-input nbest --held-out-references ref
"""
INSPECT = """
--inspect | --inspect -f json | --draw 1 | --draw 3 | --inspect --skip-bad | --inspect --trim
| --inspect --symbols nowhere | --inspect --draw 1 | -f json | --draw 1 --lossy
"""


def flags(text: str) -> list[list[str]]:
    return [one.split() for one in text.replace("\n", " ").split("|")]


def cases() -> Iterator[tuple[str, list[str]]]:
    tables = {"mbr": MBR, "rerank": RERANK, "oracle": ORACLE, "convert": INSPECT}
    for command, text in tables.items():
        for files, more in product(INPUTS.values(), flags(text)):
            yield command, [*files, *more]
    for files, more in product(INPUTS.values(), flags(TUNE)):
        yield "tune", ["ref", "-i", *files, "--restarts", "0", *more]
    for files, to in product(INPUTS.values(), FORMATS):
        yield "rerank", [*files, "--add-metric", "bleu", "--to", to]
        for more in ([], ["--lossy", "--best", "2"], ["--lossy", "--combine"]):
            yield "convert", [*files, "--to", to, *more]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    eye = {"0.matrix": np.eye(2), "1.matrix": np.eye(2)}
    np.savez(tmp_path / "good.npz", utility=np.array("bleu"), **eye)  # type: ignore[arg-type]
    np.savez(tmp_path / "nan.npz", **{**eye, "1.matrix": np.full((2, 2), np.nan)})  # type: ignore[arg-type]
    whole = (tmp_path / "good.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.npz").write_text("hello", encoding="utf-8")
    (tmp_path / "empty.npz").touch()
    np.save(tmp_path / "pickled.npy", np.array([{}], dtype=object), allow_pickle=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["mbr", "rerank", "oracle", "convert", "tune"])
def test_an_answer_or_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    answered = 0
    for words in (words for name, words in cases() if name == command):
        captured = ran(capsys, command, *words)  # an exception here is a traceback there
        said = f"{command} {' '.join(words)}: {captured.err}"
        assert captured.status in {0, 2}, said
        if captured.status:
            assert captured.err.count("\n") == 1, said
            said_what = ("expected", "unknown", "would lose", "cannot hold")
            assert any(one in captured.err for one in said_what), said
        else:
            assert "nan" not in captured.out.lower(), said
            answered += 1
    assert answered > 10


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("mbr nbest --candidates plf", "plf: found lattices (format plf), expected n-best lists"),
        ("mbr nbest --load-matrix cut.npz", "cut.npz: File is not a zip file, expected utility"),
        ("mbr nbest --load-matrix nan.npz", "nan.npz: segment 1: found nan in row 0, column 0"),
        ("rerank nbest --add-metric bleu --to plf", "--to: found plf, expected a format of n-best"),
        ("rerank nbest --add-metric bleu --to flat", "would lose scores; features (allow it with"),
        ("rerank plf --add-metric bleu", "plf: found lattices (format plf), expected n-best"),
        (
            "oracle nbest ref --curve sizes --curve-points nan",
            "found NaN or infinity among the points",
        ),
        # Flags that would do nothing.
        ("mbr nbest --precision 0.5", "--precision: found n-best lists, expected lattices or"),
        ("mbr nbest --samples 9", "--samples: found n-best lists, expected lattices or forests"),
        (
            "mbr plf --prune-arcs 5",
            "--prune-arcs: found --utility bleu, expected --utility linear-bleu",
        ),
        ("mbr plf --utility linear-bleu --paths 5", "--paths: found all paths searched by linear"),
        ("mbr plf --utility grr --all-paths 2 --seed 1", "--seed: found --all-paths too"),
        ("mbr hypergraph --utility linear-bleu --prune-arcs 5", "margin: found a forest, expected"),
        ("mbr flat --lines 2 --scale 0.5", "--scale: found lists without scores"),
        ("mbr nbest --also ter", "--also: found no references"),
        ("mbr nbest --matrix-type float32", "--matrix-type: found no --save-matrix"),
        ("mbr nbest --load-matrix good.npz --prune", "--load-matrix: found --prune or --approx"),
        ("oracle plf ref --band 2", "--band: found lattices, expected forests for it"),
        ("oracle nbest ref --beam 2", "--beam: found n-best lists, expected forests for it"),
        ("rerank nbest --weights weights --scale 2", "--scale: found no metric against the lists"),
        ("rerank nbest --weights weights --against list", "--against: found no --add-metric"),
        ("rerank nbest --weights weights -f lines --top 2", "--top: found -f lines"),
        ("rerank nbest --weights weights --also ter", "--also: found -f nbest"),
        ("rerank nbest --weights weights -r ref", "-r: found -f nbest and no --against"),
        ("convert nbest --to samples --best 2", "--best: found n-best lists, expected lattices"),
        ("convert plf --to openfst --best 2", "--best: found format openfst, expected one of n-b"),
        (
            "convert nbest --inspect --trim",
            "trim: found it with format moses, expected it with plf, conf",
        ),
        ("mbr plf --fields id,text", "fields: found it with format plf, expected it with moses"),
        ("oracle nbest ref --boundary x", "boundary: found it with format moses, expected it"),
        ("tune ref -i nbest --state x", "--state: found it with -i, expected it with --decoder"),
        ("tune ref -i nbest --iterations 3", "--iterations: found it with -i, expected it with"),
        # Names that nothing has.
        ("rerank nbest --weights typo", "typo: unknown feature 'lmm'; did you mean 'lm'? known:"),
        ("mbr nbest --weights typo", "typo: unknown feature 'lmm'; did you mean 'lm'? known:"),
        ("oracle nbest ref --weights typo", "typo: unknown feature 'lmm'; did you mean 'lm'?"),
        ("convert nbest --to samples -o x --weights typo", "typo: unknown feature 'lmm'; did you"),
        ("tune ref -i nbest --weights typo", "typo: unknown feature 'lmm'; did you mean 'lm'?"),
    ],
)
def test_what_is_said(
    words: str, message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "typo").write_text("lm= 1\nlmm= 2\n", encoding="utf-8")
    written = "rerank nbest --weights typo"  # lists are written as they come
    if words == written:
        found = ran(capsys, *words.split())
        assert found.status == 2
        assert message in found.err
    else:
        assert message in error(capsys, *words.split())


@pytest.mark.usefixtures("folder")
def test_what_tune_writes_is_read_as_weights(capsys: pytest.CaptureFixture[str]) -> None:
    found = output(capsys, "tune", "ref", "-i", "nbest", "--restarts", "0", "-f", "json")
    Path("tuned.json").write_text(found, encoding="utf-8")
    weights = json.loads(found)["tuned"][0]["weights"]
    Path("plain.json").write_text(json.dumps(weights), encoding="utf-8")
    words = ["rerank", "nbest", "--weights"]
    assert output(capsys, *words, "tuned.json") == output(capsys, *words, "plain.json")
    two = output(capsys, "tune", "ref", "-i", "nbest", "-m", "bleu", "wer", "-f", "json")
    Path("two.json").write_text(two, encoding="utf-8")
    said = error(capsys, *words, "two.json")
    assert "two.json: found weights for bleu[tokenizer=none], wer[tokenizer=none], expe" in said


@pytest.mark.usefixtures("folder")
def test_sparse_features_of_other_segments_may_be_absent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("sparse").write_text("0 ||| a ||| lm= -1 Pair_a_b= 1 ||| -1\n", encoding="utf-8")
    Path("w").write_text("lm= 1\nPair_c_d= 2\n", encoding="utf-8")
    assert output(capsys, "rerank", "sparse", "--weights", "w", "-f", "lines") == "a\n"
    Path("w").write_text("lm= 1\nPear_c_d= 2\n", encoding="utf-8")
    assert "unknown feature 'Pear_c_d'" in error(
        capsys, "rerank", "sparse", "--weights", "w", "-f", "lines"
    )
