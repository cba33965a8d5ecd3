"""Errors that people marked in translations: their places, severities, weights and agreement."""
