"""Names in texts, marked by people: events, lists, agreement, adjudication, files, scores."""
