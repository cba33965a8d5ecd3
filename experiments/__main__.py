"""All experiments one after the other, written to docs/experiments.md with their figures."""

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Final

from experiments.data import Data
from experiments.running import write_pictures
from experiments.sections import Section
from tertium.errors import TertiumError
from tertium.version import __version__

EXPERIMENTS: Final = (
    "hlt2002.table1",
    "hlt2002.figure2",
    "hlt2002.figures3_4",
    "hlt2002.table2",
    "hlt2002.table2_annotated",
    "hlt2002.figures5_7",
    "hlt2002.figure8",
    "hlt2002.figure9",
    "hlt2002.figures10_11",
    "chiang2008.table1",
    "chiang2008.section5",
    "chiang2008.table2",
    "chiang2008.table3",
    "chiang2008.table4",
    "chiang2008.table5",
    "chiang2008.table6",
    "chiang2008.table7",
    "chiang2008.table8",
    "amber2011.table3",
    "amber2011.table4",
    "amber2011.table5",
    "amber2011.table6",
    "amber2011.table7",
    "amber2011.continuity",
    "amber2011.fit",
    "amber2011.refit",
    "permutation_sizes",
)
"""In the order of the page."""

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"

HEAD: Final = """# The papers' tables, made again

The tables and figures of the papers behind tertium, on real data, each beside the paper's
own numbers. `make experiments` writes this page: every number under a heading came from
a run of `python -m experiments ../shared/data` (tertium {version}), and so did every verdict.
One section alone: `python -m experiments.chiang2008.table1 ../shared/data`.

The papers:

- Papineni, Roukos, Ward, Henderson and Reeder (HLT 2002): Corpus-based comprehensive and
  diagnostic MT evaluation.
- Chiang, DeNeefe, Chan and Ng (EMNLP 2008): Decomposability of translation metrics for improved
  evaluation and efficient algorithms.
- Chen and Kuhn (WMT 2011): AMBER: a modified BLEU, enhanced ranking metric.

The data: outputs, references and human judgments of WMT08 (newstest2008 into English), WMT10
(de-en), WMT12 (newstest2012, cs-en, de-en, es-en, and from English), WMT17 (newstest2017, de-en,
ru-en, tr-en) and WMT23 (he-en, zh-en), n-best lists of a Bengali–English system, and names
annotated in PUD, Europarl and EA-MT. WMT08 is the development set of AMBER's authors and WMT10
de-en a part of their tests: a verdict on them says *original data*, and numbers can be compared
with the paper's. All else is *other data*, where equal numbers would be chance and what can be
asked is whether the claims still hold. Cells with – are what a paper or the data do not have.

A verdict compares the numbers of this run and does no more: most compare two correlations over a
few systems, and may turn round with other systems. Where a verdict needs a limit that
the paper does not name, the claim says which; no p-value is corrected for the number of tests.
"""


def main() -> None:
    """Parse, run, write."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m experiments")
    parser.add_argument("data", type=Path, help="folder with wmt08 to wmt23, nbest and ner")
    parser.add_argument(
        "--only",
        action="append",
        choices=EXPERIMENTS,
        help="one experiment, printed and not written; may be repeated",
    )
    arguments = parser.parse_args()
    try:
        sections = run(Data(arguments.data), arguments.only or EXPERIMENTS)
        if arguments.only:
            print("\n\n".join(section.to_markdown() for section in sections))
        else:
            write(sections, DOCS)
    except TertiumError as error:
        sys.exit(f"experiments: {error}")


def run(data: Data, names: tuple[str, ...] | list[str]) -> list[Section]:
    """The sections of some experiments; how long each took goes to standard error."""
    sections = []
    began = time.perf_counter()
    for place, name in enumerate(names, 1):
        print(f"[{place}/{len(names)}] {name} …", end=" ", file=sys.stderr, flush=True)
        start = time.perf_counter()
        section: Section = import_module(f"experiments.{name}").run(data)
        sections.append(section)
        print(f"{time.perf_counter() - start:.1f} s", file=sys.stderr)
    print(f"together {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return sections


def write(sections: list[Section], docs: Path) -> None:
    """The page, and its figures in a folder beside it."""
    write_pictures(sections, docs / "figures")
    drawn = {f"{picture.name}.svg" for section in sections for picture in section.pictures}
    for path in (docs / "figures").glob("*.svg"):
        if path.name not in drawn:  # of an experiment that has another figure by now
            path.unlink()
    contents = "\n".join(f"- [{one.title}](#{_anchor(one.title)})" for one in sections)
    parts = [HEAD.format(version=__version__).rstrip(), contents]
    parts += [section.to_markdown() for section in sections]
    page = docs / "experiments.md"
    page.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"written: {page}", file=sys.stderr)


def _anchor(title: str) -> str:
    """What a heading is called in a link.

    >>> _anchor("Chen and Kuhn (2011), Table 5: tf-idf")
    'chen-and-kuhn-2011-table-5-tf-idf'
    """
    kept = "".join(c for c in title.lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


if __name__ == "__main__":
    main()
