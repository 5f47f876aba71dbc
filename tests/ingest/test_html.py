from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.blocks import SENTENCES, check_blocks, check_words

from anaphora.errors import UnreadableFile
from anaphora.ingest.content import compose
from anaphora.ingest.html import read_html
from anaphora.ingest.questions import with_questions


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
        "<p class=top><a href='#top'>X</a></p>",
        "<p class=navback><a href='#topofpage'>(X)</a></p>",
        "<p>(<a href='#page-top'>X</a>)</p>",
        "<p>[<a href=b.html>X</a>] [<a href=a.html>X</a>]</p>",
        "<p>Next: <a href=b.html>X</a> Up: <a href=a.html>X</a> Previous: <a href=c.html>X</a></p>",
        "<p><a href=a.html>X</a> <a href=b.html>X</a> <a href=c.html>X</a></p>",
        "<h2><a href=a.html>X</a></h2><h2><a href=b.html>X</a></h2><h2><a href=c.html>X</a></h2>",
        "<div class=crosslinks><p>[<a href=b.html>X</a>]</div>",
        "<p>1 <a href=a.html>X</a><br>1.1 <a href=b.html>X</a><br>1.2 <a href=c.html>X</a></p>",
        "<p>X:</p><ul><li><a href='#a'>X</a><li><a href='#b'>X</a><li><a href='#c'>X</a></ul>",
        "<div class=header><p>X: <a href=#b rel=next>X</a>, <a href=#c rel=up>X</a></div>",
        "<div class=nav-panel>X: <a href=#b rel=next>X</a></div>",
        "<a class=copiable-anchor href='#x'> &para;</a>",
        "<dl>" + "<dt>X<dd><p><a href=b.html>X <small>[X]</small></a>" * 30 + "</dl>",
        "<div id=siteSub class=noprint>X</div><div class=printfooter>X</div>",
        "<div id=catlinks class=catlinks>X</div>",
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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("startretries", "How often it is started again."),
        ("再試行の回数", "再起動する回数です。"),
        ("จำนวนครั้ง", "จำนวนครั้งที่เริ่มใหม่ …"),
        ("عدد المحاولات", "عدد مرات إعادة التشغيل."),
        ("số lần thử", "Số lần khởi động lại."),
    ],
)
def test_an_indented_text_describes_the_short_line_above_it(line: str, said: str) -> None:
    page = (
        f"<p>Text.<p><code>{line}</code></p><blockquote><div><p>{said}<ul><li>A</ul><p>B.</div>"
        f"</blockquote><p>{said}</p><blockquote>Quoted.</blockquote><p>C."
    )
    elements = read_html(page.encode()).elements
    assert [(one.text, one.kind, one.depth) for one in elements] == [
        ("Text.", "paragraph", 0),
        (line, "term", 1),
        (said, "description", 1),
        ("A", "item", 2),
        ("B.", "paragraph", 1),
        (said, "paragraph", 0),
        ("Quoted.", "quotation", 0),
        ("C.", "paragraph", 0),
    ]


def test_blocks_have_kinds_markers_and_header_cells() -> None:
    page = (
        "<h1 id=a>T</h1><p>Do:<ol start=3><li>One<li>Two<ul><li>In</ul></ol><pre>x\n  y</pre>"
        "<table><tr><th>Name<th>Flag<th>Size<tr><td>a<td><td>1</table>"
        "<dl><dt>Term<dd>Meaning</dl><blockquote>Said.</blockquote><p class=caption>Table 1</p>"
    )
    elements = read_html(page.encode()).elements
    assert [(one.kind, one.depth, one.marker, one.header) for one in elements if not one.level] == [
        ("paragraph", 0, "", ()),
        ("item", 1, "3.", ()),
        ("item", 1, "4.", ()),
        ("item", 2, "•", ()),
        ("code", 0, "", ()),
        ("header", 0, "", ()),
        ("row", 0, "", ("Name", "Size")),
        ("term", 1, "", ()),
        ("description", 1, "", ()),
        ("quotation", 0, "", ()),
        ("caption", 0, "", ()),
    ]
    assert {one.place for one in elements} == {"a"}


@pytest.mark.parametrize(
    ("title", "first", "second"),
    [
        ("Note", "It is hot.", "Wait an hour."),
        ("注意", "它很热。", "请等一小时。"),
        ("注記", "熱いです。", "一時間待ってください。"),
        ("ملاحظة", "إنه ساخن.", "انتظر ساعة."),
        ("หมายเหตุ", "มันร้อน", "รอหนึ่งชั่วโมง"),
        ("Lưu ý", "Nó nóng.", "Hãy đợi một giờ."),
        ("Примечание", "Горячо.", "Подождите час."),
        ("Not", "Sıcaktır.", "Bir saat bekleyin."),
    ],
)
def test_a_note_that_docbook_lays_out_as_a_table(title, first, second) -> None:
    page = (
        '<h1>A</h1><p>Text.</p><div class="note"><table border="0"><tr>'
        '<td rowspan="2" width="25"><img src="note.png"></td>'
        f'<th align="left">{title}</th></tr><tr><td colspan="2"><p>{first}</p><p>{second}</p>'
        "</td></tr></table></div><p>After.</p>"
    )
    body, _, blocks = check_blocks(read_html(page.encode()).elements)
    shown = [(one.kind, body[one.start : one.end]) for one in blocks]
    assert shown == [
        ("paragraph", "Text."),
        ("note", f"{title}\n{first}"),
        ("note", second),
        ("paragraph", "After."),
    ]


def test_a_table_of_data_in_a_note_stays_one() -> None:
    rows = "".join(f"<tr><td>F{n}</td><td>Key {n}</td></tr>" for n in range(3))
    page = f"<h1>A</h1><div class=note><p>Keys:</p><table>{rows}</table></div>"
    _, _, blocks = check_blocks(read_html(page.encode()).elements)
    assert [one.kind for one in blocks].count("row") == 3


def test_the_title_of_a_note_is_no_section() -> None:
    page = "<h1>A</h1><p>Text.<div class=note><h3>Note</h3><p>Hot.</div><p>After."
    body, sections, blocks = check_blocks(read_html(page.encode()).elements)
    assert [section.path for section in sections] == [("A",)]
    assert body == "Text.\n\nNote\nHot.\n\nAfter."
    assert [block.kind for block in blocks] == ["paragraph", "note", "paragraph"]


def sections(page: str) -> list[tuple[str, str]]:
    """The last heading above each paragraph, and the paragraph."""
    body, found, blocks = check_blocks(read_html(page.encode()).elements)
    above = [(0, ""), *((section.start, section.path[-1]) for section in found if section.path)]
    return [
        (max(one for one in above if one[0] <= block.start)[1], body[block.start : block.end])
        for block in blocks
    ]


@pytest.mark.parametrize(
    ("first", "second", "deeper"),
    [
        ("4.2 Downloading images", "4.5 Using a USB stick", "4.5.1 Copying it"),
        ("1.1 Für die Ungeduldigen", "1.2 Begriffe", "1.2.1 Änderungen"),
        ("1.1 せっかちな人向け", "1.2 用語", "1.2.1 変更の適用"),
        ("4.2 下载映像", "4.3 使用U盘", "4.3.1 复制"),
        ("4.2 Установка", "4.3 Запуск", "4.3.1 Копирование"),
        ("4.2 التثبيت", "4.3 التشغيل", "4.3.1 النسخ"),
        ("4.2 การติดตั้ง", "4.3 การใช้งาน", "4.3.1 การคัดลอก"),
        ("4.2 Cài đặt", "4.3 Khởi động", "4.3.1 Sao chép"),
        ("4.2 Kurulum", "4.3 Başlatma", "4.3.1 Kopyalama"),
    ],
)
def test_paragraphs_whose_numbers_ascend_are_headings(first, second, deeper) -> None:
    page = (
        f"<h1>4. X</h1><p class=bold>{first}<p>A.<p class=bold>{second}"
        f"<p class=bold>{deeper}<p>B.<p>1.5 million people came."
    )
    assert sections(page) == [(first, "A."), (deeper, "B."), (deeper, "1.5 million people came.")]
    descending = f"<p>{second}<p>A.<p>{first}<p>B."
    assert [above for above, _ in sections(descending)] == [""] * 4


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Zero configuration", "Serverless"),
        ("零配置", "无服务器"),
        ("設定は不要", "サーバーは不要"),
        ("Без настройки", "Без сервера"),
        ("بلا إعداد", "بلا خادم"),
        ("ไม่ต้องตั้งค่า", "ไม่มีเซิร์ฟเวอร์"),
        ("Không cần cấu hình", "Không máy chủ"),
        ("Yapılandırma yok", "Sunucusuz"),
    ],
)
def test_bold_lines_are_the_headings_of_a_page_without_others(first, second) -> None:
    lines = f"<p><b>{first}</b><p>A.<p><b>Stop now.</b><p><strong>{second}</strong><p>B."
    expected = [(first, "A."), (first, "Stop now."), (second, "B.")]
    assert sections(lines) == expected
    assert sections(f"<h1>X</h1>{lines}") == expected
    with_others = sections(f"<h1>X</h1>{lines}<h2>Y</h2><p>C.")
    assert [above for above, _ in with_others] == ["X"] * 5 + ["Y"]


@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_long_old_pages_keep_their_structure(case) -> None:
    item = case("<h2>a</h2><dl compact><dt>b</dt><dd>c<br><p>") + "文" + case("</dl>")
    elements = read_html((case("<body>") + item * 800).encode()).elements
    assert sum(element.level for element in elements) == 1600
    assert sum(element.text == "文" for element in elements) == 800


def test_a_glossary_with_links_stays() -> None:
    entries = "".join(f"<dt>t{n}<dd>About {n}, see <a href=p{n}.html>Part</a>" for n in range(30))
    assert "About 29, see Part" in text(f"<h1>Terms</h1><dl>{entries}</dl>")


def test_a_paragraph_of_code_is_code() -> None:
    _, _, blocks = check_blocks(read_html(b"<p>Run:<p class=code>$ cp a b<br>$ sync").elements)
    assert [block.kind for block in blocks] == ["paragraph", "code"]


def test_an_index_and_links_after_the_text_are_left_out() -> None:
    entries = "".join(f"<dt>term {n}, <a href=p{n}.html>Part</a>" for n in range(30))
    index = f"<div class=index><dl>{entries}</dl></div>"
    assert text(f"<main><h1>Index</h1>{index}</main><div id=footer>(C)</div>") == ""
    assert text("<p>Text.<p><a href=next.html>Next topic</a>") == "Text."
    assert text("<p>Text.<p><a href=https://x.org>Source</a>") == "Text.\n\nSource"


@pytest.mark.parametrize("columns", [20, 1_000])
def test_a_wide_header_is_not_repeated(columns: int) -> None:
    cells = "".join(f"<t{'{}'}>c{n}" for n in range(columns))
    page = f"<table><tr>{cells.format(*['h'] * columns)}" + (
        f"<tr>{cells.format(*['d'] * columns)}" * 50
    )
    _, _, blocks = check_blocks(read_html(page.encode()).elements)
    assert {len(block.header) for block in blocks[1:]} == {columns if columns <= 20 else 0}


def test_lists_nested_fifty_deep() -> None:
    _, _, blocks = check_blocks(read_html(b"".join(b"<ul><li>%d" % n for n in range(50))).elements)
    assert [block.depth for block in blocks] == list(range(1, 51))


def test_large_code_is_one_block() -> None:
    code = "x = [1, y]\n" * 180_000
    page = f"<p>Run:</p><pre>{code}</pre><p>End.</p>"
    body, _, blocks = check_blocks(read_html(page.encode()).elements)
    assert [block.kind for block in blocks] == ["paragraph", "code", "paragraph"]
    assert body[blocks[1].start : blocks[1].end] == code.strip()


def test_a_page_without_block_elements_is_a_paragraph() -> None:
    body, _, [block] = check_blocks(read_html("نص <b>فقط</b> و<i>لا</i> شيء".encode()).elements)
    assert (body, block.kind) == ("نص فقط ولا شيء", "paragraph")


def test_a_page_that_is_one_table_from_right_to_left() -> None:
    rows = "".join(f"<tr><td>مضخة {n}<td>غطاء {n}" for n in range(200))
    page = f"<table dir=rtl><tr><th>الاسم<th>القيمة{rows}</table>"
    body, _, blocks = check_blocks(read_html(page.encode()).elements)
    assert [block.kind for block in blocks] == ["header"] + ["row"] * 200
    assert blocks[1].header == ("الاسم", "القيمة")
    assert body[blocks[2].start : blocks[2].end] == "مضخة 1 | غطاء 1"


_PARTS = st.recursive(
    SENTENCES.flatmap(
        lambda text: st.sampled_from(
            [f"<p>{text}</p>", text, f"<pre>{text}\n  {text}</pre>", f"<h2>{text}</h2>"]
        )
    ),
    lambda inner: st.lists(inner, min_size=1, max_size=4).flatmap(
        lambda parts: st.sampled_from(
            [
                "<ul>" + "".join(f"<li>{part}" for part in parts) + "</ul>",
                "<ol>" + "".join(f"<li>{part}" for part in parts) + "</ol>",
                "<dl>" + "".join(f"<dt>پا<dd>{part}" for part in parts) + "</dl>",
                "<table>" + "".join(f"<tr><th>x<td>{part}" for part in parts) + "</table>",
                "<div class=note>" + "".join(parts) + "</div>",
                "<blockquote>" + "".join(parts) + "</blockquote>",
            ]
        )
    ),
    max_leaves=12,
)


@given(st.lists(_PARTS, max_size=6).map("".join))
def test_blocks_of_any_page_hold_its_words(page: str) -> None:
    composed = check_blocks(read_html(f"<body>{page}".encode()).elements)
    check_words(composed, [re.sub(r"<[^<>]*>", " ", page)])


@pytest.mark.parametrize(
    "buttons",
    [
        ["[ &lt;&lt; ]", "[ &lt; ]", "[ Up ]", "[ &gt; ]", "&nbsp;", "[Contents]", "[ ? ]"],
        ["[ &lt; Glyphes de clef ]", "[Racine][Table des matières][Index]", "[ Silences &gt; ]"],
        ["[ &lt;&lt; 付録 ]", "[目次]"],
    ],
)
def test_rows_of_buttons_are_left_out(buttons: list[str]) -> None:
    """Texinfo's pages have them between their nodes."""
    bar = "<table><tr>" + "".join(f"<td>{one}</td>" for one in buttons) + "</tr></table>"
    marks = "<table><tr><th>Disk</th><th>Pump</th></tr><tr><td>[x]</td><td>[ ]</td></tr></table>"
    nodes = f"<h1>Насос</h1><p>Откройте вентиль.</p>{bar}<h2>水泵</h2><p>打开阀门。</p>"
    text = compose(read_html(f"{bar}{nodes}{bar}{marks}".encode()).elements).text
    assert text.split("\n") == ["Откройте вентиль.", "", "打开阀门。", "Disk | Pump", "[x] | [ ]"]


@pytest.mark.parametrize(
    ("names", "lead"),
    [
        (("cm_Copy", "cm_Move", "cm_Rename"), "Takes a parameter:"),
        (("複製", "移動", "名前の変更"), "引数を取る："),
        (("คัดลอก", "ย้าย", "เปลี่ยนชื่อ"), "รับพารามิเตอร์:"),
        (("نسخ", "نقل", "إعادة تسمية"), "يأخذ معاملا:"),
    ],
)
def test_a_table_of_terms_with_tables_of_their_own(names: tuple[str, ...], lead: str) -> None:
    inner = "<table><tr><th>Name<th>Value<tr><td>side<td>left</table>"
    rows = "".join(f"<tr><td>{one}<td>{lead}<br>{inner}" for one in names)
    found = list(read_html(f"<table>{rows}</table>".encode()).elements)
    assert [one.text for one in found if one.kind == "term"] == list(names)
    assert [one.text for one in found if one.kind == "description"] == [lead] * len(names)
    assert {(one.text, one.header) for one in found if one.kind == "row"} == {
        ("side | left", ("Name", "Value"))
    }


def test_line_breaks_at_the_borders_of_cells() -> None:
    page = read_html(b"<table><tr><th>A<th>B<th>C<tr><td>yes<br><td>a<br>b<td><br>no</table>")
    assert [(one.text, one.header) for one in page.elements] == [
        ("A | B | C", ()), ("yes | a\nb | no", ("A", "B", "C")),
    ]  # fmt: skip


def test_a_column_of_paragraphs_is_no_table_of_data() -> None:
    page = read_html(b"<table><tr><td><p>One.<p>Two.<tr><td><p>Three.</table>")
    assert [(one.kind, one.text) for one in page.elements] == [
        ("paragraph", "One."), ("paragraph", "Two."), ("paragraph", "Three."),
    ]  # fmt: skip


@pytest.mark.parametrize("answers", ["<p>{}</p>", "{}<ul><li>a</ul>", "{}"])
@pytest.mark.parametrize(
    ("question", "answer", "asked"),
    [
        ("Q:", "A:", "Is it free?"),
        ("Q\xa0:", "R :", "Est-ce gratuit ?"),
        ("Вопрос:", "Ответ:", "Это бесплатно?"),
        ("問：", "答：", "無料ですか"),
        ("Hỏi:", "Đáp:", "Có miễn phí không?"),
        ("Soru:", "Cevap:", "Ücretsiz mi?"),
    ],
)
def test_questions_that_docbook_lays_out_as_a_table(
    answers: str, question: str, answer: str, asked: str
) -> None:
    rows = [
        f"<tr class=question><td><p><b>{question}</b></p><td>{asked} {number}"
        f"<tr class=answer><td><b>{answer}</b><td>{answers.format(number)}"
        for number in (1, 2)
    ]
    page = read_html(f"<table>{''.join(rows)}</table>".encode())
    found = compose(with_questions(page.elements))
    headings = [section.path[-1] for section in found.sections if section.path]
    assert headings == [f"{asked} 1", f"{asked} 2"]
    assert found.text.startswith(f"{answer} 1")


def test_a_page_that_is_a_manual_page_has_its_sections() -> None:
    body = "Delete all mail in the queue that nobody has read since it came here. " * 9
    page = (
        "<title>mq(1)</title><pre>\nMQ(1)   MQ(1)\n\n<b>NAME</b>\n       mq - mail queue\n\n"
        f"<b>OPTIONS</b>\n       {body}\n\n       <b>-d</b>\n              {body}</pre>"
    )
    found = compose(read_html(page.encode()).elements)
    assert [section.path for section in found.sections[-2:]] == [("NAME",), ("OPTIONS",)]
    assert {"term", "description"} <= {block.kind for block in found.blocks}
    assert "code" not in {block.kind for block in found.blocks}
    listing = "<pre>" + "x = 1\ny = [x]\n" * 200 + "</pre>"
    assert [one.kind for one in read_html(listing.encode()).elements] == ["code"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Proxies forward requests, and some of them keep the answers for later requests.",
        "Прокси пересылает запросы, а некоторые из них хранят ответы для других запросов.",
        "代理转发请求，其中一些会保存答案以备后用，这样可以节省大量的时间和带宽资源，用户也不必等待。",
        "Proxy chuyển tiếp yêu cầu và một số giữ lại câu trả lời cho các yêu cầu sau này.",
        "Vekil sunucular istekleri iletir ve bazıları yanıtları sonraki istekler için saklar.",
    ],
)
def test_prose_in_pre_is_prose(sentence: str) -> None:
    items = f"  - {sentence}\n  - {sentence} {sentence}"
    source = f"<h1>Intro</h1><pre>{sentence}\n{sentence}\n\n{items}</pre>"
    found = list(read_html(source.encode()).elements)
    assert [one.kind for one in found[1:]] == ["paragraph", "item", "item"]
    assert all(one.level == 0 for one in found[1:])


@pytest.mark.parametrize(
    "code",
    [
        "Sub Example\n    MsgBox Format(6328.2)\n    ' You always use a full stop. It is short.\n",
        "> rem Flex is required. It is in the list of packages.\n> choco install -y flex\n",
        "for each line in the file\n  do this\n  do that\nend\n",
    ],
)
def test_code_in_pre_stays_code(code: str) -> None:
    found = list(read_html(f"<pre>{code * 6}</pre>".encode()).elements)
    assert [(one.kind, one.text) for one in found] == [("code", (code * 6).strip("\n"))]


def test_code_of_doxygen_keeps_its_lines() -> None:
    lines = [f"<div class=line><span class=lineno> {n}</span>  int a{n};</div>" for n in (1, 2, 3)]
    page = read_html(f"<div class=fragment>{''.join(lines)}</div>\n<p>End.".encode())
    assert [(one.kind, one.text) for one in page.elements] == [
        ("code", "  int a1;\n  int a2;\n  int a3;"),
        ("paragraph", "End."),
    ]
    apart = read_html("\n".join(["<div class=fragment>", *lines, "</div>"]).encode())
    assert [one.text for one in apart.elements] == ["  int a1;\n  int a2;\n  int a3;"]


def test_a_page_that_leads_to_another_one_has_no_text() -> None:
    refresh = "<meta http-equiv=Refresh content='0; url=other.html'>"
    moved = "<p>The node you look for is at <a href=other.html>Other</a>."
    assert not list(read_html(f"<head>{refresh}</head>{moved}".encode()).elements)
    body = "<p>Attach the disk."
    for head in (f"<noscript>{refresh}</noscript>", refresh.replace("url=other.html", "")):
        assert text(f"<head>{head}</head>{body}") == "Attach the disk."
    assert text(f"<head>{refresh}</head>{body * 20}").startswith("Attach the disk.")


def test_a_page_of_prose_without_headings_in_pre() -> None:
    prose = "When the window opens, it stays in front of others until you close it again."
    page = f"<pre>{prose}\n{prose}\n\n\t:gui [-f]\t*:gu*\n\n{(prose + chr(10)) * 12}</pre>"
    assert [one.kind for one in read_html(page.encode()).elements] == [
        "paragraph", "code", "paragraph",
    ]  # fmt: skip


def test_the_title_of_a_figure_in_a_note_is_a_caption() -> None:
    figure = "<div class=figure><img src=a.png><p class=title><b>Figure 1. Port</b></div>"
    note = f"<div class=note><p class=title>Note<p>Use port A.{figure}<p>Then wait.</div>"
    page = read_html(f"{note}<h2>Text</h2><p>Type it.".encode())
    assert [(one.level or one.kind, one.text) for one in page.elements] == [
        ("note", "Note\nUse port A."),
        ("caption", "Figure 1. Port"),
        ("note", "Then wait."),
        (2, "Text"),
        ("paragraph", "Type it."),
    ]


@pytest.mark.parametrize(
    "marked",
    ["<h2 class=note>X</h2>", "<ul><li class=tip>X</ul>", "<dl><dt class=note>X</dl>"],
)
def test_what_looks_like_a_note_ends_with_its_element(marked: str) -> None:
    page = read_html(f"<blockquote>{marked}<p>A.</blockquote><h2>Text</h2><p>B.".encode())
    first, *others = [(one.level or one.kind, one.text) for one in page.elements]
    assert first[0] in (2, "item", "term")
    assert others == [
        ("quotation", "A."),
        (2, "Text"),
        ("paragraph", "B."),
    ]
