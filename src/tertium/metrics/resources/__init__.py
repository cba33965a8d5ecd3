"""Tables and taggers that several metrics read."""
