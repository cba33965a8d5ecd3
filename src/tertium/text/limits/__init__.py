"""How much of a text is too much: counted, refused, foretold."""
