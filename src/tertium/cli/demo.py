"""``tertium demo``: the bundled sample, scored as a user would score it."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from tertium.cli.flags.common import configure_output
from tertium.cli.shell.output import check_output, write_output

SAMPLE: Final = Path(__file__).resolve().parent.parent / "data" / "sample"
METRICS: Final = ("bleu", "bleu-sbp", "grr", "wer")
REPORT: Final = "tertium-demo.html"

EXPLANATION: Final = """\
What to look at: elm beats birch in both genres, yet on the whole BLEU prefers birch. birch
leaves words out of web texts and makes up for their length with wordy news. BLEU-SBP, in
which each segment answers for its own missing words, puts elm before birch all three times.
"""

NEXT: Final = """\
Next: 'tertium compare' for deltas, tests and the words behind them, 'tertium explain' for what
a score is made of, 'tertium metrics' for what each column is.
"""


EXAMPLES: Final = f"""\
The sample is in {SAMPLE}; its README says who wrote it and what is in it.

examples:
  tertium demo
      prints two tables and writes a report, tertium-demo.html
  tertium demo --files sample && cd sample
      a copy of the sample's files, to try other commands on
"""


def configure(parser: ArgumentParser) -> None:
    """There is little to set."""
    parser.epilog = EXAMPLES
    configure_output(parser.add_argument, REPORT)
    parser.add_argument(
        "--files", metavar="FOLDER", help="copy the sample there instead, to try commands on"
    )


def run(arguments: Namespace) -> int:
    """Score the sample's systems by genre, and say what there is to see."""
    if arguments.files is not None:
        return _copy(arguments.files)
    check_output(arguments.output)
    from tertium.audit.audit import audit
    from tertium.evaluation import evaluate
    from tertium.report.console import view_text
    from tertium.report.evaluation import score_view
    from tertium.report.findings import findings_view
    from tertium.text.input_files import open_inputs

    references = [str(path) for path in sorted(SAMPLE.glob("reference.*.en"))]
    systems = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    documents = str(SAMPLE / "documents.tsv")
    whole = open_inputs(references, systems, documents=documents).load()
    evaluation = evaluate(whole.corpus, whole.systems, METRICS, by="genre")
    report = audit(whole.corpus, whole.systems, ["bleu", "bleu-sbp"], only=["reversal", "licence"])
    write_output(
        [
            "Five systems that translate 92 German segments into English, two references each.\n\n",
            view_text(score_view(evaluation), sys.stdout),
            f"\n{EXPLANATION}",
            "\nMay BLEU's verdict be trusted? An audit says no:\n\n",
            view_text(findings_view(report), sys.stdout),
            "\nThe commands behind this, for your own files:\n\n",
            "  tertium demo --files sample && cd sample\n",
            f"  tertium score reference.*.en -i systems/*.txt -m {' '.join(METRICS)} \\\n",
            "      --documents documents.tsv --by genre\n",
            "  tertium audit reference.*.en -i systems/*.txt -m bleu bleu-sbp \\\n",
            "      --documents documents.tsv --only reversal licence\n",
            "  tertium report reference.*.en -i systems/*.txt --source source.de \\\n",
            "      --documents documents.tsv --resample segments --spans spans.tsv \\\n",
            f"      -m {' '.join(METRICS)}\n",
            f"\n{NEXT}",
            f"\n{_report(documents, references, systems, arguments.output)}\n",
        ]
    )
    return 0


def _copy(name: str) -> int:
    """Copy the sample to a new folder."""
    from shutil import copytree, ignore_patterns

    from tertium.errors import TertiumError

    folder = Path(name)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        found = "a folder that is not empty" if folder.is_dir() else "a file"
        raise TertiumError(f"{name}: found {found}, expected a new folder")
    try:
        copytree(SAMPLE, folder, dirs_exist_ok=True, ignore=ignore_patterns("__pycache__"))
    except OSError as error:
        raise TertiumError(f"{name}: {error.strerror}, expected a folder to write to") from None
    write_output([f"{path.name}\n" for path in sorted(folder.iterdir())])
    return 0


def _report(documents: str, references: list[str], systems: list[str], output: str) -> str:
    """Write the HTML report and say where it is, or what is missing."""
    from tertium.errors import MissingExtraError
    from tertium.meta.spans.files import read_spans
    from tertium.report.html.page import page, require
    from tertium.study.study import study
    from tertium.text.input_files import open_inputs

    source = str(SAMPLE / "source.de")
    whole = open_inputs(references, systems, source=source, documents=documents).load()
    try:
        require()
        gathered = study(
            whole.corpus,
            whole.systems,
            METRICS,
            resample="segments",  # eight documents are too few to find anything
            spans=read_spans(SAMPLE / "spans.tsv"),
            command="tertium demo",
        )
        text = page(gathered)
    except MissingExtraError as error:
        return f"No HTML report: {error}"
    write_output([text], output)
    return f"HTML report: {Path(output).resolve()}"
