"""Versions of the tables; ``tertium.serve.store.migration`` runs them."""
