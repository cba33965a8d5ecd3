"""Commands for more text than a memory holds."""
