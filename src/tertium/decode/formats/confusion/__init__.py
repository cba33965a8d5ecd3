"""Confusion networks: lattices in which every arc leads to the next node.

Two layouts of one idea: the columns that Moses takes as input, and SRILM's meshes.
"""
