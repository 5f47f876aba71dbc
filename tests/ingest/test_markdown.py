from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.ingest.content import compose
from anaphora.ingest.markdown import plain, read_markdown


def text(source: str) -> str:
    return compose(read_markdown(source.encode()).blocks)[0]


def headings(source: str) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in read_markdown(source.encode()).blocks if b.level]


def test_headings_of_both_kinds() -> None:
    source = "# One #\nA\n## Two {#two}\nThree\n=====\nb\n\nFour\n----\n#no heading\n"
    assert headings(source) == [(1, "One"), (2, "Two"), (1, "Three"), (2, "Four")]
    assert "#no heading" in text(source)


def test_front_matter_gives_title_and_language() -> None:
    page = read_markdown(b'---\ntitle: "My Guide"\nlang: vi\n---\n# H\n\nText.')
    assert (page.title, page.lang) == ("My Guide", "vi")
    assert compose(page.blocks)[0] == "Text."
    assert text("---\n\nText.\n\n---\n") == "Text."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a **b** *c* __d__ _e_ ***f*** ~~g~~", "a b c d e f g"),
        ("2 * 3 * 4, snake_case_name, **open", "2 * 3 * 4, snake_case_name, **open"),
        ("`a*b*` ``c`d``", "a*b* c`d"),
        (r"\*not\* \# \[x\]", "*not* # [x]"),
        ('[text](http://x/y_(z)) [ref][1] [a](<b c> "t")', "text ref a"),
        ("[![badge](b.svg)](http://x) ![alt](i.png)after", "after"),
        ("<https://x.org> <me@x.org>", "https://x.org me@x.org"),
        ("a<br>b <span class='x'>c</span> &amp; &copy;", "ab c & ©"),
        ("1 < 2 > 0", "1 < 2 > 0"),
        ("note[^1] here", "note here"),
        ("**重要**なのは*これ*です", "重要なのはこれです"),
    ],
)
def test_inline_marks(source: str, expected: str) -> None:
    assert " ".join(plain(source).split()) == expected


def test_blocks() -> None:
    source = """Intro
wrapped.

- one
- two
  more
  1. three

> quoted
> text

| Name | Size |
|------|-----:|
| a    | `1`  |

```python
x = 1  # *kept*

y = [a](b)
```

    indented = code

<!-- gone
gone -->
<div>

Kept.

</div>
<script>
gone()
</script>

***

[ref]: http://x.org
[^1]: A note.
"""
    assert text(source) == (
        "Intro wrapped.\none\ntwo more\nthree\n\nquoted text\n\nName | Size\na | 1\n\n"
        "x = 1  # *kept*\n\ny = [a](b)\n\nindented = code\n\nKept.\nA note."
    )


def test_comments_inside_code_stay() -> None:
    assert text("```html\n<!-- kept -->\n```\n") == "<!-- kept -->"


def test_an_open_fence_loses_nothing() -> None:
    assert text("```\ncode\nmore") == "code\nmore"


def test_admonitions_keep_their_text() -> None:
    assert text('!!! note "Careful"\n    It is hot.\n\n:::tip\nWait.\n:::') == (
        "Careful\nIt is hot.\n\nWait."
    )


def test_east_asian_lines_join_without_a_space() -> None:
    assert text("東京は\n日本の首都。") == "東京は日本の首都。"


@pytest.mark.parametrize("mark", ["*a", "_a", "[", "![", "<", "`", "**", "](", "[a](", "<!--", "&"])
def test_long_runs_of_marks_add_nothing(mark: str) -> None:
    read = text(mark * 100_000)
    assert len(read) <= len(mark) * 100_000
    assert set(read) <= set(mark)


@given(st.text(alphabet=st.sampled_from("ab *_`[]()!<>#-\n|\\~&:é漢\t1."), max_size=200))
def test_any_source_is_read(source: str) -> None:
    letters = [char for char in text(source) if char.isalpha() and char not in "amplt"]
    assert len(letters) <= sum(char.isalpha() for char in source)
