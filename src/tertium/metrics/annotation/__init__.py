"""Metrics over annotations: names and parses."""
