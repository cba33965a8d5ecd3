"""Output that is no translation of its own: copies, damage, wrong lines, wrong language."""
