"""Projects, test sets, systems, their outputs and scores."""
