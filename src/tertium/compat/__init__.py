"""Other tools' interfaces over tertium's metrics, for code that is written already."""

import sys
from importlib import import_module
from pkgutil import walk_packages
from typing import Literal

from tertium.errors import OptionError


def replace(package: Literal["sacrebleu"]) -> None:
    """From here on ``import sacrebleu``, in whatever code, gives tertium's.

    It must come before the first import of the real one, of which objects may be about.

    >>> import tertium.compat
    >>> tertium.compat.replace("sacrebleu")  # doctest: +SKIP
    >>> from sacrebleu.metrics import BLEU  # doctest: +SKIP
    """
    if package != "sacrebleu":
        raise OptionError(f"replace: found '{package}', expected sacrebleu")
    ours = import_module(f"{__name__}.{package}")
    if sys.modules.get(package, ours) is not ours:
        raise OptionError(
            f"replace: {package} has been imported already, expected this call before it"
        )
    sys.modules[package] = ours
    for found in walk_packages(ours.__path__, f"{ours.__name__}."):
        sys.modules[found.name.removeprefix(f"{__name__}.")] = import_module(found.name)
