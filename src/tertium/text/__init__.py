"""Text: reading corpora, tokenizers, references prepared once."""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.text.corpus import Chunk as Chunk
    from tertium.text.corpus import Corpus as Corpus
    from tertium.text.corpus import System as System
    from tertium.text.input_files import open_inputs as open_inputs
    from tertium.text.input_files import read_references as read_references
    from tertium.text.inputs import Inputs as Inputs
    from tertium.text.references import References as References
    from tertium.text.tokenizers import Tokenizer as Tokenizer
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Chunk": "tertium.text.corpus",
            "Corpus": "tertium.text.corpus",
            "System": "tertium.text.corpus",
            "open_inputs": "tertium.text.input_files",
            "read_references": "tertium.text.input_files",
            "Inputs": "tertium.text.inputs",
            "References": "tertium.text.references",
            "Tokenizer": "tertium.text.tokenizers",
        },
    )
