"""What the native tokenizers have to equal: sacreBLEU, and its Chinese one with ranges mended."""

import re
from collections.abc import Callable

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

Tokenizer = Callable[[str], str]

# The blocks that sacreBLEU's table names, whole, and the two planes kept for ideographs.
CHINESE = re.compile(
    "[\u2600-\u27bf\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)


class TokenizerZhFixed:
    """Blanks around each Chinese character, then the passes that 13a and zh share."""

    def __call__(self, text: str) -> str:
        return TOKENIZERS["western"](CHINESE.sub(r" \g<0> ", text.strip()))


CLASSES: dict[str, Callable[[], Tokenizer]] = {
    "none": NoneTokenizer,
    "13a": Tokenizer13a,
    "intl": TokenizerV14International,
    "char": TokenizerChar,
    "zh": TokenizerZh,
    "zh-fixed": TokenizerZhFixed,
    "western": TokenizerRegexp,  # what 13a and zh have in common
}
TOKENIZERS = {name: tokenizer() for name, tokenizer in CLASSES.items()}


def tokens(tokenization: str, text: str) -> list[str]:
    """The tokens that BLEU counts: sacreBLEU strips trailing blanks before it tokenizes."""
    return TOKENIZERS[tokenization](text.rstrip()).split()
