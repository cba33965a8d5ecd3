"""How far metrics agree with people, and how sure that is."""
