"""Other tools' interfaces over tertium's metrics, for code that is written already."""
