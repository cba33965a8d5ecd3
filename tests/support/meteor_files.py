"""A folder like that of Meteor 1.5, with tables of a few lines that this project wrote itself."""

import gzip
import zipfile
from pathlib import Path

SYNSETS = {
    "car": "1",
    "automobile": "1",
    "mouse": "2 3",
    "rodent": "3",
    "buy": "4",
    "purchase": "4 5",
    "glass": "6",
    "tumbler": "6",
    "do": "7",
    "make": "7 8",
}
EXCEPTIONS = {"mouse": "mice", "do": "did done"}
FUNCTION_WORDS = ("the", "of", "a", ".")
ABBREVIATIONS = ("# a comment", "Mr", "No #NUMERIC_ONLY#", "vs")
PARAPHRASES = (
    ("of course", "naturally"),
    ("naturally", "of course"),
    ("quickly", "in no time"),
    ("quickly", "at once"),
    ("big", "large"),
    ("at once", "right away"),
)


def write_meteor_folder(folder: Path) -> Path:
    """The program file with its tables inside, and the paraphrases beside it."""
    (folder / "data").mkdir(parents=True)
    with zipfile.ZipFile(folder / "meteor-1.5.jar", "w") as jar:
        jar.writestr("synonym/english.synsets", alternating(SYNSETS))
        jar.writestr("synonym/english.exceptions", alternating(EXCEPTIONS))
        jar.writestr("function/english.words", "\n".join(FUNCTION_WORDS))
        jar.writestr("function/german.words", "die\n")
        jar.writestr("nonbreaking/english.prefixes", "\n".join(ABBREVIATIONS))
    write_paraphrases(folder / "data" / "paraphrase-en.gz")
    return folder


def alternating(entries: dict[str, str]) -> str:
    return "".join(f"{key}\n{value}\n" for key, value in entries.items())


def write_paraphrases(path: Path) -> Path:
    text = "".join(f"0.5\n{phrase}\n{other}\n" for phrase, other in PARAPHRASES)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    return path
