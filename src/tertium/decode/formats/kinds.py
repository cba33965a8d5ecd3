"""The formats of n-best lists, lattices and forests by name."""

from typing import Any, Final

from tertium.lazy import LazyTable

KINDS: Final[LazyTable[Any]] = LazyTable(
    "format",
    {
        "samples": "tertium.decode.formats.samples:Samples",
        "flat": "tertium.decode.formats.flat:Flat",
        "fairseq": "tertium.decode.formats.fairseq:Fairseq",
        "choices": "tertium.decode.formats.samples:Choices",
        "moses": "tertium.decode.formats.nbest_text:NBestText",
        "marian": "tertium.decode.formats.nbest_text:MarianText",
        "travatar": "tertium.decode.formats.nbest_text:TravatarText",
        "plf": "tertium.decode.formats.plf:Plf",
        "confusion": "tertium.decode.formats.confusion_networks:ConfusionText",
        "mesh": "tertium.decode.formats.confusion_networks:MeshText",
        "openfst": "tertium.decode.formats.openfst:OpenFstText",
        "hypergraph": "tertium.decode.formats.hypergraph:HypergraphText",
        "travatar-json": "tertium.decode.formats.travatar_json:TravatarJson",
    },
)
"""Name → the class that reads it and mostly writes it, with its options as fields."""

FORMATS: Final = tuple(KINDS)
"""The names of the formats."""

WRITTEN: Final = tuple(name for name in FORMATS if name not in {"fairseq", "choices"})
"""Those that are written too."""
