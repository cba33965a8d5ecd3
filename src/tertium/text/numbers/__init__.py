"""Numbers that texts write in words, and what they count."""
