"""TER as Snover et al. (2006) describe it: shifts found greedily, then the edit distance.

Where the paper leaves a choice (which alignment, where exactly a block may go, which of equally
good shifts), the answer is sacreBLEU's. There is no beam, so texts must be short.
"""

from collections.abc import Iterator

LONGEST, FARTHEST, ENOUGH = 10, 50, 1000

Words = list[str]
Shift = tuple[int, int, int]
"""(start, length, target): the block comes to stand before the word that was at `target`."""


def table(hypothesis: Words, reference: Words) -> list[list[int]]:
    """d[i][j]: edits between the first i words and the first j words."""
    rows = [list(range(len(reference) + 1))]
    for i, word in enumerate(hypothesis, 1):
        row = [i]
        for j, other in enumerate(reference, 1):
            row.append(min(rows[-1][j - 1] + (word != other), rows[-1][j] + 1, row[-1] + 1))
        rows.append(row)
    return rows


def distance(hypothesis: Words, reference: Words) -> int:
    return table(hypothesis, reference)[-1][-1]


def moves(hypothesis: Words, reference: Words) -> str:
    """From the end: a match or substitution if possible, else an insertion, else a deletion."""
    d, i, j, path = table(hypothesis, reference), len(hypothesis), len(reference), ""
    while i or j:
        different = i and j and hypothesis[i - 1] != reference[j - 1]
        if i and j and d[i][j] == d[i - 1][j - 1] + different:
            i, j, path = i - 1, j - 1, path + ("S" if different else "=")
        elif i and d[i][j] == d[i - 1][j] + 1:
            i, path = i - 1, path + "I"
        else:
            j, path = j - 1, path + "D"
    return path[::-1]


def candidates(hypothesis: Words, reference: Words) -> Iterator[list[Shift]]:
    """Blocks that equal the reference elsewhere, are wrong here and missing there."""
    wrong_words: list[bool] = []
    wrong_positions: list[bool] = []
    behind: list[int] = []  # by position: the place behind the word aligned with it
    for move in moves(hypothesis, reference):
        if move != "D":
            wrong_words.append(move != "=")
        if move != "I":
            wrong_positions.append(move != "=")
            behind.append(len(wrong_words))
    for start in range(len(hypothesis)):
        for match in range(len(reference)):
            for length in range(1, LONGEST + 1):
                block = slice(start, start + length)
                there = slice(match, match + length)
                if hypothesis[block] != reference[there] or len(hypothesis[block]) < length:
                    break
                if (
                    any(wrong_words[block])
                    and any(wrong_positions[there])
                    and abs(start - match) <= FARTHEST
                    and not start < behind[match] <= start + length
                ):
                    targets = {0 if match == 0 else behind[match - 1], *behind[there]}
                    yield [(start, length, target) for target in sorted(targets)]


def shifted(words: Words, shift: Shift) -> Words:
    start, length, target = shift
    rest = words[:start] + words[start + length :]
    at = target - length if target > start + length else target
    return rest[:at] + words[start : start + length] + rest[at:]


def ter(hypothesis: Words, reference: Words) -> tuple[int, int]:
    """(all edits, shifts among them)"""
    if not reference:
        return len(hypothesis), 0
    shifts = tried = 0
    while True:
        now = distance(hypothesis, reference)
        ranked = []
        for group in candidates(hypothesis, reference):
            for start, length, target in group:
                words = shifted(hypothesis, (start, length, target))
                gain = now - distance(words, reference)
                ranked.append((gain, length, -start, -target, words))
            tried += len(group)
            if tried >= ENOUGH:
                return now + shifts, shifts
        if not ranked or max(ranked)[0] <= 0:
            return now + shifts, shifts
        hypothesis = max(ranked)[-1]
        shifts += 1
