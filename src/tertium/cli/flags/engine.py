"""Flags of work that is done by a cluster: which one, and what becomes of what is finished."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.values import columns_by_role, whole_number
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.scale.engine.cluster import Cluster
    from tertium.scale.engine.partitions import PartitionedCorpus

ENGINES: Final = ("dask",)
_DEPENDENT: Final = ("scheduler", "workers", "resume")


def configure_engine(parser: ArgumentParser, *, skip_bad: bool = True, resume: bool = True) -> None:
    """Declare them; not those that a command has already for work without an engine."""
    add = parser.add_argument_group(
        "where it is done",
        "With an engine every input is one file or many: a folder, a pattern in quotes, a URL.",
    ).add_argument
    add(
        "--engine",
        metavar="NAME",
        choices=ENGINES,
        help="dask: every file is worked on by one of several processes, here or elsewhere",
    )
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="address of a running cluster, such as tcp://host:8786 (default: start one here)",
    )
    add(
        "--workers",
        metavar="N",
        type=whole_number(1),
        help="processes on this machine (default: one for each processor)",
    )
    if resume:
        add(
            "--resume",
            metavar="FOLDER",
            help="keep what is finished there, and go on from there if it was interrupted",
        )
    if skip_bad:
        add(
            "--skip-bad",
            action="store_true",
            help="leave out files that cannot be read, and say which (default: stop)",
        )


def check_engine(arguments: Namespace) -> None:
    """Refuse flags of an engine without one."""
    if arguments.engine is not None:
        for name in ("max_tokens", "pair", "common", "paragraphs"):
            if getattr(arguments, name, None):
                flag = name.replace("_", "-")
                raise OptionError(f"--{flag}: found with --engine, expected without")
        return
    for name in (*_DEPENDENT, "skip_bad"):
        if name == "skip_bad" and hasattr(arguments, "from_format"):
            continue  # damaged n-best lists are left out with and without an engine
        value = getattr(arguments, name)
        if value and not (name == "resume" and value is True):  # alone it is of a plain run
            flag = f"--{name.replace('_', '-')}"
            raise OptionError(f"{flag}: found without an engine, expected with --engine dask")


def chosen_cluster(arguments: Namespace) -> "Cluster":
    """The cluster that the flags name."""
    from tertium.scale.engine.cluster import Cluster

    return Cluster(
        scheduler=arguments.scheduler,
        workers=arguments.workers,
        threads=getattr(arguments, "threads", None),
    )


def partitioned(arguments: Namespace) -> "PartitionedCorpus":
    """The files of a corpus and its systems; none is opened yet."""
    from tertium.scale.engine.partitions import PartitionedCorpus

    return PartitionedCorpus(
        references=arguments.references,
        systems=arguments.input,
        source=arguments.source,
        documents=arguments.documents,
        format=arguments.input_format,
        columns=columns_by_role(arguments.columns),
        names=arguments.names,
        num_refs=arguments.num_refs,
        inline_codes=arguments.inline_codes,
        quoting=arguments.quoting,
    )
