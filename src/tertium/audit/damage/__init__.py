"""Damaged text: what a broken run, a wrong encoding, a tokenizer or a chat model leaves behind."""
