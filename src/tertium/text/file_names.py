"""What a file name says: compression, format and the name of the system.

The content of a file has the first word (`tertium.text.formats.content`).
"""

from os import PathLike, fspath, path

COMPRESSIONS = (".gz", ".xz", ".bz2", ".zst")
FORMATS = {
    ".txt": "text",
    ".tsv": "tsv",
    ".csv": "csv",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".xml": "xml",
    ".conllu": "conllu",
    ".muc": "muc",
    ".xlf": "xliff",
    ".xliff": "xliff",
    ".sdlxliff": "xliff",
    ".mqxliff": "xliff",
    ".mxliff": "xliff",
    ".tmx": "tmx",
    ".po": "po",
    ".pot": "po",
    ".srt": "srt",
    ".vtt": "vtt",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
}
KNOWN_FORMATS = tuple(dict.fromkeys(FORMATS.values()))


def compression_of(name: str) -> str:
    """The compression that the last extension names, or an empty string.

    >>> compression_of("ref.en.gz"), compression_of("ref.en")
    ('.gz', '')
    """
    suffix = _suffix(name)
    return suffix if suffix in COMPRESSIONS else ""


def format_of(name: str) -> str:
    """The format that the extension names; every other name is plain text.

    >>> format_of("all.tsv.gz"), format_of("newstest2012.es-en.UPC")
    ('tsv', 'text')
    """
    return FORMATS.get(_suffix(_uncompressed(name)), "text")


def is_pattern(name: str) -> bool:
    """Whether a name has wildcards; what is there by that very name is a file all the same.

    >>> is_pattern("out/*.txt"), is_pattern("out/a.txt")
    (True, False)
    """
    return any(sign in name for sign in "*?[") and not path.lexists(name)


def system_name(file: str | PathLike[str]) -> str:
    """The file's name without folder, compression and known extension.

    >>> system_name("out/online-A.txt.gz"), system_name("newstest2012.es-en.UPC")
    ('online-A', 'newstest2012.es-en.UPC')
    """
    name = path.basename(_uncompressed(fspath(file)))
    return readable(path.splitext(name)[0] if _suffix(name) in FORMATS else name)


def readable(name: str) -> str:
    r"""A file's name as it was written, though Python took a poor locale's word for its bytes.

    >>> readable("\udcc3\udc87elik"), readable("no \udcff UTF-8") == "no \udcff UTF-8"
    ('Çelik', True)
    """
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return name


def _suffix(name: str) -> str:
    return path.splitext(name)[1].lower()


def _uncompressed(name: str) -> str:
    return name[: len(name) - len(compression_of(name))]
