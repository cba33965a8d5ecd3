"""Stems as Meteor 1.5 has them; every expected stem was printed by the program's own stemmers."""

import pytest

import tertium
from tertium.metrics.meteor.resources import OLD_RULES, meteor_stems

pytest.importorskip("Stemmer")

# language -> word:stem
STEMS = {
    "german": """ergebnis:ergebnis ergebnisse:ergebniss ergebnissen:ergebniss ergebnisses:ergebniss
        verhältnisse:verhaltniss geheimnissen:geheimniss kenntnis:kenntnis größe:gross nissan:nissan
        nisse:niss kürbisse:kurbiss wissen:wiss""",
    "french": """gaëlle:gaëll noël:noël naïve:naïv naïveté:naïvet ouïe:ouï mosaïque:mosaïqu
        laïque:laïqu ambiguë:ambigu ambiguës:ambigu ambiguëment:ambigu aiguë:aiguë haïr:haïr
        maïs:maï canoë:canoë""",
    "russian": """ещё:ещё всё:всё её:её моём:моём ёлка:ёлка ёлки:ёлки берёза:берёз берёзами:берёз
        самолёта:самолёт пятёрка:пятёрк далёкий:далёк""",
    "hungarian": "nőkkel:nőkkel időből:időből erdőben:erdő fűtől:fűtől bõl:bõl esõbõl:esõ",
    "portuguese": """psicologia:psicolog biologias:biolog solução:soluçã soluções:soluçõ
        psicología:psicologí revolución:revolu revoluciones:revolu logia:log""",
    "danish": "huse:hus sønner:søn 100:100 f16--:f16-- abc00:abc0 venlighed:ven",
    "finnish": """asioiden:asioid maiden:maide talojen:talo huoneeseen:huonees 100:10
        tietokoneisiin:tietokoneis opiskelijoittenkin:opiskelijoit asioidenkin:asioid
        hakattu:hakatu""",
    "spanish": "naciones:nacion habitación:habit cariñosamente:cariñ",
    "english": "relational:relat national:nation happily:happili",
}


@pytest.mark.parametrize("language", STEMS)
def test_stems_of_the_program(language: str) -> None:
    expected = dict(pair.split(":") for pair in STEMS[language].split())
    assert dict(zip(expected, meteor_stems(language, list(expected)), strict=True)) == expected


def test_every_rule_has_words_here() -> None:
    assert set(OLD_RULES) <= set(STEMS)


def test_german_results() -> None:
    """Meteor 1.5 with -l de and the stages exact and stem prints 0.32625."""
    hypothesis, reference = ["das ergebnis war gut"], ["die ergebnisse waren gut"]
    metric = "meteor[language=de,stages=exact+stem]"
    assert tertium.score(hypothesis, reference, metric).value == pytest.approx(32.625)
