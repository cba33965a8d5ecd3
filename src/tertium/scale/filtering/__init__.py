"""Pairs of texts that are kept if their score is between bounds, however many there are."""
