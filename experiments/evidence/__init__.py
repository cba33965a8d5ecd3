"""Measurements behind claims of the documentation: each module prints what a page shows."""
