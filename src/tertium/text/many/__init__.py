"""Plain text in many files, which are read as one."""
