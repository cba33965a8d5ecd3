"""Calls of the system that fail on demand: the n-th write, read or allocation, n from 1 on.

After SQLite's own tests (https://www.sqlite.org/testing.html#anomaly_testing). `preload.c` fails
the calls, `control` says which, `scenarios` has what is done meanwhile and what must hold
afterwards, `sweep` lets n grow until a run completes without a fault. ``make faults`` tries every
n; the test suite tries a sample.
"""
