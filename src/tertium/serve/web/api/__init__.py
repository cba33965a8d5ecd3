"""The API under /api/v1, one router for each subject."""
