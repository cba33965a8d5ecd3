"""Pages in HTML; what they change goes through the API."""
