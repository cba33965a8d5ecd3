"""How much is too much: tokens of a segment, rows and bytes of a file, memory of the process."""
