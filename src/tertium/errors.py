"""One family of exceptions; every message says place, found, expected."""


class TertiumError(Exception):
    """Base of all errors tertium raises on purpose; the command line prints it in one line."""


class InputError(TertiumError):
    """The text or file given cannot be used as it is."""


class LimitError(InputError):
    """The input is larger than the memory allows; the message names the flag that allows more."""


class OptionError(TertiumError):
    """A metric, tokenizer or option was named that does not exist or does not fit."""


class MissingExtraError(TertiumError):
    """An optional package or table is needed; the message says how to get it."""
