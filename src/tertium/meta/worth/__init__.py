"""What a difference between two systems is worth: how often people agree with its sign."""
