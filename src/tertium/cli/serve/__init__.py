"""``tertium serve`` and its actions."""
