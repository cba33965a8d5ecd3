"""Other tools' interfaces over tertium's metrics, for code that is written already."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pkgutil import walk_packages
from typing import Final, Literal

from tertium.errors import MissingExtraError, OptionError

NLTK_MODULES: Final = (
    *("bleu_score", "chrf_score", "gleu_score", "meteor_score", "nist_score", "ribes_score"),
)
"""The modules of ``nltk.translate`` that tertium has."""


def replace(package: Literal["sacrebleu", "nltk"]) -> None:
    """From here on ``import sacrebleu``, in whatever code, gives tertium's.

    It must come before the first import of the real one, of which objects may be about. Of NLTK,
    which must be installed, the six metrics of ``nltk.translate`` are replaced.

    >>> import tertium.compat
    >>> tertium.compat.replace("sacrebleu")  # doctest: +SKIP
    >>> from sacrebleu.metrics import BLEU  # doctest: +SKIP
    """
    if package == "nltk":
        _replace_nltk_metrics()
        return
    if package != "sacrebleu":
        raise OptionError(f"replace: found '{package}', expected sacrebleu or nltk")
    ours = import_module(f"{__name__}.{package}")
    if sys.modules.get(package, ours) is not ours:
        raise OptionError(
            f"replace: {package} has been imported already, expected this call before it"
        )
    sys.modules[package] = ours
    for module in walk_packages(ours.__path__, f"{ours.__name__}."):
        sys.modules[module.name.removeprefix(f"{__name__}.")] = import_module(module.name)


def _replace_nltk_metrics() -> None:
    ours = {name: import_module(f"{__name__}.nltk.{name}") for name in NLTK_MODULES}
    for name, module in ours.items():
        if sys.modules.get(f"nltk.translate.{name}", module) is not module:
            raise OptionError(
                f"replace: nltk.translate.{name} has been imported already, "
                "expected this call before it"
            )
    if find_spec("nltk") is None:
        raise MissingExtraError(
            "replace: NLTK is not installed; pip install nltk, or import tertium.compat.nltk"
        )
    sys.modules.update({f"nltk.translate.{name}": module for name, module in ours.items()})
    package = import_module("nltk.translate")
    for name, module in ours.items():
        setattr(package, name, module)
