"""Agreement with people, as tables."""
