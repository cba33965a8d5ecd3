"""One file for each version, in the order of their numbers."""
