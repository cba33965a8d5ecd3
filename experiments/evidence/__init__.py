"""Claims of the documentation, measured on real data: each module prints the table it stands for.

``python -m experiments.evidence.NAME DATA``, where DATA is the folder with ``wmt23`` and others.
"""
