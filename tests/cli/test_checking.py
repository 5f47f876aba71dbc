"""`check` as a filter: JSON lines in, JSON lines out, without an index."""

import json

import pytest

CLAIMS = {
    "en": ("The bridge opened in {}.", "The bridge was opened to traffic in 1932."),
    "zh": ("这座桥于{}年通车。", "大桥在1932年正式通车。"),
    "ja": ("橋は{}年に開通した。", "この橋が開通したのは1932年である。"),
    "th": ("สะพานเปิดใช้ในปี {}", "สะพานเปิดใช้งานครั้งแรกในปี 1932"),
    "ar": ("افتتح الجسر عام {}.", "تم افتتاح الجسر في عام 1932."),
    "vi": ("Cây cầu mở cửa năm {}.", "Cây cầu được khánh thành năm 1932."),
    "ru": ("Мост открыт в {} году.", "Мост был открыт в 1932 году."),
    "tr": ("Köprü {} yılında açıldı.", "Köprü 1932 yılında hizmete açıldı."),
}


def line(statement, *texts, **more):
    passages = [{"passage_id": f"p{at}", "text": text} for at, text in enumerate(texts)]
    return json.dumps({"statement": statement, "passages": passages, **more}, ensure_ascii=False)


@pytest.mark.parametrize("lang", CLAIMS)
def test_a_wrong_year_is_marked_in_every_language(anaphora, lang):
    statement, text = CLAIMS[lang]
    wrong = statement.format(1935)
    ran = anaphora("check", "--json", stdin=line(wrong, "", text, id=lang))
    assert ran.code == 0, ran.err
    (form,) = ran.lines
    assert list(form) == ["id", "supported", "probability", "citations", "unsupported"]
    assert (form["id"], form["supported"], form["citations"]) == (lang, False, [])
    assert form["probability"] < 0.5
    assert any("1935" in wrong[start:end] for start, end in form["unsupported"])


def test_what_the_passage_says_is_supported_by_it(anaphora):
    lines = [
        line(text, "Pears ripen in September.", text, id=lang) for lang, (_, text) in CLAIMS.items()
    ]
    ran = anaphora("check", "--json", stdin="\n".join(lines))
    assert ran.code == 0, ran.err
    assert [form["id"] for form in ran.lines] == list(CLAIMS)
    for form in ran.lines:
        assert (form["supported"], form["citations"]) == (True, ["p1"]), form
        assert form["unsupported"] == []


def test_without_passages_nothing_is_supported(anaphora):
    ran = anaphora("check", "--json", stdin=line("The bridge is long."))
    assert ran.lines == [
        {
            "id": "",
            "supported": False,
            "probability": 0.0,
            "citations": [],
            "unsupported": [[0, 19]],
        }
    ]


def test_the_human_form_names_the_words(anaphora):
    _, text = CLAIMS["en"]
    ran = anaphora("check", stdin="\n".join([line("It opened in 1935.", text), line(text, text)]))
    assert ran.code == 0, ran.err
    first, second = ran.out.strip().split("\n\n")
    assert "not supported: " in first
    assert "1935" in first.splitlines()[1]
    assert "supported by p0" in second


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("no JSON", "is not JSON"),
        ("[]", "is not a JSON object"),
        ("{}", '"passages" must be a list'),
        (json.dumps({"passages": []}), '"statement" must be a string'),
        (line("  "), '"statement" is empty'),
        (json.dumps({"statement": "So.", "passages": ["p"]}), '"passages" must be a list'),
        (json.dumps({"statement": "So.", "passages": [{"text": ""}]}), 'needs "passage_id"'),
        (json.dumps({"statement": "So.", "passages": [{"passage_id": 1}]}), '"text" must be'),
        (line("So.", question=3), '"question" must be a string'),
        ('{"statement": "\\ud800", "passages": []}', "half of a character"),
        (
            json.dumps({"statement": "So.", "passages": 2 * [{"passage_id": 1, "text": ""}]}),
            "two passages",
        ),
    ],
)
def test_a_bad_line_is_one_sentence_with_its_number(anaphora, bad, said):
    _, text = CLAIMS["en"]
    ran = anaphora("check", "--json", stdin=f"{line(text, text)}\n\n{bad}\n")
    assert ran.code == 2
    assert len(ran.lines) == 1  # the line before it was answered
    assert ran.err.startswith("anaphora: standard input, line 3: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1
