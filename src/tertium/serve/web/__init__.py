"""Pages and API over the services."""
