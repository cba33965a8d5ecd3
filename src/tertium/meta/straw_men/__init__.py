"""Absurd output among rated systems."""
