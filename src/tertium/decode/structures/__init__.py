"""What a decoder leaves: n-best lists, lattices and forests as values, and searches in them."""
