"""Remarks and refusals of chat models are known in many languages, and honest text is none."""

import numpy as np
import pytest

from tertium._native import Texts
from tertium.audit.damage_marks import Marks, OutputColumn

CHATTER = [
    "Here is the translation: The house is green.",
    "Here's the English translation of the text:\nThe house is green.",
    "Sure! Here is the text in German: Das Haus ist grün.",
    "Certainly, here's the translated text: Das Haus ist grün.",
    "Translation: The house is green.",
    "The house is green. (Translator's note: literally, verdant.)",
    "Please provide the text you would like me to translate.",
    "Hier ist die Übersetzung: Das Haus ist grün.",
    "Voici la traduction : La maison est verte.",
    "Aquí tienes la traducción: La casa es verde.",
    "Ecco la traduzione: La casa è verde.",
    "Aqui está a tradução: A casa é verde.",
    "Zde je překlad: Dům je zelený.",
    "Oto tłumaczenie: Dom jest zielony.",
    "Вот перевод: Дом зелёный.",
    "Перевод: Дом зелёный.",
    "Ось переклад: Дім зелений.",
    "İşte çeviri: Ev yeşil.",
    "以下是翻译：房子是绿色的。",
    "翻译：房子是绿色的。",
    "以下は翻訳です：家は緑です。",
    "다음은 번역입니다: 집은 초록색입니다.",
    "यहाँ अनुवाद है: घर हरा है।",
    "הנה התרגום: הבית ירוק.",
    "إليك الترجمة: البيت أخضر.",
]
REFUSALS = [
    "I apologize, but I don't feel comfortable translating that particular text.",
    "I'm sorry, but I can't assist with that request.",
    "I cannot translate or reproduce that specific text.",
    "As an AI language model, I have no opinion.",
    "Es tut mir leid, aber ich kann diesen Text nicht übersetzen.",
    "Je suis désolé, mais je ne peux pas traduire ce texte.",
    "Lo siento, pero no puedo traducir este texto.",
    "Omlouvám se, ale tento text nemohu přeložit.",
    "Przepraszam, ale nie mogę przetłumaczyć tego tekstu.",
    "Извините, но я не могу перевести этот текст.",
    "К сожалению, я не могу выполнить ваш запрос.",
    "Вибачте, але я не можу перекласти цей текст.",
    "很抱歉，我无法翻译这段文字。",
    "申し訳ありませんが、このテキストは翻訳できません。",
    "죄송하지만 이 글은 번역할 수 없습니다.",
    "क्षमा करें, मैं इसका अनुवाद नहीं कर सकता।",
    "מצטער, אני לא יכול לתרגם את הטקסט הזה.",
    "أعتذر، لا أستطيع ترجمة هذا النص.",
]
HONEST = [
    "I'm sorry, but I can't come tonight.",
    "Unfortunately, I have no more time for you.",
    "Of course, the minister said, here the law is clear.",
    "Here is the house that Jack built.",
    "Sure, he can do that.",
    "The translation of the book was published in 2010.",
    "He could not assist the injured man.",
    "Es tut mir leid, dass du krank bist.",
    "К сожалению, он не смог прийти.",
    "Перевод денег занял два дня.",
    "Omlouvám se, že jdu pozdě.",
    "很抱歉，我迟到了。",
    "Вот дом, который построил Джек.",
]


def marks(texts: list[str]) -> Marks:
    return Marks.of(OutputColumn.of(Texts(texts)), frozenset())


@pytest.mark.parametrize("text", CHATTER)
def test_chatter_is_found(text: str) -> None:
    assert marks(["", text]).counts["chatter"].tolist() == [0, 1]


@pytest.mark.parametrize("text", REFUSALS)
def test_refusals_are_found(text: str) -> None:
    counts = marks([text, ""]).counts
    assert counts["refusals"].tolist() == [1, 0]
    assert counts["chatter"].tolist() == [0, 0]


def test_honest_text_is_neither() -> None:
    counts = marks(HONEST).counts
    assert np.flatnonzero(counts["chatter"] + counts["refusals"]).tolist() == []
