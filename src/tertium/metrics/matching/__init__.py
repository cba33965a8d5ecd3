"""Metrics that pair words by more than their form."""
