"""Segments made in memory, for tests of what searches them."""

import numpy as np

from anaphora.index import CollectionStatistics
from anaphora.index.local.manifest import FileStamp, SegmentRecord
from anaphora.index.local.postings import Builder
from anaphora.index.local.segment import Segment


def make_segment(passages, first=0, live=None):
    """A segment of token lists, all of one language "xx", with rows from `first` on."""
    builder = Builder()
    for tokens in passages:
        builder.add("xx", tokens)
    record = SegmentRecord(f"s{first}", first, len(passages), ("xx",), FileStamp(0, 0, 0), None)
    rows = np.arange(first, first + len(passages))
    return Segment(record, builder.build(), rows, live, None)


def statistics(segments):
    lengths = np.concatenate([segment.live_lengths for segment in segments])
    return CollectionStatistics(int(np.count_nonzero(lengths)), int(lengths.sum()))
