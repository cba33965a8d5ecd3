"""Errors that are tertium's and also of the built-in type that sacreBLEU raises there."""

from tertium.errors import InputError, MissingExtraError, OptionError


class ShapeError(InputError, ValueError):
    """References and hypotheses do not fit together; sacreBLEU would cut to the shorter."""


class ArgumentTypeError(InputError, TypeError):
    """Something other than strings, or sequences of strings, was given."""


class EmptyInputError(InputError, IndexError):
    """No segment or no reference set was given."""


class NoReferencesError(InputError, RuntimeError):
    """References were neither given nor kept by the metric."""


class NotScoredError(InputError, ValueError):
    """A signature was asked for before the number of references was known."""


class UnknownSmoothingError(OptionError, AssertionError):
    """A smoothing method of that name does not exist."""


class UnknownTokenizerError(OptionError, KeyError):
    """A tokenizer of that name does not exist."""

    # KeyError would show the message quoted and escaped.
    __str__ = Exception.__str__


class SeedError(OptionError, ValueError):
    """The seed in the environment is not a number."""


class MissingTokenizerError(MissingExtraError, RuntimeError, ImportError):
    """A tokenizer needs a package or a model that is not there."""


class NoDownloadError(InputError):
    """Something was asked for that sacreBLEU would download."""


class UnknownTestError(OptionError, AssertionError):
    """A significance test of that name does not exist."""
