"""What every metric is: options, rows, score, signature; and the table of all."""
