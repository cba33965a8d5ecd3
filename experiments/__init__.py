"""The tables and figures of the papers behind tertium, made again on real data.

``python -m experiments DATA`` writes ``docs/experiments.md``; ``python -m experiments.NAME DATA``
prints one section, as ``python -m experiments.chiang2008.table1 DATA`` does. There is a folder for
each paper. DATA is the folder with ``wmt12``, ``wmt17``, ``wmt23`` and ``nbest``.
"""
