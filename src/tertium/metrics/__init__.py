"""Metrics: tokens become additive statistics, sums of statistics become scores."""
