"""``tertium meta`` as users meet it."""

import json
import re
from pathlib import Path

import pytest

import tertium
from tertium.choices import RATING_FORMATS
from tertium.cli.demo import SAMPLE
from tertium.cli.meta import flags as meta_flags
from tertium.cli.meta.command import ACTIONS
from tertium.meta import (
    RatedSet,
    agreement_report,
    judge_report,
    metric_scores,
    read_judgments,
    read_ratings,
)
from tertium.meta.agreement.permutation_test import permutation_test
from tertium.plain import json_text
from tertium.scored import scored
from tertium.text.input_files import open_inputs
from tests.support.commands import error, json_output, output

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
RATINGS = ["--ratings", str(SAMPLE / "ratings.tsv")]
TEXTS = [*REFERENCES, "-i", *SYSTEMS, *RATINGS]
QUICK = ["--resample", "none"]


def test_the_help_names_every_format() -> None:
    for name in RATING_FORMATS[1:]:
        assert f"\n  {name} " in meta_flags.RATINGS_HELP


def test_without_an_action_the_help_names_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "meta")
    for name, (_, line) in ACTIONS.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", shown, re.MULTILINE)


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_has_help_with_an_example(
    capsys: pytest.CaptureFixture[str], action: str
) -> None:
    shown = output(capsys, "meta", action, "--help")
    assert f"  tertium meta {action} " in shown.partition("examples:")[2]


class TestAgree:
    def test_json_is_what_python_gives(self, capsys: pytest.CaptureFixture[str]) -> None:
        flags = ["-m", "bleu", "ter", "--trials", "50", "--seed", "3", "--resample", "both"]
        shown = json_output(capsys, "meta", "agree", *TEXTS, *flags)
        whole = open_inputs(REFERENCES, SYSTEMS).load()
        texts = scored(whole.corpus, whole.systems, ["bleu", "ter"])
        report = agreement_report(
            [
                RatedSet.of(one, texts)
                for one in read_judgments(SAMPLE / "ratings.tsv", segments=92)
            ],
            resample="both",
            trials=50,
            seed=3,
        )
        assert shown == json.loads(json_text(report.to_dict()))
        bleu = shown["agreements"][0]
        assert (bleu["metric"], bleu["criterion"], len(bleu["systems"])) == ("bleu", "adequacy", 5)
        assert "interval" in bleu["measures"][0]

    def test_the_licensed_metric_is_wrong_about_birch(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shown = output(
            capsys, "meta", "agree", *TEXTS, "-m", "bleu", "bleu-sbp", *QUICK,
            "--criterion", "adequacy", "--measures", "accuracy", "kendall",
        )  # fmt: skip
        rows = [line.split() for line in shown.splitlines()]
        assert ["bleu", "5", "0.900", "0.800"] in rows
        assert ["bleu-sbp", "5", "1.000", "1.000"] in rows
        assert "ratings.tsv adequacy: 260 ratings under other criteria (such as fluency)" in shown
        assert "Williams" not in shown  # what was asked for is what is tested

    def test_z_scores_say_whom_they_leave_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown = output(capsys, "meta", "agree", *TEXTS, "-m", "bleu", *QUICK, "--z-scores")
        assert "1 rating by judges who gave only one, no z-score (such as judge-4)" in shown
        assert "no test between metrics: one metric, expected two or more" in shown

    def test_latex_has_a_table_for_each_on_the_screen(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shown = output(capsys, "meta", "agree", *TEXTS, "-m", "bleu", "chrf", *QUICK, "-f", "latex")
        assert shown.count("\\begin{tabular}") == shown.count("\\end{tabular}") == 6
        assert "Kendall $\\tau$-b & " in shown
        assert "% ratings.tsv adequacy, Williams' test" in shown
        assert not re.search("[τρκα]", shown)

    def test_names_can_be_given(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        ratings = tmp_path / "r.tsv"
        ratings.write_text("system\trating\nA\t1\nbirch\t2\ncedar\t3\nX\t4\n", encoding="utf-8")
        names = tmp_path / "names.tsv"
        names.write_text("alder\tA\n", encoding="utf-8")
        words = [*REFERENCES, "-i", *SYSTEMS, "--ratings", str(ratings), *QUICK]
        shown = output(capsys, "meta", "agree", *words, "--names-file", str(names))
        assert "1 system without a score (such as X)" in shown
        assert "2 systems without a rating (such as dogwood)" in shown
        assert error(capsys, "meta", "agree", *words).startswith(
            "tertium: r.tsv rating, bleu: found 2 systems with rating and score, expected at least"
        )

    def test_plots_are_written(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        pytest.importorskip("plotly")
        words = ["agree", *TEXTS, *QUICK, "--criterion", "adequacy"]
        output(capsys, "meta", *words, "-m", "bleu", "--plot", str(tmp_path / "one.html"))
        output(
            capsys,
            "meta",
            *words,
            "-m",
            "bleu",
            "grr[alpha=2]",
            "--plot",
            str(tmp_path / "two.html"),
        )
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            "one.html",
            "two-ratings.tsv-adequacy-bleu.html",
            "two-ratings.tsv-adequacy-grr_alpha=2.0_.html",
        ]

    @pytest.mark.parametrize("kind", ["heat-map", "systems"])
    def test_other_plots(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
    ) -> None:
        pytest.importorskip("plotly")
        words = ["-m", "bleu", "chrf", "--plot", str(tmp_path / "x.html"), "--plot-kind", kind]
        output(capsys, "meta", "agree", *TEXTS, *QUICK, *words, "--trials", "20")
        names = ["x.html"]
        if kind == "systems":
            names = ["x-ratings.tsv-adequacy.html", "x-ratings.tsv-fluency.html"]
        assert sorted(path.name for path in tmp_path.iterdir()) == names

    def test_permutation_tests_are_by_request(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ["agree", *TEXTS, *QUICK, "-m", "bleu", "chrf", "--criterion", "adequacy"]
        assert "permutation" not in output(capsys, "meta", *words)
        words += ["--permute", "both", "--trials", "99"]
        assert "permutation test of Pearson r (permuting both, PERM-BOTH, 99 trials)" in output(
            capsys, "meta", *words
        )
        (tests,) = json_output(capsys, "meta", *words)["tests"]
        found = tests["permutations"][0]
        whole = open_inputs(REFERENCES, SYSTEMS).load()
        bleu, chrf = metric_scores(scored(whole.corpus, whole.systems, ["bleu", "chrf"]))
        (rated,) = read_judgments(SAMPLE / "ratings.tsv", criteria=["adequacy"])
        ahead, behind = (1, 0) if found["agreements"][1] > found["agreements"][0] else (0, 1)
        assert found["p_values"][behind][ahead] is None
        assert bleu.segments is not None
        assert chrf.segments is not None
        segments = (bleu.segments, chrf.segments)
        expected = permutation_test(
            rated.values, segments[behind], segments[ahead], exchange="both", trials=99, seed=12345
        )
        assert found["p_values"][ahead][behind] == expected.p_value

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (RATINGS, "found neither REF nor --scores, expected one"),
            ([*TEXTS, "--scores", "s"], "s: no such file or directory, expected a readable file"),
            (
                [*RATINGS, "--scores", "s", "-i", "x"],
                "--input: found without REF, expected with it",
            ),
            (
                [*TEXTS, "--lower-is-better", "x"],
                "--lower-is-better: found without --scores alone, expected with them",
            ),
            ([*TEXTS, "--plot", "x.txt"], "--plot: found 'x.txt', expected a name that ends in"),
            ([*TEXTS, "--measures", "person"], "did you mean 'pearson'?"),
            ([*TEXTS, "-m", "blue"], "did you mean 'bleu'?"),
            ([*TEXTS, "--criterion", "style"], "expected some of the files' pairs"),
        ],
    )
    def test_mistakes_are_one_line(
        self, capsys: pytest.CaptureFixture[str], words: list[str], message: str
    ) -> None:
        said = error(capsys, "meta", "agree", *words)
        assert message in said
        assert "\n" not in said

    def test_ratings_beyond_the_text_are_refused(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        ratings = tmp_path / "r.tsv"
        ratings.write_text("system\tsegment\trating\nalder\t93\t1\n", encoding="utf-8")
        said = error(
            capsys, "meta", "agree", *REFERENCES, "-i", *SYSTEMS, "--ratings", str(ratings)
        )
        assert said == f"tertium: {ratings}:2: segment 93, expected 1 to 92"

    def test_one_language_pair_goes_with_texts(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        ratings = tmp_path / "r.tsv"
        ratings.write_text(
            "pair\tsystem\trating\nde-en\talder\t1\nfr-en\telm\t1\n", encoding="utf-8"
        )
        said = error(
            capsys, "meta", "agree", *REFERENCES, "-i", *SYSTEMS, "--ratings", str(ratings)
        )
        assert "--ratings: found de-en, fr-en, expected one of them for these texts: --pair" in said


class TestPublishedScores:
    def write(self, folder: Path, name: str, *rows: str) -> str:
        path = folder / name
        path.write_text("METRIC\tLP\tTESTSET\tSYSTEM\tSCORE\n" + "\n".join(rows) + "\n", "utf-8")
        return str(path)

    def test_pairs_without_a_partner_are_stated(
        self, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        humans = self.write(
            tmp_path, "h", *(f"HUMAN\t{pair}\tt\t{s}\t{v}" for pair in ("aa-en", "bb-en")
                             for s, v in zip("ABCD", (1, 2, 3, 5), strict=True)),
        )  # fmt: skip
        scores = self.write(
            tmp_path, "s", *(f"{m}\t{pair}\tt\t{s}\t{v}" for pair in ("aa-en", "cc-en")
                             for m in ("TER", "mine")
                             for s, v in zip("ABCD", (9, 8, 7, 6), strict=True)),
        )  # fmt: skip
        shown = output(capsys, "meta", "agree", "--ratings", humans, "--scores", scores, *QUICK)
        rows = [line.split()[:4] for line in shown.splitlines()]
        assert ["TER", "4", "0.983", "1.000"] in rows  # errors are turned round
        assert ["mine", "4", "-0.983", "-1.000"] in rows
        assert "not used: 1 set of ratings without scores (such as bb-en)" in shown
        assert "not used: 2 metrics on test sets without ratings (such as cc-en)" in shown
        turned = output(
            capsys, "meta", "agree", "--ratings", humans, "--scores", scores, *QUICK, "-m", "mine",
            "--lower-is-better", "mine", "--pair", "aa-en",
        )  # fmt: skip
        assert ["mine", "4", "0.983", "1.000"] in [row.split()[:4] for row in turned.splitlines()]

    @pytest.mark.shared
    @pytest.mark.parametrize("folder", ["example-data", "example-data-multi"])
    def test_published_correlations_and_williams_tests(
        self, capsys: pytest.CaptureFixture[str], shared_data: Path, folder: str
    ) -> None:
        """What the authors of Williams' test for metrics printed, but for a double's last digit."""
        place = shared_data / "wmt12" / "published-system-scores"
        words = ["--ratings", str(place / folder / "mt-systems-scored-by-humans"),
                 "--scores", str(place / folder / "mt-systems-scored-by-metrics"),
                 "--pair", "es-en", *QUICK]  # fmt: skip
        expected = dict(
            line.split()
            for line in (place / "example-output" / "orig.pearson-corr.es-en")
            .read_text(encoding="utf-8")
            .splitlines()
            if not line.startswith("#")
        )
        assert list(expected) == ["AMBER", "BLEU_4_closest_cased"]
        shown = json_output(capsys, "meta", "agree", *words)
        found = {one["metric"]: one["measures"][0] for one in shown["agreements"]}
        for metric, digits in expected.items():
            assert found[metric]["measure"] == "pearson"
            assert found[metric]["value"] == pytest.approx(float(digits), abs=2e-15)
        (tests,) = (one["williams"] for one in shown["tests"])
        table = (place / "example-output" / "orig.williams-results.es-en").read_text("utf-8")
        (p_value,) = re.findall(r"0\.\d+", table.rpartition("# ---")[2])
        row, column = (tests["metrics"].index(metric) for metric in expected)
        published = tests["p_values_published"][row][column]
        assert published == pytest.approx(float(p_value), abs=5e-16)
        assert tests["p_values"][row][column] == pytest.approx(0.0125, abs=5e-5)
        text = output(capsys, "meta", "agree", *words, "--published-williams", "-w", "14")
        assert f"{float(p_value):.14f}" in text
        assert all(f"{float(digits):.14f}" in text for digits in expected.values())
        assert "10 degrees of freedom" in text

    @pytest.mark.shared
    def test_texts_of_wmt12(self, capsys: pytest.CaptureFixture[str], shared_data: Path) -> None:
        """The same r as of the published BLEU, from the texts and the rankings themselves."""
        folder = shared_data / "wmt12"
        systems = sorted(map(str, (folder / "system-outputs" / "es-en").iterdir()))
        shown = json_output(
            capsys, "meta", "agree", str(folder / "newstest2012-ref.en"), "-i", *systems,
            "--ratings", str(folder / "RNK_results.csv"), "--pair", "es-en", "-m", "bleu", *QUICK,
        )  # fmt: skip
        (bleu,) = shown["agreements"]
        assert bleu["measures"][0]["value"] == pytest.approx(0.7604, abs=0.002)
        assert len(bleu["systems"]) == 12
        assert {one["reason"]: one["count"] for one in bleu["exclusions"]} == {
            "rankings of other language pairs": 2721,
            "outputs that a judge left unranked": 41,
            "rankings of fewer than two systems": 4,
            "comparisons that people found tied": 1490,
        }


class TestOtherActions:
    def test_judges(self, capsys: pytest.CaptureFixture[str]) -> None:
        shown = output(capsys, "meta", "judges", *RATINGS)
        assert ["ratings.tsv", "adequacy", "4", "261", "130", "0.046", "0.538", "0.614"] in [
            line.split() for line in shown.splitlines()
        ]
        assert "1 judge with one rating, who have no z-score (such as judge-4)" in shown
        found = json_output(capsys, "meta", "judges", *RATINGS)
        reports = [judge_report(one) for one in read_ratings(SAMPLE / "ratings.tsv")]
        expected = {"version": tertium.__version__, "ratings": [one.to_dict() for one in reports]}
        assert found == json.loads(json_text(expected))
        assert "\\begin{tabular}" in output(capsys, "meta", "judges", *RATINGS, "-f", "latex")
        assert "--z-scores: found here" in error(capsys, "meta", "judges", *RATINGS, "--z-scores")

    def test_straw_men_expose_the_metric_that_pays_for_insertions(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shown = output(
            capsys, "meta", "straw-men", *TEXTS, "--criterion", "adequacy", "--max-segments", "30",
            "-m", "grr", "grr[alpha=-0.9,beta=1]",
        )  # fmt: skip
        assert "grr[alpha=-0.9,beta=1.0] is fooled by doubled" in shown
        assert "adequacy: grr is fooled" not in shown
        assert "straw men are rated 47.5577; 30 segments, seed 12345" in shown
        found = json_output(capsys, "meta", "straw-men", *TEXTS, "--max-segments", "9", "-m", "grr")
        assert [one["criterion"] for one in found["ratings"]] == ["adequacy", "fluency"]

    def test_fit_reports_what_was_held_out(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ["fit", *TEXTS, "-m", "grr", "--evaluations", "40"]
        shown = output(capsys, "meta", *words)
        assert "held out: ratings.tsv" not in shown  # a criterion of the same systems
        assert "nothing was held out: too few systems" in shown
        assert "grr fitted: grr[" in shown
        message = "found 1 test set, expected at least 2; criteria of the same systems are one"
        assert message in error(capsys, "meta", *words, "--validation", "test-sets")
        found = json_output(
                capsys, "meta", *words, "--criterion", "adequacy", "--parameters", "alpha",
                "--bounds", "alpha=0:3")  # fmt: skip
        (fit,) = found["fits"]
        assert list(fit["parameters"]) == ["alpha"]
        assert fit["in_sample"] >= fit["in_sample_default"]
        assert any("too few" in warning for warning in fit["warnings"])
        said = error(capsys, "meta", *words, "--bounds", "alpha")
        assert "found 'alpha', expected such as alpha=0:1" in said

    def test_an_unknown_action_is_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert error(capsys, "meta", "agre").startswith(
            "tertium: unknown action of 'tertium meta' 'agre'; did you mean 'agree'?"
        )


def test_agreement_as_tsv_has_the_numbers_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("meta", "agree", *TEXTS, *QUICK, "-m", "bleu", "chrf")
    head, *lines = output(capsys, *words, "-f", "tsv").splitlines()
    assert head.split("\t")[:5] == ["name", "criterion", "metric", "measure", "value"]
    shown = {tuple(line.split("\t")[1:4]): float(line.split("\t")[4]) for line in lines}
    found = json_output(capsys, *words)["agreements"]
    assert {one["metric"] for one in found} == {metric for _, metric, _ in shown}
    for one in found:
        for measured in one["measures"]:
            value = shown[one["criterion"], one["metric"], measured["measure"]]
            assert value == pytest.approx(measured["value"])
