"""Tokenizers as values: native ones by name, extras, own callables and plug-ins."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

from tertium._native import Texts
from tertium.errors import OptionError
from tertium.lazy import LazyTable
from tertium.suggestions import did_you_mean
from tertium.text import extra_tokenizers

Lowercase: TypeAlias = bool | Literal["ascii"]
"""Whether all letters are folded, or only those of ASCII."""

TokenFunction = Callable[[str], str]
"""Takes a segment, returns its tokens separated by spaces."""

NATIVE: Final = ("none", "13a", "intl", "char", "zh", "zh-fixed")
EXTRA: Final = extra_tokenizers.NAMES
PLUGINS: Final[LazyTable[TokenFunction]] = LazyTable("tokenizer", {}, group="tertium.tokenizers")
"""Tokenizers that other packages offer."""


_CAPITALS: Final = {letter: letter + 32 for letter in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def fold(texts: list[str], lowercase: Lowercase) -> list[str]:
    """The texts as `Tokenizer.native_texts` folds their case.

    >>> fold(["Éa", "EA"], "ascii")
    ['Éa', 'ea']
    """
    if lowercase == "ascii":
        return [text.translate(_CAPITALS) for text in texts]
    return list(map(str.lower, texts)) if lowercase else texts


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """A way to cut segments into tokens; ``name`` is what the signature shows.

    Without a function the native tokenizer of that name is meant. Your own function makes
    your own tokenizer; pick a name that tells readers of a signature what it does.

    >>> Tokenizer("13a")
    Tokenizer('13a')
    >>> letters = Tokenizer("letters", lambda text: " ".join(text))
    >>> letters.cut("abc")
    ['a', 'b', 'c']
    """

    EXPECTED: ClassVar[str] = (
        f"{', '.join(NATIVE)}, ja-mecab, ko-mecab, flores101, flores200, spBLEU-1K "
        "or spm[model file]"
    )

    name: str
    function: TokenFunction | None = field(default=None, repr=False)
    punctuation: bool = field(default=True, repr=False)
    """Whether tokens of nothing but punctuation and symbols are kept."""

    def __post_init__(self) -> None:
        if self.function is None and self.name not in NATIVE:
            raise OptionError(unknown_tokenizer(self.name))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Tokenizer({self.name!r})"

    @property
    def native_name(self) -> str:
        """The native tokenizer that finishes the work: own functions leave spaces to split."""
        rules = self.name if self.function is None else "none"
        return rules if self.punctuation else f"{rules} without punctuation"

    def native_texts(self, texts: Texts, *, lowercase: Lowercase) -> Texts:
        """The text as the native tokenizer is to see it."""
        if lowercase:
            texts = texts.lower(ascii_only=lowercase == "ascii")
        if self.function is None:
            return texts
        cut = self.function
        return Texts([None if text is None else cut(text.rstrip()) for text in texts.to_list()])

    def cut_all(self, texts: Texts, *, lowercase: Lowercase) -> list[list[str]]:
        """The tokens of every segment; a missing one has none."""
        from tertium._native import tokenize

        return tokenize(self.native_name, self.native_texts(texts, lowercase=lowercase))

    def cut(self, text: str) -> list[str]:
        """The tokens of one segment."""
        return self.cut_all(Texts([text]), lowercase=False)[0]

    @classmethod
    def parse(cls, text: str) -> "Tokenizer":
        """The tokenizer of that name: native, extra (``spm[model file]``) or plug-in."""
        if text in NATIVE:
            return cls(text)
        if extra := extra_tokenizers.load(text):
            return cls(*extra)
        if text in PLUGINS:
            return cls(text, PLUGINS[text])
        raise OptionError(unknown_tokenizer(text))


def unknown_tokenizer(name: str) -> str:
    """The message for a name that no tokenizer has."""
    return did_you_mean("tokenizer", name, [*NATIVE, *EXTRA, *PLUGINS])


THIRTEEN_A: Final = Tokenizer("13a")
WHITESPACE: Final = Tokenizer("none")

KANA: Final = re.compile("[\u3040-\u30ff]")
HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
SOUTHERN: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
"""Thai, Lao, Burmese and Khmer."""


class Writing(NamedTuple):
    """A way to write without spaces between words, and tokenizers for it, the best first."""

    name: str
    tokenizers: tuple[str, ...]

    @property
    def tokenizer(self) -> str:
        """The one to recommend."""
        return self.tokenizers[0]


CHINESE: Final = Writing("Chinese", ("zh",))
JAPANESE: Final = Writing("Japanese", ("ja-mecab", "char"))
SOUTHEAST_ASIAN: Final = Writing("Thai, Lao, Khmer or Burmese", ("char",))


def writing_of(text: str) -> Writing | None:
    """The writing of most of a text, if it has no spaces between words.

    >>> writing_of("猫坐在垫子上。").name, writing_of("Die Katze sitzt.")
    ('Chinese', None)
    """
    if text.isascii():
        return None
    han, kana, southern = (len(kind.findall(text)) for kind in (HAN, KANA, SOUTHERN))
    if 2 * (han + kana + southern) < len("".join(text.split())):
        return None
    if southern > han + kana:
        return SOUTHEAST_ASIAN
    return JAPANESE if 10 * kana > han else CHINESE
