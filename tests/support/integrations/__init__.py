"""What tests of the integrations share."""
