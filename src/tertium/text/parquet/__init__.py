"""Tables in Parquet files, read without a Python string for any text."""
