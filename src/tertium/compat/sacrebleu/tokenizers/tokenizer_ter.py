"""How TER cuts text into words."""

# ruff: noqa: FBT001, FBT002 - arguments stand where sacreBLEU has them

from tertium import _native
from tertium._native import Texts
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TercomTokenizer(BaseTokenizer):
    """The tokenizer of tercom, as sacreBLEU has it.

    >>> TercomTokenizer(normalized=True)("Jim's car (red).")
    "jim 's car ( red ) ."
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._normalized = normalized
        self._no_punct = no_punct
        self._asian_support = asian_support
        self._case_sensitive = case_sensitive

    def __call__(self, sent: str) -> str:
        """The words of a segment, with one blank between them."""
        text = Texts([sent if self._case_sensitive else sent.lower()])
        words = _native.tercom_texts(
            text,
            normalized=self._normalized,
            punctuation=not self._no_punct,
            asian=self._asian_support,
            original=False,
        ).to_list()
        return " ".join((words[0] or "").split())

    def signature(self) -> str:
        """The name in a signature."""
        return "tercom"
