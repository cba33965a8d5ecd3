"""The plug-in of pytest, in a project of its own: one test passes, and one fails legibly."""

from pathlib import Path

from tests.support.commands import python

PROJECT = """
REFERENCES = ["the cat sat on the mat", "a small dog ran home", "nobody saw the bird"] * 30
WORSE = ["the cat sat on mat", "a dog ran", "nobody saw a bird"] * 30


def test_that_passes(assert_not_lower, assert_higher):
    assert_not_lower(REFERENCES, WORSE, REFERENCES)
    decision = assert_higher(REFERENCES, WORSE, REFERENCES, "chrf", margin=1)
    assert decision.requirement.holds


def test_that_fails(assert_not_lower):
    assert_not_lower(WORSE, REFERENCES, REFERENCES, ["chrf", "ter"])
"""


def test_in_a_project_of_its_own(tmp_path: Path) -> None:
    plugins = 'pytest_plugins = ["tertium.integrations.pytest_plugin"]\n'
    (tmp_path / "conftest.py").write_text(plugins, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    (tmp_path / "test_quality.py").write_text(PROJECT, encoding="utf-8")
    words = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    done = python(*words, folder=tmp_path)
    assert done.status == 1, done.out + done.err
    assert "1 failed, 1 passed" in done.out
    failure = done.out.partition("test_that_fails")[2]
    for line in (
        "required: not-lower: does not hold",
        "  new: significantly lower by chrF",
        "segment 2",
        "  reference  a small dog ran home",
        "  baseline   a small dog ran home",
        "  new        a dog ran",
    ):
        assert line in failure
    assert "pytest_plugin.py" not in failure  # the user's own line is what is shown
