"""Work that takes long, done by worker processes from a queue in the store."""
