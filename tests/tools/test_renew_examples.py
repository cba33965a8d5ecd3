"""Pages get the output that their examples print now, and nothing else changes."""

from pathlib import Path

import pytest
from tools.renew_examples import main, renew

PAGE = """\
# A page

```console
$ echo "  two   words "
stale
$ false
```

Text, then Python:

```python
>>> total = 1 + 1
>>> total
3
>>> print("a\\n\\nb")
a
```

```python
code_without_a_session = True
```
"""
RENEWED = PAGE.replace("stale\n", "  two   words\n").replace("\n3\n", "\n2\n")
RENEWED = RENEWED.replace("\na\n```", "\na\n<BLANKLINE>\nb\n```")


def test_outputs_of_commands_and_sessions_are_renewed() -> None:
    assert renew(Path("page.md"), PAGE) == RENEWED


def test_a_renewed_page_is_left_alone() -> None:
    assert renew(Path("page.md"), RENEWED) == RENEWED


def test_check_names_a_stale_page_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.renew_examples.REPOSITORY", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    assert main(["--check", str(page)]) == 1
    assert capsys.readouterr().out == "stale: page.md\n1 page, 1 stale\n"
    assert page.read_text(encoding="utf-8") == PAGE
    assert main([str(page)]) == 0
    assert page.read_text(encoding="utf-8") == RENEWED
    assert main(["--check", str(page)]) == 0
