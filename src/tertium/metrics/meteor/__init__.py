"""METEOR in its versions."""
