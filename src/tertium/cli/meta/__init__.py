"""``tertium meta`` and its actions."""
