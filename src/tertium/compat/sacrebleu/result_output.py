"""Results on the screen, for programs that leave this to sacreBLEU."""

# ruff: noqa: T201 - printing is what they are for

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any


def print_results_table(
    results: Mapping[str, Sequence[Any]], signatures: Mapping[str, object], args: Namespace
) -> None:
    """Systems and their scores, as ``PairedTest`` gives them, by ``args.format``."""
    systems, metrics = results["System"], [name for name in results if name != "System"]
    if args.format == "json":
        rows = [
            {"system": system, **{name: _plain(results[name][place]) for name in metrics}}
            for place, system in enumerate(systems)
        ]
        print(json.dumps(rows, indent=4))
        return
    table = [["System", *metrics]]
    for place, system in enumerate(systems):
        table.append([system, *(_cell(results[name][place], args.width) for name in metrics)])
    if args.format == "latex":
        print("\n".join(f"{' & '.join(row)} \\\\" for row in table))
    else:
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for row in table:
            print("  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)))
    print()
    for name, signature in signatures.items():
        print(f" - {name:<10} {signature}")


def print_single_results(results: Sequence[str], args: Namespace) -> None:
    """Scores that are formatted already: as JSON, or as lines whose ``=`` are aligned."""
    if args.format == "json":
        print(results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]")
        return
    width = max(len(line.partition(" = ")[0]) for line in results)
    for line in results:
        name, equals, score = line.partition(" = ")
        print(f"{name:>{width}}{equals}{score}" if equals else line)


def _plain(result: Any) -> object:
    return result if isinstance(result, str) else vars(result)


def _cell(result: Any, width: int) -> str:
    if isinstance(result, str):
        return result
    text = f"{result.score:.{width}f}"
    if result.mean is not None:
        text += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    if result.p_value is not None:
        star = "*" if result.p_value <= 0.05 else ""
        text += f" (p = {result.p_value:.4f}){star}"
    return text
