"""AMBER (Chen and Kuhn 2011)."""
