"""The store: SQLite in a file, or PostgreSQL; tables, migrations, transactions."""
