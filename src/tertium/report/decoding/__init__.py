"""What decoding and tuning found, as text."""
