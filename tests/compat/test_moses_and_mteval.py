"""``tertium mteval``, ``--format multi-bleu`` and ``compat.torchnlp`` beside the programs."""

import re
from html import escape
from pathlib import Path

import numpy as np
import pytest

from tertium.compat.torchnlp import get_moses_multi_bleu
from tests.support.commands import Outcome, ran
from tests.support.golden import lines, read_golden

SYSTEMS = ("GPT4-5shot", "ONLINE-B")


def write_set(path: Path, kind: str, columns: dict[str, list[str]]) -> str:
    """One SGML set with two documents, the second of three segments."""
    written = [f'<{kind} setid="heen" srclang="Hebrew" trglang="English">']
    for name, texts in columns.items():
        label = "" if kind == "srcset" else f' sysid="{name}"'
        for document, part in (("a", texts[:-3]), ("b", texts[-3:])):
            written.append(f'<doc docid="{document}"{label}>')
            written += [
                f'<seg id="{i}">{escape(t, quote=False)}</seg>' for i, t in enumerate(part, 1)
            ]
            written.append("</doc>")
    written.append(f"</{kind}>")
    path.write_text("\n".join(written), encoding="utf-8")
    return str(path)


def mteval(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    columns: dict[str, list[str]],
    system: list[str],
    *flags: str,
) -> Outcome:
    """The report on one system, called S."""
    words = [
        *("-r", write_set(folder / "ref.sgm", "refset", columns)),
        *("-s", write_set(folder / "src.sgm", "srcset", {"": system})),
        *("-t", write_set(folder / "tst.sgm", "tstset", {"S": system})),
    ]
    done = ran(capsys, "mteval", *words, *flags)
    assert done.status == 0, done.err
    return done


REPORT = """\
MT evaluation scorer began on DATE at TIME
command line:  COMMAND
  Evaluation of Hebrew-to-English translation using:
    src set "heen" (2 docs, 4 segs)
    ref set "heen" (1 refs)
    tst set "heen" (1 systems)

length ratio: 1 (20/20), penalty (log): 0
NIST score = 4.3219  BLEU score = 1.0000 for system "S"

# ------------------------------------------------------------------------

Individual N-gram scoring
        1-gram   2-gram   3-gram   4-gram   5-gram   6-gram   7-gram   8-gram   9-gram
        ------   ------   ------   ------   ------   ------   ------   ------   ------
 NIST:  4.3219   0.0000   0.0000   0.0000   0.0000   0.0000   0.0000   0.0000   0.0000  "S"

 BLEU:  1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000  "S"

# ------------------------------------------------------------------------
Cumulative N-gram scoring
        1-gram   2-gram   3-gram   4-gram   5-gram   6-gram   7-gram   8-gram   9-gram
        ------   ------   ------   ------   ------   ------   ------   ------   ------
 NIST:  4.3219   4.3219   4.3219   4.3219   4.3219   4.3219   4.3219   4.3219   4.3219  "S"

 BLEU:  1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000   1.0000  "S"
MT evaluation scorer ended on DATE at TIME
"""


def test_report_has_the_layout_of_mteval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # 20 words that stand once tell log2(20) bits each, and what follows a word tells nothing more.
    texts = ["a b c d e f g", "h i j k", "l m n o p", "q r s t"]
    done = mteval(capsys, tmp_path, {"R": texts}, texts)
    shown = re.sub(r"\d{4} \w{3} \d+ at \d\d:\d\d:\d\d", "DATE at TIME", done.out)
    shown = re.sub(r"(command line:  ).*", r"\1COMMAND", shown)
    assert shown == REPORT


@pytest.mark.shared
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("count", "suffix"), [(1, "-1ref"), (2, "")])
@pytest.mark.parametrize(
    ("flags", "bleu", "nist"),
    [
        (["-c"], "BLEU.closest.smooth.cased", "NIST.cased"),
        (["-c", "--no-smoothing"], "BLEU.closest.nosmooth.cased", None),
        (["-c", "--brevity-penalty", "shortest"], "BLEU.shortest.smooth.cased", None),
        ([], "BLEU.closest.smooth.lc", "NIST.lc"),
        (["-c", "--international-tokenization"], "BLEU.closest.smooth.cased.intl", None),
    ],
)
def test_tables_and_files_are_those_of_mteval(
    shared_oracles: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    system: str,
    count: int,
    suffix: str,
    flags: list[str],
    bleu: str,
    nist: str | None,
) -> None:
    root = shared_oracles / "heen"
    golden = read_golden(root, f"mteval-v13a{suffix}.{system}")
    if bleu not in golden.corpus:
        pytest.skip(f"{bleu} was not measured")
    columns = {f"R{i}": lines(root / f"ref.{i}.txt") for i in range(count)}
    hypotheses = lines(root / f"hyp.{system}.txt")
    monkeypatch.chdir(tmp_path)
    done = mteval(capsys, tmp_path, columns, hypotheses, *flags, "--metricsMATR-output")
    for kind, measure in (("BLEU", bleu), ("NIST", nist)):
        if measure is None:
            continue
        for rows, name in zip(
            re.findall(rf"^ {kind}: .*$", done.out, re.MULTILINE), ("ind", "cum"), strict=True
        ):
            printed = rows.split()[1:-1]
            expected = [golden.corpus.get(f"{measure}.{name}{n}") for n in range(1, 10)]
            assert expected in (printed, [None] * 9)
        files = {
            part: (tmp_path / f"{kind}-{part}.scr").read_text().split("\n")
            for part in ("sys", "seg")
        }
        value = float(files["sys"][0].split("\t")[-1])
        assert value == pytest.approx(float(golden.corpus[measure]), abs=1e-12)
        if measure in golden.segments:
            values = [float(line.split("\t")[-1]) for line in files["seg"] if line]
            np.testing.assert_allclose(values, golden.column(measure), atol=1e-9)
    if log_penalty := golden.corpus.get(f"{bleu}.log_bp"):
        found = re.search(r"\((\d+)/(\d+)\), penalty \(log\): (\S+)", done.out)
        assert found is not None
        assert [found[1], found[2]] == [golden.corpus[f"{bleu}.{n}_len"] for n in ("hyp", "ref")]
        assert float(found[3]) == pytest.approx(float(log_penalty), abs=1e-12)


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        (["-d", "2"], "-d: found 2, expected 0 (--metricsMATR-output writes"),
        (["-e"], "-e: found, expected none"),
    ],
)
def test_flags_that_are_not_offered_say_what_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: list[str], message: str
) -> None:
    path = write_set(tmp_path / "set.sgm", "refset", {"R": ["a", "b", "c", "d"]})
    done = ran(capsys, "mteval", "-r", path, "-s", path, "-t", path, *flag)
    assert done.status == 2
    assert message in done.err


@pytest.mark.shared
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("count", "suffix"), [(1, "-1ref"), (2, "")])
@pytest.mark.parametrize(("case", "flags"), [("cased", []), ("lc", ["-lc"])])
def test_multi_bleu_line_is_that_of_the_script(
    shared_oracles: Path,
    capsys: pytest.CaptureFixture[str],
    system: str,
    count: int,
    suffix: str,
    case: str,
    flags: list[str],
) -> None:
    root = shared_oracles / "heen-tok"
    golden = read_golden(root, f"multi-bleu{suffix}.{system}").corpus
    measure = f"BLEU.{case}"
    value = {
        name: golden[f"{measure}.{name}"]
        for name in ("p1", "p2", "p3", "p4", "bp", "ratio", "hyp_len", "ref_len")
    }
    expected = (
        f"BLEU = {golden[measure]}, {value['p1']}/{value['p2']}/{value['p3']}/{value['p4']} "
        f"(BP={value['bp']}, ratio={value['ratio']}, hyp_len={value['hyp_len']}, "
        f"ref_len={value['ref_len']})\n"
    )
    references = [str(root / f"ref.{i}.txt") for i in range(count)]
    hypotheses = str(root / f"hyp.{system}.txt")
    words = [*references, "-i", hypotheses, "-tok", "none", "-s", "none", *flags]
    done = ran(capsys, "score", *words, "-f", "multi-bleu")
    assert done.out == expected
    if count == 1:
        found = get_moses_multi_bleu(
            lines(Path(hypotheses)), lines(Path(references[0])), case == "lc"
        )
        assert found == np.float32(golden[measure])


def test_multi_bleu_line_is_of_bleu_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a"
    path.write_text("a b\n")
    done = ran(capsys, "score", str(path), "-i", str(path), "-m", "chrf", "-f", "multi-bleu")
    assert done.status == 2
    assert "found chrf, expected bleu of order 4" in done.err


def test_no_hypotheses_are_0_for_torchnlp() -> None:
    assert get_moses_multi_bleu([], []) == np.float32(0)
