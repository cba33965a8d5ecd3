"""Sentences in Hebrew and Arabic, with outputs of two systems, for tests of what runs left."""

from tertium._native import Texts
from tertium.text.corpus import Corpus, System
from tertium.text.references import References

HEBREW = [
    "הרכבת הראשונה יוצאת מחיפה בשבע בבוקר .",
    "IBM פתחה אתמול משרד חדש בירושלים .",
    "הגשם נמשך כל הלילה והכביש נסגר .",
    "היא קראה את הספר בשלושה ימים .",
    "השוק נפתח מאוחר בגלל החג .",
    "הילדים שיחקו בחצר עד הערב .",
]
ARABIC = [
    "يغادر القطار الأول من المدينة في السابعة صباحا .",
    "افتتحت IBM أمس مكتبا جديدا في القدس .",
    "استمر المطر طوال الليل وأغلق الطريق .",
    "قرأت الكتاب في ثلاثة أيام .",
    "فتح السوق متأخرا بسبب العيد .",
    "لعب الأطفال في الساحة حتى المساء .",
]
LANGUAGES = {"Hebrew": HEBREW, "Arabic": ARABIC}


def right_to_left(language: str) -> tuple[Corpus, list[System]]:
    """Twelve segments; one system loses a word of each, the other has its end in front."""
    lines = LANGUAGES[language] * 2
    words = [line.split() for line in lines]
    shorter = [" ".join(some[:1] + some[2:]) for some in words]
    moved = [" ".join(some[-3:-1] + some[:-3] + some[-1:]) for some in words]
    corpus = Corpus(references=References([Texts(lines)]), name=language, sources=Texts(lines))
    return corpus, [
        System(name="shorter", hypotheses=Texts(shorter)),
        System(name="moved", hypotheses=Texts(moved)),
    ]
