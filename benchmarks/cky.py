"""Real forests of arity 2: CKY parsing with a hierarchical grammar of Joshua (Chiang, 2007).

Reads ``[X] ||| source ||| target ||| numbers`` and a glue grammar, parses a sentence bottom-up and
returns the forest of all translations. Words that no rule translates alone are left as they are.
There is no language model in it, as its states would make the forest one of strings, not of rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike

from tertium.decode.formats.numbered_lines import Damages, cut, number, numbered_lines
from tertium.decode.structures.forest import Forest
from tertium.text.files import TextFile

Node = tuple[str, int, int]
"""A category and its span."""


@dataclass(slots=True, kw_only=True)
class Dot:
    """A state of the prefix tree over the source sides: where words and categories lead."""

    words: dict[str, "Dot"] = field(default_factory=dict)
    categories: dict[str, "Dot"] = field(default_factory=dict)
    rules: list["Rule"] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a source side is translated to; numbers among the symbols say which category."""

    head: str
    target: tuple[str | int, ...]
    features: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """Rules by their source sides."""

    root: Dot
    names: tuple[str, ...]

    @classmethod
    def read(cls, rules: str | PathLike[str], glue: str | PathLike[str]) -> "Grammar":
        """Both files; a rule's numbers are costs, so features are their negatives."""
        root, names = Dot(), dict.fromkeys(("tm_glue_0", "OOVPenalty", "WordPenalty"))
        for path, prefix in ((rules, "tm_pt"), (glue, "tm_glue")):
            for _, line in numbered_lines(TextFile.find(path), Damages()):
                if line.strip():
                    _add(root, line, prefix, names)
        return cls(root=root, names=tuple(names))

    def forest(self, sentence: str, *, longest: int = 20, name: str = "sentence") -> Forest:
        """All translations by rules that span at most so many words (glue rules any number)."""
        words = ["<s>", *cut(sentence), "</s>"]
        edges = list(_parsed(self.root, words, longest))
        goal = ("GOAL", 0, len(words))
        return Forest.build(edges, goal=goal, feature_names=self.names, name=name, trim=True)


def _add(root: Dot, line: str, prefix: str, names: dict[str, None]) -> None:
    head, source, target, numbers = (part.strip() for part in line.split("|||"))
    dot = root
    places: dict[str, int] = {}
    for symbol in cut(source):
        category = _category(symbol)
        if category:
            places[symbol] = len(places)
            dot = dot.categories.setdefault(category, Dot())
        else:
            dot = dot.words.setdefault(symbol, Dot())
    symbols = tuple(places.get(symbol, symbol) for symbol in cut(target))
    features = {
        f"{prefix}_{place}": -number(text)
        for place, text in enumerate(cut(numbers))
        if number(text)
    }
    spoken = [one for one in symbols if isinstance(one, str) and one not in {"<s>", "</s>"}]
    features["WordPenalty"] = -float(len(spoken))
    names.update(dict.fromkeys(features))
    symbols = tuple(one for one in symbols if one not in {"<s>", "</s>"})
    dot.rules.append(Rule(head=head.strip("[]"), target=symbols, features=features))


def _category(symbol: str) -> str:
    """The category of ``[X,1]``; nothing for a word."""
    return symbol[1:].partition(",")[0] if symbol[0] == "[" and symbol[-1] == "]" else ""


def _parsed(
    root: Dot, words: Sequence[str], longest: int
) -> Iterator[tuple[Node, list[str | Node], dict[str, float]]]:
    """Hyperedges, short spans first: head, target side, features."""
    found: dict[tuple[str, int], set[int]] = {}  # category and begin → ends
    for size in range(1, len(words) + 1):
        for begin in range(len(words) - size + 1):
            end = begin + size
            for rule, tails in _matches(root, words, begin, end, found):
                if rule.head != "GOAL" and size > longest:
                    continue
                found.setdefault((rule.head, begin), set()).add(end)
                symbols = [tails[one] if isinstance(one, int) else one for one in rule.target]
                yield (rule.head, begin, end), symbols, rule.features
            if size == 1 and ("X", begin) not in found and 0 < begin < len(words) - 1:
                found.setdefault(("X", begin), set()).add(end)
                unknown = {"OOVPenalty": 1.0, "WordPenalty": -1.0}
                yield ("X", begin, end), [words[begin]], unknown


def _matches(
    root: Dot,
    words: Sequence[str],
    begin: int,
    end: int,
    found: dict[tuple[str, int], set[int]],
) -> Iterator[tuple[Rule, list[Node]]]:
    """The rules whose source side covers exactly this span, and what they are made from."""
    waiting: list[tuple[Dot, int, list[Node]]] = [(root, begin, [])]
    while waiting:
        dot, place, tails = waiting.pop()
        if place == end:
            for rule in dot.rules:
                yield rule, tails
            continue
        after = dot.words.get(words[place])
        if after is not None:
            waiting.append((after, place + 1, tails))
        for category, following in dot.categories.items():
            waiting.extend(
                (following, stop, [*tails, (category, place, stop)])
                for stop in sorted(found.get((category, place), ()))
                if stop <= end and (stop < end or place > begin)
            )
