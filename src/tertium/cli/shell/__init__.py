"""How the command line talks: parsers, streams, progress, output."""
