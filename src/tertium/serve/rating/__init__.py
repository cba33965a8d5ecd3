"""Rating by people: campaigns, protocols, assignment, events, exports."""
