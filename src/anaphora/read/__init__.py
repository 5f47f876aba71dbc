"""Reading an answer out of the passages that were found."""
