"""Words with lemma and part of speech, from a tagger the user names."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, TypeAlias

from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.plurals import counted
from tertium.suggestions import did_you_mean
from tertium.text.tokenizers import THIRTEEN_A

HANTA_MODELS: Final = {"en": "en", "de": "ger", "nl": "dutch"}
"""Languages of the models inside the package HanTa."""
KINDS: Final = {"spacy": "spacy", "hanta": "HanTa"}
"""Kind of tagger → its module; the extra is called after the kind."""


class TaggedWord(NamedTuple):
    """A word as a tagger sees it; the lemma is lower-cased."""

    text: str
    lemma: str
    tag: str


TagFunction: TypeAlias = Callable[[Sequence[str]], Iterator[list[TaggedWord]]]


@dataclass(frozen=True, slots=True)
class Tagger:
    """``spacy:NAME`` for any installed pipeline or its folder, ``hanta:en``, ``:de``, ``:nl``.

    ``version``, where given (``spacy:NAME@3.8.0``), must be that of what is found. Nothing is
    loaded before it is used.

    >>> Tagger.parse("spacy:en_core_web_sm@3.8.0")
    Tagger(kind='spacy', name='en_core_web_sm', version='3.8.0')
    """

    kind: str
    name: str
    version: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise OptionError(did_you_mean("tagger", self.kind, KINDS))
        if self.kind == "hanta" and self.name not in HANTA_MODELS:
            raise OptionError(did_you_mean("language of hanta", self.name, HANTA_MODELS))
        if not self.name:
            raise OptionError("tagger: found no pipeline, expected spacy:NAME")

    @classmethod
    def parse(cls, text: str) -> "Tagger":
        """Read ``kind:name`` or ``kind:name@version``."""
        kind, _, rest = text.partition(":")
        name, _, wanted = rest.rpartition("@") if "@" in rest else (rest, "", "")
        return cls(kind, name, wanted)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" + (f"@{self.version}" if self.version else "")

    @property
    def missing(self) -> str | None:
        """What to install, if the package is not there; a pipeline may be lacking all the same."""
        if find_spec(KINDS[self.kind]) is not None:
            return None
        return (
            f"tagger '{self}': package '{KINDS[self.kind]}' is not installed; "
            f"{install_hint(self.kind)}"
        )

    def pinned(self) -> "Tagger":
        """The same with the version that is found here."""
        return replace(self, version=self._loaded()[0])

    def tag(self, texts: Sequence[str]) -> list[list[TaggedWord]]:
        """The words of every text."""
        return list(self._loaded()[1](texts))

    def _loaded(self) -> tuple[str, TagFunction]:
        if self.missing:
            raise MissingExtraError(self.missing)
        installed, function = _load(self.kind, self.name)
        if self.version and self.version != installed:
            raise OptionError(
                f"tagger '{self.kind}:{self.name}': found version {installed}, expected "
                f"{self.version}"
            )
        return installed, function


@cache
def _load(kind: str, name: str) -> tuple[str, TagFunction]:
    return _spacy(name) if kind == "spacy" else _hanta(name)


def _hanta(language: str) -> tuple[str, TagFunction]:
    from HanTa.HanoverTagger import HanoverTagger

    tagger = HanoverTagger(f"morphmodel_{HANTA_MODELS[language]}.pgz")

    def tag(texts: Sequence[str]) -> Iterator[list[TaggedWord]]:
        for text in texts:
            tagged = tagger.tag_sent(THIRTEEN_A.cut(text))
            yield [TaggedWord(word, lemma.lower(), tag) for word, lemma, tag in tagged]

    return version("HanTa"), tag


def _spacy(name: str) -> tuple[str, TagFunction]:
    import spacy

    try:
        # Neither part has a say in lemmas and tags, and they take most of the time.
        pipeline = spacy.load(name, exclude=["ner", "parser"])
    except OSError as error:
        found = str(error).partition("\n")[0]
        raise MissingExtraError(
            f"tagger 'spacy:{name}': {found} expected an installed pipeline or its folder; "
            "python -m spacy download NAME"
        ) from None

    def tag(texts: Sequence[str]) -> Iterator[list[TaggedWord]]:
        for number, text in enumerate(texts, 1):
            if len(text) > pipeline.max_length:
                raise InputError(
                    f"segment {number}: found {counted(len(text), 'character')}, "
                    f"expected at most {pipeline.max_length} (tagger 'spacy:{name}')"
                )
        for document in pipeline.pipe(texts):
            yield list(_checked(name, document))

    return str(pipeline.meta["version"]), tag


def _checked(name: str, document: Iterable[Any]) -> Iterator[TaggedWord]:
    """The words of a spaCy document; tags of the language before those of all languages."""
    for token in document:
        tag = token.tag_ or token.pos_
        lacking = "lemma" if not token.lemma_ else "part of speech" if not tag else ""
        if lacking and any(map(str.isalnum, token.text)):
            raise OptionError(
                f"tagger 'spacy:{name}': found no {lacking} of '{token.text}', "
                "expected a pipeline that gives every word a lemma and a part of speech"
            )
        yield TaggedWord(token.text, token.lemma_.lower(), tag)
