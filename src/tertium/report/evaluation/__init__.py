"""An evaluation as tables for people and lines for programs and papers."""
