"""How one experiment is run: the folder of data as argument, the section on standard output."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from experiments.data import Data
from experiments.sections import Section
from tertium.errors import TertiumError


def main(run: Callable[[Data], Section]) -> None:
    """Print the section of one experiment; figures are written only where asked for."""
    parser = argparse.ArgumentParser(description=sys.modules[run.__module__].__doc__)
    parser.add_argument("data", type=Path, help="folder with wmt08 to wmt23, nbest and ner")
    parser.add_argument("--figures", type=Path, help="folder for the figures (default: none)")
    arguments = parser.parse_args()
    try:
        section = run(Data(arguments.data))
        print(section.to_markdown())
        if arguments.figures is not None:
            write_pictures([section], arguments.figures)
    except TertiumError as error:
        sys.exit(f"experiments: {error}")


def write_pictures(sections: list[Section], folder: Path) -> None:
    """All figures of some sections, drawn by one browser."""
    from tertium.report.plots import write_figures

    folder.mkdir(parents=True, exist_ok=True)
    pictures = [picture for section in sections for picture in section.pictures]
    write_figures({folder / f"{one.name}.svg": one.figure for one in pictures})
