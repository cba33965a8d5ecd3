"""Marks of damage in a column of texts, counted text by text.

All texts of a column are joined by a separator and searched at once: a regular expression that
starts with a literal, or a search for a substring, passes over half a megabyte in about a
millisecond, where a loop over thousands of texts would take many times as long. To add a mark, add
its pattern to ``PATTERNS`` and its sentence to ``damage.KINDS``.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium._native import Texts

# What chat models say instead of a translation, or around it, in the languages they say it in.
#
# Each phrase speaks of the translation or of the request itself, so that an honest translation of
# an apology ("I'm sorry, but I can't come") is none. A keyword is searched for first, because a
# search for a literal string is far faster than a regular expression; only texts that contain one
# are held against the patterns, which are compiled then: that takes 10 ms. To add a language, add
# its phrases here and a row to the tests.

_TRANSLATION: Final = (
    "translation|translated (?:text|version|sentence)|übersetzung|traduction|traducción|traduzione"
    "|tradução|překlad|tłumaczenie|перевод|переклад|превод|çeviri|vertaling|översättning"
    "|oversættelse|käännös|fordítás|traducere|bản dịch|terjemahan"
    "|翻译|翻譯|译文|譯文|翻訳|번역|अनुवाद|תרגום|ترجمة|ترجمه"
).replace(" ", r"\ ")
_OPENINGS: Final = (
    "here(?:'s| is| are)|below is|this is|hier ist|hier sind|voici|aquí (?:está|tienes?)|ecco"
    "|aqui está|zde je|tady je|oto|вот|ось|ето|işte|hier is|här är|her er|tässä on|íme|iată"
    "|đây là|berikut (?:adalah|ini)|以下是|以下为|這是|这是|以下は|これは|다음은|यहाँ|यहां|यह"
    "|הנה|להלן|إليك|فيما يلي|هذه"
).replace(" ", r"\ ")

CHATTER: Final = rf"""
    ^\W*(?:sure|certainly|absolutely|of\ course|okay|ok|gladly|конечно|natürlich|gerne|bien\ sûr
        |claro|certo|jistě|samozřejmě|oczywiście|当然|好的|もちろん|물론|ज़रूर|निश्चित|בטח|כמובן|بالتأكيد)
        [^\w\n][^\n]{{0,80}}?(?:{_TRANSLATION}|{_OPENINGS}|translat)
  | ^\W*(?:{_OPENINGS})(?:\W|(?<=[^\x00-\u024f]))[^\n.。:：]{{0,60}}?(?:{_TRANSLATION})
        [^\n]{{0,60}}?[:：.。।]
  | ^\W*(?:the\ |die\ |la\ |el\ )?(?:{_TRANSLATION})
        (?:\ ?[(（][^)）\n]{{0,30}}[)）]|\ (?:in|into|to|auf|en|na)\ \w+)?\ ?\W{{0,2}}[:：]
  | \b(?:translator'?s\ note|note(?:\ that|:)[^\n]{{0,80}}?translat\w+|let\ me\ know\ if\ you
        |i\ (?:have\ )?translated\ (?:it|this|the)|hope\ this\ helps
        |please\ provide\ (?:the|me|more|a)\b[^\n]{{0,60}}?(?:text|sentence|source|context))
    """
"""A remark on the translation: its announcement, its heading, a note, an offer of more."""

REFUSALS: Final = r"""
    \b(?:i\ apologi[sz]e|(?:i'm|i\ am)\ sorry|unfortunately|my\ apologies)\b[^\n]{0,40}?
        \b(?:i|we|there)\b[^\n]{0,60}?\b(?:translat|assist|fulfil|comply|comfortable|copyright
        |reproduc|request|text\ you)
  | \bi(?:'m|\ am)?\ (?:cannot|can't|can\ not|won't|don't\ feel\ comfortable|not\ able\ to
        |unable\ to|not\ comfortable)\ (?:[\w-]+\ ){0,3}?(?:translat|assist|fulfil|comply|reproduc)
  | \bas\ an?\ (?:ai|large\ language|language)\b
  | es\ tut\ mir\ leid[^\n]{0,60}?(?:übersetz|anfrage|kann\ ich\ nicht\ helfen)
  | (?:je\ suis\ désolée?|désolée?)[^\n]{0,60}?(?:traduire|traduction|demande)
  | lo\ siento[^\n]{0,60}?(?:traducir|traducción|solicitud|ayudar\ con\ es)
  | mi\ dispiace[^\n]{0,60}?(?:tradurre|traduzione|richiesta)
  | (?:desculpe|sinto\ muito|lamento)[^\n]{0,60}?(?:traduzir|tradução|solicitação|pedido)
  | (?:omlouvám\ se|je\ mi\ líto|bohužel)[^\n]{0,60}?(?:přeložit|překlad|požadav|žádost)
  | (?:przepraszam|przykro\ mi|niestety)[^\n]{0,60}?(?:przetłumacz|tłumacz|prośb)
  | (?:извините|простите|прошу\ прощения|приношу\ извинения|к\ сожалению)[^\n]{0,60}?
        (?:перевест|перевод|переводить|ваш\ запрос|выполнить\ (?:этот|ваш))
  | (?:вибачте|перепрошую|на\ жаль)[^\n]{0,60}?(?:переклас|переклад|запит)
  | (?:üzgünüm|maalesef)[^\n]{0,60}?(?:çevir|talep|istek)
  | (?:抱歉|对不起|對不起)[^\n]{0,30}?(?:翻译|翻譯|请求|請求|协助)
  | 申し訳[^\n]{0,40}?(?:翻訳|ご要望|リクエスト|お手伝い)
  | 죄송[^\n]{0,40}?(?:번역|요청|도와)
  | (?:क्षमा\ करें|माफ़\ करें|माफ\ करें|क्षमा\ चाह|खेद\ है)[^\n]{0,60}?(?:अनुवाद|अनुरोध|सहायता)
  | (?:מצטער|מתנצל|סליחה)[^\n]{0,60}?(?:לתרגם|תרגום|בקשה)
  | (?:أعتذر|عذر|آسف)[^\n]{0,60}?(?:ترجمة|أترجم|الطلب|طلبك)
    """
"""A refusal that speaks of the translation, of the request or of the model itself."""

_PHRASE: Final = re.IGNORECASE | re.VERBOSE

KEYWORDS: Final = (
    *("translat", "Translat", "let me know if", "ope this helps", "lease provide", "Here is"),
    *("Here's", "Sure", "Certainly", "assist", "comfortable", "copyright", "reproduc", "request"),
    *("text you", "fulfil", "comply", "s an AI", "s a large language", "s a language"),
    *("bersetz", "Anfrage", "raduire", "raduction", "raducir", "raducci", "radurre", "raduzione"),
    *(
        "raduzir",
        "radução",
        "raducere",
        "demande",
        "solicitud",
        "solicitação",
        "richiesta",
        "pedido",
    ),
    *("překlad", "Překlad", "přelož", "požadav", "žádost", "łumacz", "prośb"),
    *("ereklad", "перевод", "Перевод", "перевест", "перекла", "Перекла", "превод", "Превод"),
    *("ваш запрос", "выполнить", "запит", "evir", "talep", "istek"),
    *("ertaling", "versättning", "versættelse", "äännös", "ordítás", "ản dịch", "erjemahan"),
    *(
        "翻译",
        "翻譯",
        "译文",
        "譯文",
        "翻訳",
        "请求",
        "請求",
        "协助",
        "ご要望",
        "リクエスト",
        "お手伝い",
    ),
    *("번역", "요청", "도와", "अनुवाद", "अनुरोध", "सहायता", "תרגום", "לתרגם", "בקשה"),
    *("ترجم", "الطلب", "طلبك"),
)
"""Each match of a pattern contains one of them; without first letters that may be upper case."""


Counted: TypeAlias = NDArray[np.int64]

SEPARATOR: Final = "\x1e"
_CONTINUATION: Final = "\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_CYRILLIC_CONTINUATION: Final = "".join(
    {bytes([byte]).decode("cp1251", "ignore") for byte in range(0x80, 0xC0)}
)

_HTML: Final = (
    "a|abbr|b|big|blockquote|body|br|center|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|s"
    "|script|small|span|strong|strike|style|sub|sup|table|tbody|td|th|tr|u|ul|bpt|ept|g|it|ph|seg|x"
)

PATTERNS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "entities": (
        ("&", r"&(?:[A-Za-z]{2,8}[0-9]{0,2}|#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,5});"),
        ("&", r"& ?(?:quot|amp|apos|lt|gt|nbsp|# ?39|# ?34) ;"),
    ),
    "tags": (
        ("<", rf"</?(?:{_HTML})(?:\s[^<>{SEPARATOR}]*)?/?>(?<!<s>)(?<!</s>)"),
        ("**", rf"\*\*[^*\s{SEPARATOR}][^*{SEPARATOR}]*\*\*"),
    ),
    "placeholders": (
        ("<", rf"<(?!/?(?:{_HTML})[\s/>])[A-Za-z_]{{2,20}}[0-9]{{0,3}}>|</?s>|<\|[\w ]{{1,30}}\|>"),
        ("[", r"\[(?:UNK|PAD|MASK|CLS|SEP|/?INST|BLANK|NUM|URL|NAME)\]"),
        ("\u2047", "\u2047"),
        ("{", r"\{\{?\w{0,30}\}?\}"),
        ("%", r"%(?:[0-9]\$)?[sd]\b(?<![0-9] %[sd])(?<![0-9]%[sd])"),
        ("__", r"__\w+?__"),
        ("UNK", r"UNK(?<![^\W_]UNK)(?![^\W_])"),
    ),
    "subwords": (("@@", r"@@(?= )"), ("@-@", "@-@"), ("\u2581", "\u2581")),
    "replacement characters": (("\ufffd", "\ufffd"),),
    "escaped breaks": (("\\n", r"\\n"),),
    "breaks": (("\n", "\n"), ("\u0085", "\u0085"), ("\u2028", "\u2028"), ("\u2029", "\u2029")),
    "loose marks": ((" ", rf" (?:[,.，。、](?=[ {SEPARATOR}])|n't\b|'s\b)"),),
    "fences": (("```", "```"),),
}
"""What is counted, by name: a literal without which there is no match, and the pattern.

“**” is Markdown's bold; U+2047 is what SentencePiece writes for an unknown piece and U+2581 its
blank; “@@” and “@-@” are left by subword-nmt and Moses."""
_FIRM_MARKS: Final = re.compile(r"(?<=[^ ])[,.，。、](?= |$)")
_SPACED: Final = re.compile("(?<=[\u3040-\u30ff\u3400-\u9fff]) (?=[\u3040-\u30ff\u3400-\u9fff])")
_SPACED_LETTERS: Final = 2
"""Blanks between Han or Kana that are no tokenization: names, and titles in a row."""

_MOJIBAKE: Final = {
    "cp1252": (
        rf"(?:[\u00c2-\u00df][{_CONTINUATION}]|[\u00e0-\u00ef][{_CONTINUATION}]{{2}}"
        rf"|[\u00f0-\u00f4][{_CONTINUATION}]{{3}})+"
    ),
    "cp1251": f"(?:[РС][{re.escape(_CYRILLIC_CONTINUATION)}]){{3,}}",
}
"""UTF-8 read by a code page. Of Windows-1251 a single pair may be honest: “СССР»” ends in one."""

_COMMON: Final = frozenset("‘’“”„–—…•€«»°£\u00a0" + "".join(map(chr, range(0xC0, 0x180))))
_UPPER, _LOWER = 1, 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutputColumn:
    """The texts of a system, a reference or the source, joined so that one search finds all."""

    texts: tuple[str, ...] = field(repr=False)
    joined: str = field(repr=False)
    starts: Counted = field(repr=False)

    @classmethod
    def of(cls, texts: Texts) -> "OutputColumn":
        """Missing texts are empty."""
        known = tuple((text or "").replace(SEPARATOR, " ") for text in texts.to_list())
        lengths = np.fromiter(map(len, known), np.int64, len(known))
        starts = np.concatenate([[0], np.cumsum(lengths + 1)[:-1]]) if known else lengths
        return cls(texts=known, joined=SEPARATOR.join([*known, ""]), starts=starts)

    def count(self, positions: Iterable[int]) -> Counted:
        """How many of these positions of ``joined`` each text has."""
        places = np.fromiter(positions, np.int64)
        owners = np.searchsorted(self.starts, places, side="right") - 1
        return np.bincount(owners, minlength=len(self.texts))

    def matches(
        self, pattern: str, literal: str, valid: Callable[[str], bool] | None = None
    ) -> Counted:
        """How many matches each text has; there is none where the literal is not."""
        if literal not in self.joined:
            return np.zeros(len(self.texts), np.int64)
        hits = re.finditer(pattern, self.joined)
        return self.count(match.start() for match in hits if valid is None or valid(match.group()))

    def owners(self, positions: NDArray[np.intp]) -> list[int]:
        """The texts that have some positions of ``joined``."""
        return sorted(set((np.searchsorted(self.starts, positions, side="right") - 1).tolist()))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marks:
    """Marks of damage in each text of a column, by the names of ``PATTERNS`` and a few more.

    ``upper`` and ``lower`` count letters.
    """

    counts: dict[str, Counted] = field(repr=False)
    upper: Counted = field(repr=False)
    lower: Counted = field(repr=False)

    @classmethod
    def of(cls, column: OutputColumn, alphabet: frozenset[str]) -> "Marks":
        """Search all texts; ``alphabet`` are the characters that the references have."""
        codes = np.frombuffer(column.joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        counts = {name: _count(column, name) for name in PATTERNS}
        counts["mojibake"] = _mojibake(column, codes, alphabet) + counts["replacement characters"]
        counts["chatter"], counts["refusals"] = _phrases(column)
        counts["chatter"] += counts["fences"]
        counts["tokenized"] = _tokenized(column, counts["loose marks"], codes)
        letters = _case_table()[np.minimum(codes, 0xFFFF)]
        return cls(
            counts=counts,
            upper=_sums(letters == _UPPER, column.starts),
            lower=_sums(letters == _LOWER, column.starts),
        )


def _count(column: OutputColumn, name: str) -> Counted:
    valid = _is_entity if name == "entities" else None
    result = np.zeros(len(column.texts), np.int64)
    for literal, pattern in PATTERNS[name]:
        result = result + column.matches(pattern, literal, valid)
    return result


def _is_entity(text: str) -> bool:
    from html.entities import html5

    name = text[1:].replace(" ", "")
    return name.startswith("#") or name in html5


def _mojibake(column: OutputColumn, codes: NDArray[np.uint32], alphabet: frozenset[str]) -> Counted:
    """Runs of characters that are UTF-8 read by a code page, and make sense as UTF-8.

    They make sense if what they stand for are characters that the references have, or the quotes,
    dashes and accented letters that any text may have: “à »” with a no-break space would be a
    letter of the Samaritan script.
    """
    result = np.zeros(len(column.texts), np.int64)
    low = np.minimum(codes, 0xFFFF)
    for code_page, pattern in _MOJIBAKE.items():
        lead, continuation = _byte_tables(code_page)
        starts = np.flatnonzero(lead[low[:-1]] & continuation[low[1:]])
        for index in column.owners(starts):
            result[index] += sum(
                _sensible(_recoded(run, code_page), alphabet)
                for run in re.findall(pattern, column.texts[index])
            )
    return result


@cache
def _byte_tables(code_page: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Characters for the first byte of a letter of UTF-8 in a code page, and for those after it."""
    lead, continuation = np.zeros(0x10000, bool), np.zeros(0x10000, bool)
    for byte in range(0x80, 0xF5):
        character = bytes([byte]).decode(code_page, "ignore") or chr(byte)
        (continuation if byte < 0xC0 else lead)[ord(character)] = byte not in {0xC0, 0xC1}
    return lead, continuation


def _recoded(text: str, code_page: str) -> str:
    """The text that was read by the wrong code page; bytes that it lacks were kept as they are."""
    data = bytearray()
    for character in text:
        try:
            data += character.encode(code_page)
        except UnicodeEncodeError:
            if ord(character) > 0xFF:
                return ""
            data.append(ord(character))
    return data.decode("utf-8", "replace")


def _sensible(text: str, alphabet: frozenset[str]) -> bool:
    return 2 * sum(character in alphabet or character in _COMMON for character in text) > len(text)


def _phrases(column: OutputColumn) -> tuple[Counted, Counted]:
    """Texts with a remark on the translation, and with a refusal to translate."""
    # In bytes: Python searches them at the same speed whatever characters the texts have.
    data, characters = column.joined.encode("utf-8", "surrogatepass"), set(column.joined)
    words = [keyword.encode() for keyword in KEYWORDS if characters.issuperset(keyword)]
    positions = [position for word in words for position in _positions(data, word)]
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord(SEPARATOR))
    chatter = np.zeros(len(column.texts), np.int64)
    refusals = np.zeros_like(chatter)
    for index in sorted(set(np.searchsorted(ends, positions).tolist())):
        text = column.texts[index].replace("\u2019", "'")
        refusals[index] = re.search(REFUSALS, text, _PHRASE) is not None
        announced = re.search(CHATTER, text, _PHRASE)
        chatter[index] = not refusals[index] and announced is not None
    return chatter, refusals


def _positions(text: bytes, part: bytes) -> list[int]:
    result, position = [], text.find(part)
    while position >= 0:
        result.append(position)
        position = text.find(part, position + 1)
    return result


@cache
def _case_table() -> NDArray[np.uint8]:
    """Of every character of the basic plane whether it is upper or lower case."""
    characters = map(chr, range(0x10000))
    return np.fromiter(
        (
            _UPPER if character.isupper() else _LOWER if character.islower() else 0
            for character in characters
        ),
        np.uint8,
        0x10000,
    )


def _tokenized(column: OutputColumn, loose: Counted, codes: NDArray[np.uint32]) -> Counted:
    """1 for texts whose commas and periods all stand alone, or whose letters do in Han and Kana.

    One comma that stands alone is a slip, as long as others do not.
    """
    result = np.zeros(len(column.texts), np.int64)
    for index in np.flatnonzero(loose).tolist():
        result[index] = _FIRM_MARKS.search(column.texts[index]) is None
    blanks = np.flatnonzero(
        (codes[1:-1] == ord(" ")) & (codes[2:] >= 0x3040) & (codes[:-2] >= 0x3040)
    )
    for index in column.owners(blanks):
        result[index] |= len(_SPACED.findall(column.texts[index])) > _SPACED_LETTERS
    return result


def _sums(mask: NDArray[np.bool_], starts: Counted) -> Counted:
    if not len(starts):
        return starts
    sums: Counted = np.add.reduceat(mask.astype(np.int64), starts)
    return sums


def alphabet_of(columns: Sequence[OutputColumn]) -> frozenset[str]:
    """All characters of some columns."""
    return frozenset().union(*(set(column.joined) for column in columns))


def echoes(column: OutputColumn, sources: OutputColumn) -> NDArray[np.bool_]:
    """Texts that have the whole source in them, and more."""
    return np.array(
        [
            len(source) >= ECHOED and len(text) >= LONGER * len(source) and source in text
            for text, source in zip(column.texts, sources.texts, strict=True)
        ],
        bool,
    )


ECHOED: Final = 15
"""Characters of a source that is hardly a part of its translation by chance."""
LONGER: Final = 1.3
"""By how much the text is longer than the source that it has in it."""


def excerpt(text: str, kind: str, most: int = 60) -> str:
    """The part of a text around its first mark, or its beginning."""
    patterns = [pattern for _, pattern in PATTERNS.get(kind, ())]
    if kind == "mojibake":
        patterns = ["\ufffd", *_MOJIBAKE.values()]
    elif kind == "tokenized":
        patterns = [pattern for _, pattern in PATTERNS["loose marks"]]
    starts = [
        match.start() for pattern in patterns if (match := re.search(pattern, text + SEPARATOR))
    ]
    start = max(0, min(starts, default=0) - most // 2)
    part = " ".join(text[start : start + most].split())
    return f"{'…' if start else ''}{part}{'…' if len(text) > start + most else ''}"
