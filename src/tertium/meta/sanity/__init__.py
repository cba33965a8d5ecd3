"""Are the ratings sane? Judges to look at, and how many ratings a verdict would need."""
