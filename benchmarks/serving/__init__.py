"""A server under load, and one that is killed: what `benchmarks/serve.py` runs."""
