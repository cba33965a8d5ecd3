"""Flags that several commands share, and what they mean."""
