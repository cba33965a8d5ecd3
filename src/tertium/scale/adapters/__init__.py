"""Metrics inside other programs' engines: Ray Data, Spark, Polars and DuckDB.

Each module has the same three functions. ``statistics`` and ``scores`` add columns to a table,
``score`` is the score of all of it, to the last bit that of `tertium.score` on the same pairs:

>>> from tertium.scale.adapters import polars as judged
>>> import polars
>>> frame = polars.DataFrame({"mt": ["a cat sat", "a dog"], "ref": ["a cat sat", "a dog ran"]})
>>> judged.scores(frame, "wer", hypotheses="mt", references="ref")["wer"].to_list()
[0.0, 33.33333333333333]
>>> judged.score(frame, "wer", hypotheses="mt", references="ref").value
16.666666666666664
"""
