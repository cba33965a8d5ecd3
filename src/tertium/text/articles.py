"""Articles as columns of paragraphs, aligned by document and number.

A file has articles in mark-up (`annotations.articles`); in a folder every file is an article that
is called after it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.text.annotations.muc import Article, articles_of, is_articles, paragraphs_of, parse_muc
from tertium.text.files import TextFile
from tertium.text.formats.table import ReadingOptions
from tertium.text.formats.xml_events import declared_text
from tertium.text.inputs import PlainText
from tertium.text.keyed_segments import Records

__all__ = ["ArticleUnit", "aligned_articles", "is_articles", "read_articles", "read_folder"]

ArticleUnit: TypeAlias = Literal["paragraph", "document"]


def read_muc(file: TextFile, _options: ReadingOptions) -> Records | PlainText:
    """The paragraphs of articles, or a segment a line."""
    return read_articles(file) if is_articles(file) else PlainText(file)


def read_articles(file: TextFile) -> Records:
    """The paragraphs of all the articles of a file."""
    return _records(file.name, list(articles_of(file)))


def read_folder(folder: Path) -> Records:
    """The paragraphs of all the files of a folder; each file is an article."""
    name = str(folder)
    articles = []
    for path in sorted(folder.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            file = TextFile.find(path)
            paragraphs = tuple(paragraphs_of(declared_text(file), 1))
            articles.append(Article(name=path.stem, place=str(path), paragraphs=paragraphs))
    if not articles:
        raise InputError(f"{name}: found no file, expected one for every article")
    return replace(_records(name, articles), is_folder=True)


def _records(name: str, articles: Sequence[Article]) -> Records:
    seen: dict[str, str] = {}
    for article in articles:
        if article.name in seen:
            raise InputError(f"{name}: document '{article.name}' twice, expected once")
        seen[article.name] = article.place
    rows = [
        (article.name, str(number), paragraph.marked, f"{article.place}:{paragraph.line}")
        for article in articles
        for number, paragraph in enumerate(article.paragraphs, 1)
    ]
    plain = Texts([parse_muc(marked, place).text for _, _, marked, place in rows])
    documents = tuple(document for document, _, _, _ in rows)
    paragraphs = tuple(number for _, number, _, _ in rows)
    return Records(
        name=name,
        size=len(rows),
        found=("articles",),
        keys=tuple(zip(documents, paragraphs, strict=True)),
        source=plain,
        references=(Texts([marked for _, _, marked, _ in rows]),),
        systems=((None, plain),),
        documents=documents,
        paragraphs=paragraphs,
        any_role=True,
        articles=True,
    )


def aligned_articles(files: Sequence[Records], unit: ArticleUnit) -> list[Records]:
    """The files with the same documents and paragraphs, in the order of the first of them.

    With the unit "document" an article may be divided differently: where a file has fewer
    paragraphs than another, empty ones are added, which changes nothing that is counted by
    document. With the unit "paragraph" that is an error.
    """
    if unit not in get_args(ArticleUnit):
        raise OptionError(f"articles: found '{unit}', expected paragraph or document")
    if not files:
        return []
    sizes = [_sizes(file) for file in files]
    first = files[0]
    for file, counts in zip(files, sizes, strict=True):
        for name in sizes[0]:
            if name not in counts:
                raise InputError(f"{file.name}: no document '{name}', expected as in {first.name}")
        for name, found in counts.items():
            if name not in sizes[0]:
                raise InputError(
                    f"{file.name}: document '{name}', expected only those of {first.name}"
                )
            if unit == "paragraph" and found != sizes[0][name]:
                raise InputError(
                    f"{file.name}: document '{name}': {found} paragraphs, expected "
                    f"{sizes[0][name]} (as in {first.name}); --unit document needs only the same "
                    "documents"
                )
    wanted = {name: max(counts[name] for counts in sizes) for name in sizes[0]}
    return [_filled(file, wanted) for file in files]


def _sizes(records: Records) -> dict[str, int]:
    counts: dict[str, int] = {}
    for document in records.documents or ():
        counts[document] = counts.get(document, 0) + 1
    return counts


def _filled(records: Records, wanted: Mapping[str, int]) -> Records:
    keys = tuple((name, str(k)) for name, size in wanted.items() for k in range(1, size + 1))
    if keys == records.keys:
        return records
    places = {key: index for index, key in enumerate(records.keys or ())}

    def moved(column: Texts) -> Texts:
        return Texts([column[places[key]] if key in places else "" for key in keys])

    return replace(
        records,
        size=len(keys),
        keys=keys,
        source=None if records.source is None else moved(records.source),
        references=tuple(map(moved, records.references)),
        systems=tuple((name, moved(column)) for name, column in records.systems),
        documents=tuple(document for document, _ in keys),
        paragraphs=tuple(paragraph for _, paragraph in keys),
    )
