"""What keeps a server going: settings, backup, check, logs, metrics."""
