"""The formats of n-best lists, lattices and forests: one file each, a table of them all."""
