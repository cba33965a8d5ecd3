"""What the core sees of texts for the audit of copies, as plainly as Python allows."""

import unicodedata
from collections import Counter


def code_points(text: str) -> str:
    """Blanks as one, none at the ends."""
    return " ".join(text.split())


def overlap(left: str, right: str) -> float:
    """Dice's coefficient of character trigrams, ASCII letters in lower case."""
    bags = [trigrams(one) for one in (left, right)]
    if not any(bags):
        return 1.0
    common = (bags[0] & bags[1]).total()
    return 2 * common / (bags[0].total() + bags[1].total())


def trigrams(text: str) -> Counter[str]:
    folded = "".join(one.lower() if one.isascii() else one for one in code_points(text))
    padded = f" {folded} " if folded else ""
    return Counter(padded[i : i + 3] for i in range(len(padded) - 2))


def words(text: str) -> list[str]:
    """Runs of letters and digits with a letter among them; Chinese characters one by one."""
    found, current = [], ""
    for character in f"{code_points(text)} ":
        kind = unicodedata.category(character)[0]
        chinese = "\u4e00" <= character <= "\u9fff"
        if kind in "ZPS" or chinese:
            if any(unicodedata.category(one)[0] != "N" for one in current):
                found.append(current)
            current = ""
            if chinese:
                found.append(character)
        else:
            current += character.lower() if character.isascii() else character
    return found


def looped(text: str) -> int:
    """The words of the longest stretch in which the same words come four times in a row."""
    some = words(text)
    best = 0
    for start in range(len(some)):
        for period in range(1, (len(some) - start) // 4 + 1):
            end = start + period
            while end < len(some) and some[end] == some[end - period]:
                end += 1
            if end - start >= 4 * period:
                best = max(best, end - start)
    return best
