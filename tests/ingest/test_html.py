from __future__ import annotations

import pytest

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import compose
from anaphora.ingest.html import read_html


def text(source: str | bytes) -> str:
    return compose(read_html(source if isinstance(source, bytes) else source.encode()).elements)[0]


def test_headings_become_the_section_path() -> None:
    page = read_html(
        b"<title>Guide</title><h1>Setup</h1><p>One.</p><h2>Disks</h2><p>Two.</p>"
        b"<h3>Swap</h3><p>Three.</p><h2>Users</h2><p>Four.</p>"
    )
    body, sections, _ = compose(page.elements)
    assert page.title == "Guide"
    assert body == "One.\n\nTwo.\n\nThree.\n\nFour."
    assert [section.path for section in sections] == [
        ("Setup",),
        ("Setup", "Disks"),
        ("Setup", "Disks", "Swap"),
        ("Setup", "Users"),
    ]
    assert [body[section.start :].split(".")[0] for section in sections] == [
        "One", "Two", "Three", "Four",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "chrome",
    [
        "<nav>X</nav>",
        "<header><a href=/>X</a></header>",
        "<footer>X</footer>",
        "<aside>X</aside>",
        "<script>X</script><style>X</style><template>X</template><noscript>X</noscript>",
        "<form><input value=X><label>X</label><button>X</button></form>",
        "<div hidden>X</div>",
        "<div style='color:red; display: none'>X</div>",
        "<span aria-hidden=true>X</span>",
        "<div role=navigation>X</div>",
        "<ul class='docnav top'><li class=previous><a href=a.html>X</a></ul>",
        "<div class=navheader><table><tr><td>X</table></div>",
        "<div class='Breadcrumbs'>X</div>",
        "<div class=toc><p>X</p><dl><dt><a href=b.html>X</a></dl></div>",
        "<ul><li><a href='#a'>X</a><li><a href='b.html'>X</a><li><a href='c.html'>X</a></ul>",
        "<p><!-- X --></p>",
        "<select><option>X</select>",
        "<img alt=X src=x.png>",
        "<svg><text>X</text></svg>",
    ],
)
def test_what_surrounds_the_text_is_left_out(chrome: str) -> None:
    assert text(f"<body>{chrome}<p>The text.</p>{chrome}") == "The text."


def test_the_main_element_is_read_alone() -> None:
    assert text("<p>Ad</p><main><p>Text.</p><aside>Note.</aside></main><p>Ad") == "Text.\n\nNote."
    assert text("<p>Ad</p><div role=main>Text.</div>") == "Text."
    assert text("<p>Ad</p><article><header><h1>T</h1></header>Text.</article>") == "Text."
    assert text("<p>Text.</p><main></main>") == "Text."
    assert text("<article>One.</article><article>Two.</article>") == "One.\n\nTwo."


def test_boxed_text_and_lists_of_sources_stay() -> None:
    assert text("<div class=sidebar><p>Boxed.</p></div>") == "Boxed."
    links = "".join(f"<li><a href=https://{name}.org>{name}</a>" for name in "abcd")
    assert text(f"<p>See:</p><ul>{links}</ul>") == "See:\na\nb\nc\nd"


def test_a_page_in_a_form_is_read() -> None:
    assert text("<form><h1>T</h1><p>Text.</p><input value=x></form>") == "Text."


def test_lists_tables_and_code_keep_their_lines() -> None:
    assert text("<ul><li>One<li><p>Two</p><ol><li>Three</ol></ul>") == "One\nTwo\nThree"
    table = "<table><tr><th>Name<th>Size<tr><td>a<td><p>1</p></table>"
    assert text(table) == "Name | Size\na | 1"
    assert text("<pre>if x:\n    y()\n</pre>") == "if x:\n    y()"
    assert text("<p>One<br>two") == "One\ntwo"
    assert text("<dl><dt>Term<dd>Meaning</dl>") == "Term\nMeaning"


def test_a_table_that_lays_out_the_page_is_read_cell_by_cell() -> None:
    page = "<table><tr><td><h1>A</h1><p>One.</p></td><td><ul><li>Two.</ul></td></tr></table>"
    assert text(page) == "One.\nTwo."


def test_white_space_folds_as_in_a_browser() -> None:
    assert text("<p>two\n   words <b> bold </b>x</p>") == "two words bold x"
    assert text("<p>東京は\n  日本の首都</p>") == "東京は日本の首都"
    assert text("<p>a&nbsp;b &lt;c&gt; e&#x301;</p>") == "a b <c> é"
    assert text("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>") == "漢字"


def test_title_and_language_are_declared() -> None:
    page = read_html(b"<html lang=pt-BR><title> A \n B </title><p>x")
    assert (page.title, page.lang) == ("A B", "pt-BR")
    page = read_html(
        b'<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="ja"><body>x</body></html>'
    )
    assert page.lang == "ja"


def test_the_declared_encoding_counts() -> None:
    page = '<meta charset="shift_jis"><p>表示'
    assert text(page.encode("cp932")) == "表示"
    page = '<?xml version="1.0" encoding="koi8-r"?><html><body><p>Да</p></body></html>'
    assert text(page.encode("koi8-r")) == "Да"
    page = '<meta http-equiv=Content-Type content="text/html; charset=iso-8859-1"><p>“é”'
    assert text(page.encode("cp1252")) == "“é”"


def test_xhtml_may_close_any_element_at_once() -> None:
    head = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
    page = head + '<script src="x.js"/></head><body><p>One.<a id="x"/></p><div/><p>Two.</p></body>'
    assert text(page) == "One.\n\nTwo."
    assert text(head + "</head><body><p><![CDATA[a < b]]></p></body>") == "a < b"


@pytest.mark.parametrize("tag", ["div", "b", "span", "table><tr><td", "ul><li", "x-y", "p-x", "p"])
def test_depth_does_no_harm(tag: str) -> None:
    assert "inside" in text(f"<{tag}>" * 100_000 + "inside")


def test_other_bytes_are_refused() -> None:
    with pytest.raises(UnreadableFile):
        read_html(bytes(range(256)) * 20)
    assert text("") == ""
