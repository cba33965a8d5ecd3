"""Command lines of other programs over tertium's metrics."""
