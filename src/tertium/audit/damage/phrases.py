"""What chat models say instead of a translation, or around it, in the languages they say it in.

Each phrase speaks of the translation or of the request itself, so that an honest translation of an
apology ("I'm sorry, but I can't come") is none. A keyword is searched for first, because a search
for a literal string is far faster than a regular expression; only texts that contain one are held
against the patterns. To add a language, add its phrases here and a row to the tests.
"""

import re
from typing import Final

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

CHATTER: Final = re.compile(
    rf"""
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
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A remark on the translation: its announcement, its heading, a note, an offer of more."""

REFUSALS: Final = re.compile(
    r"""
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
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A refusal that speaks of the translation, of the request or of the model itself."""

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
