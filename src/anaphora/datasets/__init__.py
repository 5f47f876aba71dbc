"""Public data sets, read in place: each format gives the same records."""

from anaphora.datasets.example import Example, Format
from anaphora.datasets.registry import Dataset, find_format, formats, open_dataset

__all__ = ["Dataset", "Example", "Format", "find_format", "formats", "open_dataset"]
