"""A place for teams: test sets, systems, ratings and names in a store, seen in the browser."""
