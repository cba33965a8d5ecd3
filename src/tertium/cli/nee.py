"""``tertium nee``: the names of the references, looked for in the translations."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from tertium.cli.flags.common import (
    configure_documents,
    configure_former,
    configure_metric,
    configure_shown,
)
from tertium.cli.flags.inputs import (
    configure_files,
    configure_max_tokens,
    configure_tables,
    opened,
    whole_of,
)
from tertium.cli.flags.values import target_language
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, show, view_forms
from tertium.errors import OptionError
from tertium.installation import install_hint

if TYPE_CHECKING:
    from tertium.meta.ratings.name_units import UnitAgreement
    from tertium.metrics.annotation.nee import NamedEntityEvaluator
    from tertium.metrics.annotation.nee_report import NameReport
    from tertium.tables import Part
    from tertium.text.input_files import Inputs

EXAMPLES: Final = """\
examples:
  tertium nee marked.en -i system.en
      names marked in the reference: <ENAMEX TYPE="PERSON">Ann Lee</ENAMEX> left.
  tertium nee reference.en --annotations entities.jsonl -i *.en --by type --missed
      names in a file of spans or of IOB columns; every missed name is listed
  tertium nee reference.en --ner spacy:en_core_web_sm -i system.en --documents documents.tsv
      names found by a spaCy pipeline, listed once per document
  tertium nee reference.1.en reference.2.en --annotations entities.jsonl -i system.en
      the second reference is scored too: how far do humans agree?
  tertium nee articles.muc -i system.muc --compare-units
      whole articles in mark-up (<DOC>, <TEXT>, <p>), aligned by document and paragraph
  tertium nee entities.jsonl --columns reference=text --annotations entities.jsonl -i system.en
      text and names from the same file
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium nee REF … [-i SYS …] [--annotations FILE | --ner spacy:NAME] [flags]"
    parser.epilog = EXAMPLES
    _configure_input(parser)
    _configure_search(parser)
    _configure_output(parser)


def _configure_input(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is scored").add_argument
    configure_files(add)
    add("--annotations", metavar="FILE", help="names of the first REF: MUC, IOB columns or JSONL")
    add("--ner", metavar="spacy:NAME", help="let a spaCy pipeline find the names of every REF")
    configure_documents(add, use="and its paragraph, for --unit and --by")
    configure_tables(add)
    configure_max_tokens(add)


def _configure_search(parser: ArgumentParser) -> None:
    add = parser.add_argument_group(
        "how names are looked for", "'tertium metrics nee' lists the steps of normalisation."
    ).add_argument
    configure_metric(add, "nee", what="such as 'nee[diacritics=no]'")
    add(
        "--unit",
        choices=("auto", "document", "paragraph", "segment"),
        help="count a name once in each of these (default: document if known, else segment)",
    )
    add("--types", metavar="TYPE", nargs="+", help="only names of these types")
    add("--partial", action="store_true", help="credit the longest part of a name")
    language = add(
        "-l",
        "--language-pair",
        dest="target",
        metavar="XX-YY",
        type=_language,
        help="languages, such as de-en: the second one's number words are understood (default: en)",
    )
    configure_former(add, "--language", language)


def _language(text: str) -> str:
    """The second of two languages; or one, as earlier versions had it.

    >>> _language("en-de"), _language("de")
    ('de', 'de')
    """
    return target_language(text) if set("-_").intersection(text) else text


def _configure_output(parser: ArgumentParser) -> None:
    add = parser.add_argument_group("what is shown").add_argument
    configure_shown(add, FORMS, width=2, quiet=True)
    add(
        "--by",
        choices=("type", "document", "paragraph"),
        help="scores for every type, document or paragraph too",
    )
    units = add(
        "--compare-units",
        dest="units",
        action="store_true",
        help="scores by document beside those by paragraph, and how far they agree",
    )
    configure_former(add, "--units", units)
    add("--missed", action="store_true", help="list the names that systems miss")


def run(arguments: Namespace) -> int:
    """Look for the names, and print only when all systems are done."""
    check_output(arguments.output)
    if arguments.missed and arguments.by and arguments.format == "tsv":
        raise OptionError("--by: found with --missed and --format tsv, expected one table")
    if arguments.units and (arguments.missed or arguments.by):
        raise OptionError("--compare-units: found with --by or --missed, expected one of them")

    metric = chosen_metric(arguments)
    if arguments.units and metric.unit != "auto":
        raise OptionError(
            f"--compare-units: found unit={metric.unit}, expected none, for both are counted"
        )
    if arguments.by == "paragraph":
        metric = _by_paragraph(metric)
    by_document = metric.unit in {"auto", "document"} and not arguments.units
    inputs = opened(arguments, articles="document" if by_document else "paragraph")
    whole = whole_of(inputs)
    names = _reference_names(inputs, len(whole.corpus.references.columns))
    if arguments.units:
        from tertium.meta.ratings.name_units import unit_agreement

        agreement = unit_agreement(whole.corpus, whole.systems, metric, reference_names=names)
        show(agreement, arguments, UNIT_FORMS)
    else:
        from tertium.metrics.annotation.nee_report import name_report

        report = name_report(whole.corpus, whole.systems, metric, reference_names=names)
        if arguments.by == "document" and not report.rows[0].documents:
            whole.corpus.labels("document")  # says how to give them
        show(report, arguments, FORMS)
    if not arguments.quiet:
        _tell_what_stays(metric, arguments.metric)
    return 0


def _by_paragraph(metric: "NamedEntityEvaluator") -> "NamedEntityEvaluator":
    """The metric with paragraphs as units, which their scores need."""
    if metric.unit not in {"auto", "paragraph"}:
        raise OptionError(f"--by paragraph: found unit={metric.unit}, expected unit=paragraph")
    return replace(metric, unit="paragraph")


def chosen_metric(arguments: Namespace) -> "NamedEntityEvaluator":
    """The metric of ``--metric`` under the other flags; brackets win, as in ``tertium score``."""
    from tertium.cli.flags.chosen_metrics import Flag, chosen_metrics
    from tertium.metrics.annotation.nee import NamedEntityEvaluator
    from tertium.metrics.contract.table import parse_spec

    texts = {
        "annotations": arguments.annotations,
        "ner": arguments.ner,
        "unit": arguments.unit,
        "types": "+".join(arguments.types) if arguments.types else None,
        "partial": "yes" if arguments.partial else None,
        "language": arguments.target,
    }
    flags = [Flag(flag=f"--{name}", option=name, text=text) for name, text in texts.items() if text]
    if not issubclass(parse_spec(arguments.metric).metric, NamedEntityEvaluator):
        raise OptionError(f"--metric: found '{arguments.metric}', expected nee and its options")
    return cast("NamedEntityEvaluator", chosen_metrics([arguments.metric], flags)[0])


def _tell_what_stays(metric: "NamedEntityEvaluator", asked: str) -> None:
    """Say which number words nobody asked to keep are kept, and how they would not be."""
    from tertium.metrics.contract.table import parse_spec

    spec = parse_spec(asked)
    steps = {"numbers": "number words", "quantities": "large numbers, percentages and amounts"}
    kept = {key: what for key, what in steps.items() if not getattr(metric, key)}
    unasked = [key for key in kept if not spec.sets(key)]
    if unasked:
        print(
            f"tertium: {' and '.join(kept[key] for key in unasked)} stay as they are "
            f"({', '.join(f'{key}:kept' for key in unasked)}): text2num is not installed or "
            f"does not know '{metric.language}'; {install_hint('nee')}",
            file=sys.stderr,
        )


def _reference_names(inputs: "Inputs", columns: int) -> list[str] | None:
    """The references' files, if each holds one set."""
    from tertium.text.formats.table import system_name

    names = [system_name(feed.name) for feed in inputs.references]
    return names if len(names) == columns else None


def _units_view(agreement: "UnitAgreement", arguments: Namespace) -> "Iterable[Part]":
    from tertium.report.names import unit_notes, unit_table

    return [unit_table(agreement, decimals=arguments.width), unit_notes(agreement)]


def _units_tsv(agreement: "UnitAgreement", _: Namespace) -> Iterable[str]:
    from tertium.report.names import unit_tsv

    return unit_tsv(agreement)


def _view(report: "NameReport", arguments: Namespace) -> "Iterable[Part]":
    from tertium.report.names import missed_table, name_notes, name_table

    tables = [name_table(report, by=arguments.by, decimals=arguments.width)]
    tables += [missed_table(report)] if arguments.missed else []
    return [*tables, name_notes(report)]


def _tsv(report: "NameReport", arguments: Namespace) -> Iterable[str]:
    from tertium.report.names import missed_tsv, name_tsv

    return missed_tsv(report) if arguments.missed else name_tsv(report, by=arguments.by)


FORMS: Final[Forms["NameReport"]] = {**view_forms(_view), "tsv": _tsv}
UNIT_FORMS: Final[Forms["UnitAgreement"]] = {**view_forms(_units_view), "tsv": _units_tsv}
