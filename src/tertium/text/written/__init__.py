"""Files that are written: complete or not there, or gone on with after a kill."""
