"""Scores that are computed elsewhere: by Python code, by another program, or long ago."""
