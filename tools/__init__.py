"""Scripts that make generated files, and one that compares two checkouts."""
