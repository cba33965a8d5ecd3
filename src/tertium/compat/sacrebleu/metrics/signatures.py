"""Signatures as sacreBLEU shows them, and behind its keys what it leaves out."""

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them

from collections.abc import Mapping
from typing import Any

from tertium.compat.sacrebleu.errors import NotScoredError
from tertium.compat.sacrebleu.shapes import VARIABLE
from tertium.metrics.contract.spec import SHORT_KEYS
from tertium.version import __version__


class Signature:
    """Key and value pairs that identify a metric; ``version`` is shown last.

    It is made of a metric's attributes, of which ``num_refs`` must be there. A subclass adds
    the pairs of its metric to ``info`` and their short keys to ``_abbr``.

    >>> signature = Signature({"num_refs": 1})
    >>> signature.update("eff", False)
    >>> signature.format(short=True).rpartition("|")[0]
    '#:1|e:no'
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        if args.get("num_refs") is None:
            raise NotScoredError(
                "signature: the number of references is not known, expected a score before it"
            )
        self._abbr: dict[str, str] = dict(SHORT_KEYS)
        self.info: dict[str, Any] = {
            "version": f"tertium-{__version__}",
            "nrefs": "var" if args["num_refs"] == VARIABLE else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """All pairs with a value, under full or ``short`` keys."""
        keys = [key for key in self.info if key != "version"]
        return "|".join(
            f"{self._abbr.get(key, key) if short else key}:{_text(self.info[key])}"
            for key in [*keys, "version"]
            if self.info[key] is not None
        )

    def update(self, key: str, value: object) -> None:
        """Add a pair or change one."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
