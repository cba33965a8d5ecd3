"""Metrics that count n-grams."""
