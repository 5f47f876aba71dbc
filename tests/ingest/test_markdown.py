from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import SENTENCES, check_blocks, check_words

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


@pytest.mark.parametrize("mark", ["**", "__"])
def test_bold_lines_are_headings_where_there_are_no_others(mark: str) -> None:
    source = "{0}插入{0}\n\nA.\n\n{0}Не так:{0}\n\n{0}b{0} and {0}c{0}\n\n{0}แผ่นดิสก์{0}\n\nB.\n"
    page = read_markdown(source.format(mark).encode())
    text, sections, _ = compose(page.elements)
    assert text == "A.\n\nНе так:\n\nb and c\n\nB."
    assert [section.path for section in sections] == [("插入",), ("แผ่นดิสก์",)]
    titled = read_markdown((source.format(mark) + "\n## C\n\nD.").encode())
    assert [section.path for section in compose(titled.elements).sections] == [("C",)]


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


def test_roles_and_directives_of_myst() -> None:
    source = (
        "Смотри {ref}`раздел <part>`, {py:func}`~os.open` и {x} `{y}`.\n\n"
        "```{note}\n:class: wide\n\n先 `停止` **泵**。\n```\n\n"
        "```{toctree}\na\nb\n```\n\n```{code-block} sh\n:linenos:\n\nls\n```\n"
    )
    found = read_markdown(source.encode()).elements
    assert [(one.kind, one.text) for one in found] == [
        ("paragraph", "Смотри раздел, os.open и {x} {y}."),
        ("note", "先 停止 泵。"),
        ("code", "ls"),
    ]


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


def test_blocks_have_kinds_markers_header_cells_and_lines() -> None:
    source = (
        "---\ntitle: x\n---\n# H\n\nDo:\n\n3. three\n\n   ```sh\n   run\n   ```\n   - sub\n"
        "4. four\n\n> [!WARNING]\n> Hot.\n\n> Said.\n\nTerm\n: Meaning\n\n"
        "| a | b | c |\n|--|--|--|\n| 1 | | 3 |\n"
    )
    elements = read_markdown(source.encode()).elements
    assert [
        (one.kind, one.depth, one.marker, one.header, one.place)
        for one in elements
        if not one.level
    ] == [
        ("paragraph", 0, "", (), "L6"),
        ("item", 1, "3.", (), "L8"),
        ("code", 1, "", (), "L11"),
        ("item", 2, "•", (), "L13"),
        ("item", 1, "4.", (), "L14"),
        ("note", 0, "", (), "L16"),
        ("quotation", 0, "", (), "L19"),
        ("term", 1, "", (), "L21"),
        ("description", 1, "", (), "L21"),
        ("header", 0, "", (), "L24"),
        ("row", 0, "", ("a", "c"), "L26"),
    ]


def test_a_note_between_fences_ends_with_them_or_with_the_section() -> None:
    def kinds(source: str) -> list[str]:
        return [one.kind for one in read_markdown(source.encode()).elements if not one.level]

    assert kinds(":::note\nA\n:::\n\nB") == ["note", "paragraph"]
    assert kinds(":::note\nA\n\n# H\n\nB") == ["note", "paragraph"]
    assert kinds("> :::note\n> A\n\nB\n\n:::\n\nC") == ["note", "paragraph", "paragraph"]


def test_a_header_of_a_thousand_cells_is_not_repeated() -> None:
    line = "|".join(f" c{n} " for n in range(1_000))
    rule = "|".join(["---"] * 1_000)
    _, _, blocks = check_blocks(
        read_markdown("\n".join([line, rule, line, line]).encode()).elements
    )
    assert [(block.kind, block.header) for block in blocks] == [
        ("header", ()),
        ("row", ()),
        ("row", ()),
    ]


def test_lists_fifty_deep_have_their_depth() -> None:
    source = "\n".join("  " * depth + f"- w{depth}" for depth in range(50))
    _, _, blocks = check_blocks(read_markdown(source.encode()).elements)
    assert [block.depth for block in blocks] == list(range(1, 51))


_PARTS = SENTENCES.flatmap(
    lambda text: st.sampled_from(
        [
            text,
            f"# {text}",
            f"- {text}\n- {text}\n    1. {text}\n\n       {text}",
            f"> {text}\n>\n> - {text}",
            f"```\n{text}\n  {text}\n```",
            f"| {text} | b |\n|---|---|\n| x | {text} |\n| | {text} |",
            f'!!! note "{text}"\n    {text}\n\n    - {text}',
            f":::tip {text}\n{text}",
            f"{text}\n: {text}\n: {text}",
            f"<div>{text}</div>",
        ]
    )
)


@given(st.lists(_PARTS, max_size=8))
def test_blocks_of_any_page_hold_its_words(parts: list[str]) -> None:
    source = "\n\n".join(parts)
    composed = check_blocks(read_markdown(source.encode()).elements)
    shown = re.sub(r"</?div>|!!! note|:::tip|^ *\d\.", " ", source, flags=re.MULTILINE)
    check_words(composed, [shown])
