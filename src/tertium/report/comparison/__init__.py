"""A comparison for people, papers and programs."""
