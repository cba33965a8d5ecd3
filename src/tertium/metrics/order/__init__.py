"""Metrics of word order."""
