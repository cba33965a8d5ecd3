"""Ratings as files for other programs, each of which `tertium.meta` reads back."""
