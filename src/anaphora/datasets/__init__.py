"""Public data sets, read in place: each format gives the same records."""
