"""Metrics that count edits or recognised words."""
