"""The bundled sample as words of a command."""

from tests.support.places import SAMPLE

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
ELM = str(SAMPLE / "systems" / "elm.txt")
ONE = ["score", *REFERENCES, "-i", ELM]
ALL = ["score", *REFERENCES, "-i", *SYSTEMS]
LABELLED = ["--documents", str(SAMPLE / "documents.tsv")]
FILES = [
    *REFERENCES,
    "-i",
    *(str(SAMPLE / f"systems/{one}.txt") for one in ("birch", "elm", "alder")),
]
