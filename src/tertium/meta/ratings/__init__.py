"""What people said of systems: files of ratings, judges, preferences."""
