"""Results for people and programs: pure functions from frozen results to text and tables."""
