"""Formulas of the metrics that match words."""
