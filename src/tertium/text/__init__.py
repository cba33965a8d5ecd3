"""Text: reading corpora, tokenizers, references prepared once."""
