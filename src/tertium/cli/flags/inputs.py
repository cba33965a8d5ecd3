"""What the flags of `configure_input` name, opened: one way for every command."""

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from tertium.cli.flags.values import columns_by_role
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.text.corpus import Chunk
    from tertium.text.inputs import Inputs


def opened(arguments: Namespace) -> "Inputs":
    """The files of the corpus and its systems; plain text is not read yet."""
    from tertium.text.input_files import open_inputs

    return open_inputs(
        arguments.references,
        arguments.input,
        source=arguments.source,
        documents=arguments.documents,
        format=arguments.input_format,
        columns=columns_by_role(arguments.columns),
        names=arguments.names,
        num_refs=arguments.num_refs,
        stdin=sys.stdin.buffer,
    )


def loaded(arguments: Namespace) -> "Chunk":
    """The whole corpus and its systems, of at least one segment."""
    whole = opened(arguments).load()
    if not len(whole):
        # Nothing against nothing is perfect by convention; a user has mistaken the file.
        raise InputError(f"{arguments.references[0]}: 0 segments, expected at least one")
    return whole
