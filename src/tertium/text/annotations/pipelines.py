"""Entities that a recogniser finds: any spaCy pipeline, by name or by path."""

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.text.annotations.annotated_text import AnnotatedText, Entity

_KNOWN: Final = "spacy"


def annotate(texts: Sequence[str], recogniser: str) -> list[AnnotatedText]:
    """The texts with the entities of a recogniser such as ``spacy:en_core_web_sm``."""
    kind, colon, name = recogniser.partition(":")
    if kind != _KNOWN or not colon or not name:
        raise OptionError(
            f"recogniser: found '{recogniser}', expected spacy: and the name or path of a pipeline"
        )
    pipeline = _pipeline(name)
    return [_annotated(document) for document in pipeline.pipe(texts)]


def _pipeline(name: str) -> Any:
    try:
        spacy = import_module("spacy")
    except ImportError:
        raise MissingExtraError(
            f"spacy:{name}: the package spacy is missing, "
            f"expected for its pipelines: {install_hint('spacy')}"
        ) from None
    try:
        return spacy.load(name)
    except OSError as error:  # no such package, or not a folder of a pipeline
        found = re.sub(r"^\[\w+\]\s*", "", str(error)).partition(". ")[0].rstrip(".")
        raise MissingExtraError(
            f"spacy:{name}: {found}, expected an installed pipeline "
            f"(python -m spacy download {name}) or its folder"
        ) from None


def _annotated(document: Any) -> AnnotatedText:
    entities = (
        Entity(
            start=one.start_char,
            end=one.end_char,
            label=one.label_ or "ENTITY",
            attributes={
                key: value for key, value in (("id", one.ent_id_), ("kb_id", one.kb_id_)) if value
            },
        )
        for one in document.ents
    )
    return AnnotatedText(text=document.text, entities=tuple(entities))
