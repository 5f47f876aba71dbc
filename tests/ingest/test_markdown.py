from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.ingest.content import compose
from anaphora.ingest.markdown import read_markdown


def text(source: str) -> str:
    return compose(read_markdown(source.encode()).elements)[0]


def headings(source: str) -> list[tuple[int, str]]:
    return [(b.level, b.text) for b in read_markdown(source.encode()).elements if b.level]


def test_headings_of_both_kinds() -> None:
    source = "# One #\nA\n## Two {#two}\nThree\n=====\nb\n\nFour\n----\n#no heading\n"
    assert headings(source) == [(1, "One"), (2, "Two"), (1, "Three"), (2, "Four")]
    assert "#no heading" in text(source)


def test_front_matter_gives_title_and_language() -> None:
    page = read_markdown(b'---\ntitle: "My Guide"\nlang: vi\n---\n# H\n\nText.')
    assert (page.title, page.lang) == ("My Guide", "vi")
    assert compose(page.elements)[0] == "Text."
    assert text("---\n\nText.\n\n---\n") == "Text."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a **b** *c* __d__ _e_ ***f*** ~~g~~", "a b c d e f g"),
        ("2 * 3 * 4, snake_case_name, **open", "2 * 3 * 4, snake_case_name, **open"),
        ("`a*b*` ``c`d``", "a*b* c`d"),
        (r"\*not\* \# \[x\]", "*not* # [x]"),
        ('[text](http://x/y_(z)) [a](<b c> "t")', "text a"),
        ("[![badge](b.svg)](http://x) ![alt](i.png)after", "after"),
        ("<https://x.org> <me@x.org>", "https://x.org me@x.org"),
        ("a<br>b <span class='x'>c</span> &amp; &copy;", "ab c & ©"),
        ("1 < 2 > 0", "1 < 2 > 0"),
        ("note[^1] here", "note here"),
        ("**重要**なのは*これ*です", "重要なのはこれです"),
        ("**「引用」**です。これは*（注）*です。", "「引用」です。これは（注）です。"),
        ("**“重点”**：请**先保存。**然后退出", "“重点”：请先保存。然后退出"),
        ("**중요:**입니다, **สำคัญ**มาก, **مهم**: نعم", "중요:입니다, สำคัญมาก, مهم: نعم"),
    ],
)
def test_inline_marks(source: str, expected: str) -> None:
    assert text(source) == expected


def test_links_by_reference_become_their_text() -> None:
    source = "See [the Book], [a page][b] and [neither].\n\n[The book]: http://x\n[b]: <#y> 'z'\n"
    assert text(source) == "See the Book, a page and [neither]."


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


def test_code_in_a_list_keeps_its_own_lines() -> None:
    source = "1. Run:\n\n    ```sh\n    if a; then\n      b\n    fi\n    ```\n\n   Then wait.\n"
    assert text(source) == "Run:\nif a; then\n  b\nfi\nThen wait."


def test_a_table_without_outer_bars_and_with_empty_cells() -> None:
    assert text("a | b\n--- | ---\n1 |\n| | 2\n") == "a | b\n1\n2"


def test_footnotes_follow_each_other_and_hold_marks() -> None:
    assert text("A[^1] B[^x y].\n\n[^1]: *One*\n[^2]: Two\n") == "A B[^x y].\nOne\nTwo"


def test_an_admonition_in_a_list_holds_blocks() -> None:
    source = "- item\n\n    !!! note\n        One.\n\n        - two\n\nAfter.\n"
    assert text(source) == "item\nOne.\ntwo\n\nAfter."


def test_sections_begin_where_their_text_begins() -> None:
    page = "# 手引き\n\n序文。\n\n## Ünïts & `x`\n\n- एक\n- два 𝒳\n\n# الفصل\n\nنص."
    body, sections, _ = compose(read_markdown(page.encode()).elements)
    assert [(section.path, body[section.start :].split("\n")[0]) for section in sections] == [
        (("手引き",), "序文。"),
        (("手引き", "Ünïts & x"), "एक"),
        (("الفصل",), "نص."),
    ]


def test_east_asian_lines_join_without_a_space() -> None:
    assert text("東京は\n日本の首都。") == "東京は日本の首都。"


@pytest.mark.parametrize(
    ("nested", "deepest"),
    [
        ("\n".join("  " * depth + f"- w{depth}" for depth in range(1_500)), "w1499"),
        (">" * 5_000 + " innermost", "innermost"),
        ("- " * 5_000 + "innermost", "innermost"),
        ("[" * 5_000 + "innermost" + "](x)" * 5_000, "innermost"),
        ("**a *b " * 5_000 + "innermost" + "* **" * 5_000, "innermost"),
    ],
    ids=["lists", "quotations", "lists in one line", "links", "emphasis"],
)
def test_no_depth_of_nesting_loses_text(nested: str, deepest: str) -> None:
    assert deepest in text(nested)


def test_a_large_code_block_is_kept_whole() -> None:
    code = "x = [1, *y]  # `z`\n" * 100_000
    assert text(f"```python\n{code}```\nEnd.") == f"{code}\nEnd."


@pytest.mark.parametrize(
    "mark",
    ["*a", "_a", "[", "![", "<", "`", "**", "](", "[a](", "<!--", "&", "![[a]", "<![CDATA[", "~~a"],
)
def test_long_runs_of_marks_lose_no_letters(mark: str) -> None:
    found = text(f"{mark * 20_000}\n\nend")
    if mark != "<!--":
        assert found.count("a") == mark.count("a") * 20_000
        assert found.endswith("end")


@given(st.text(alphabet=st.sampled_from("ab *_`[]()!<>#-\n|\\~&:é漢\t1."), max_size=200))
def test_any_source_is_read(source: str) -> None:
    letters = [char for char in text(source) if char.isalpha() and char not in "amplt"]
    assert len(letters) <= sum(char.isalpha() for char in source)
