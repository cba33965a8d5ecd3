"""People rate translations: campaigns, protocols, who sees what, events, results, exports."""
