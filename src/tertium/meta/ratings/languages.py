"""Languages by the names and three-letter codes that files of ratings have for them."""

from typing import Final

_CODES: Final = """
    am:amharic,amh ar:arabic,ara be:belarusian,bel bg:bulgarian,bul bn:bengali,ben
    cs:czech,ces,cze,cz da:danish,dan de:german,deu,ger en:english,eng es:spanish,spa
    et:estonian,est fa:persian,fas,per fi:finnish,fin fr:french,fra,fre gu:gujarati,guj
    ha:hausa,hau he:hebrew,heb hi:hindi,hin hr:croatian,hrv
    ht:haitian,haitian_creole,hat hu:hungarian,hun hy:armenian,hye id:indonesian,ind
    is:icelandic,isl,ice it:italian,ita ja:japanese,jpn kk:kazakh,kaz km:khmer,khm
    ko:korean,kor lt:lithuanian,lit lv:latvian,lav mk:macedonian,mkd nl:dutch,nld,dut
    no:norwegian,nor pl:polish,pol ps:pashto,pus pt:portuguese,por ro:romanian,ron,rum
    ru:russian,rus sk:slovak,slk sl:slovenian,slv sr:serbian,srp sv:swedish,swe
    ta:tamil,tam th:thai,tha tr:turkish,tur uk:ukrainian,ukr vi:vietnamese,vie
    xh:xhosa,xho zh:chinese,zho,chi zu:zulu,zul
"""
LANGUAGES: Final = {
    name.replace("_", " "): code
    for entry in _CODES.split()
    for code, _, names in [entry.partition(":")]
    for name in names.split(",")
}
"""Name or three-letter code, in lower case → two-letter code."""


def language(name: str) -> str:
    """A two-letter code where the language is known, else the name in lower case.

    >>> language("Czech"), language("deu"), language("Klingon")
    ('cs', 'de', 'klingon')
    """
    key = name.strip().lower()
    return LANGUAGES.get(key, key)


def language_pair(text: str) -> str:
    """A pair as ratings are grouped by, whichever codes it has; other names stay as they are.

    >>> language_pair("eng-ces"), language_pair("en-zh_TW"), language_pair("news")
    ('en-cs', 'en-zh_TW', 'news')
    """
    return "-".join(LANGUAGES.get(part.lower(), part) for part in text.split("-"))
