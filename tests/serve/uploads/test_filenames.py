"""Names of uploaded files: whatever a client sends, one visible relative path comes out."""

from __future__ import annotations

import unicodedata
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from anaphora.ingest.kinds import SUFFIXES, Kind
from anaphora.serve.uploads.filenames import (
    MOST_BYTES,
    MOST_FOLDERS,
    numbered,
    safe_path,
    with_suffix_of,
)

TRAPS = st.sampled_from(
    ["..", "/", "\\", "\x00", ".", " ", "con", "nul.", "C:", "\u202e", "~", "é", "水", "ปั๊"]
)
NAMES = st.lists(TRAPS | st.text(max_size=40), max_size=20).map("".join)


@given(NAMES, st.sampled_from(get_args(Kind)))
def test_every_name_is_made_safe(name: str, kind: Kind) -> None:
    path = with_suffix_of(safe_path(name), kind)
    assert not path.is_absolute()
    assert len(path.parts) <= 1 + MOST_FOLDERS
    for part in path.parts:
        assert part not in ("", ".", "..")
        assert not part.startswith(".")
        assert not part.endswith((".", " "))
        assert len(part.encode()) <= MOST_BYTES
        assert not set(part) & set('/\\<>:"|?*')
        assert unicodedata.is_normalized("NFC", part)
        assert all(
            unicodedata.category(char) not in ("Cc", "Cs") and char not in "\u202e\u2066\ufeff"
            for char in part
        )
        assert part.partition(".")[0].lower() not in ("con", "nul", "aux", "prn", "com1")
    assert SUFFIXES[path.suffix.lower()] == kind
    assert numbered(path, 2).suffix == path.suffix
    assert numbered(path, 2) != path
