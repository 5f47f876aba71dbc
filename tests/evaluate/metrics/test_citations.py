"""Citation recall and precision, with a checker that wants every word in the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support.corpus import PARAGRAPHS
from support.word_checker import WordChecker

from anaphora.evaluate.metrics.citations import Grounding, grounding, statements
from anaphora.language import message
from anaphora.read.rendering import rendered
from anaphora.records import Answer, Block, Citation, Claim, Support

WORDS = WordChecker(1)


def answer(text: str, lang: str, *quotes: str) -> Answer:
    cited = tuple(
        Citation(f"p{n}", "doc", "Title", quote, 0, len(quote)) for n, quote in enumerate(quotes)
    )
    return Answer(text, lang, 0.9, cited)


@pytest.mark.parametrize(
    ("lang", "text", "first", "second"),
    [
        ("en", "Boats pay ten euros [1]. The harbour opens at noon [1].", "Boats pay ten euros.",
         "The harbour opens at noon."),
        ("zh", "首都是北京[1]。故宫建于1420年[1]。", "首都是北京。", "故宫建于1420年。"),
        ("ja", "港は九時に開きます[1]。船は十ユーロを払います[1]。", "港は九時に開きます。",
         "船は十ユーロを払います。"),
        ("ar", "القاهرة عاصمة مصر [1]. تأسست المدينة سنة 969 [1].", "القاهرة عاصمة مصر.",
         "تأسست المدينة سنة 969."),
        ("ru", "Порт открывается в девять [1]. Лодки платят десять евро [1].",
         "Порт открывается в девять.", "Лодки платят десять евро."),
        ("vi", "Cảng mở lúc chín giờ [1]. Thuyền trả mười euro [1].", "Cảng mở lúc chín giờ.",
         "Thuyền trả mười euro."),
        ("tr", "Liman dokuzda açılır [1]. Tekneler on avro öder [1].", "Liman dokuzda açılır.",
         "Tekneler on avro öder."),
    ],
)  # fmt: skip
def test_half_of_the_statements_are_supported(lang, text, first, second):
    assert statements(text, lang) == [(first, (1,)), (second, (1,))]
    assert grounding(answer(text, lang, first), WORDS) == Grounding(0.5, 0.5, 0.5)
    assert grounding(answer(text, lang, f"{first} {second}"), WORDS) == Grounding(1, 1, 0)


def test_a_citation_that_adds_nothing_is_not_precise():
    quotes = ("The harbour opens at nine.", "Boats pay ten euros.")
    found = grounding(answer("The harbour opens at nine [1][2].", "en", *quotes), WORDS)
    assert found == Grounding(1, 0.5, 0)


def test_two_citations_that_only_together_support_are_both_precise():
    quotes = ("The harbour opens at nine.", "It closes at ten.")
    text = "The harbour opens at nine, closes at ten [1][2]."
    assert grounding(answer(text, "en", *quotes), WORDS) == Grounding(1, 1, 0)


def test_a_statement_that_cites_the_wrong_text_is_supported_elsewhere():
    quotes = ("The harbour opens at nine.", "Boats pay ten euros.")
    found = grounding(answer("The harbour opens at nine [2].", "en", *quotes), WORDS)
    assert found == Grounding(0, 0, 0)


def test_a_quotation_is_covered_by_the_mark_at_its_end():
    quote = "Open the menu. Choose Save. Close the window."
    assert grounding(answer(f"{quote} [1]", "en", quote), WORDS) == Grounding(1, 1, 0)


def test_a_written_sentence_without_a_mark_has_no_citation():
    found = grounding(answer("Boats are red. They pay [1].", "en", "They pay."), WORDS)
    assert found == Grounding(0.5, 1, 0.5)


def test_a_number_that_no_citation_has_counts_for_nothing():
    assert grounding(answer("Boats pay [7].", "en", "Boats pay."), WORDS) == Grounding(0, None, 0)


def test_nothing_is_stated():
    assert grounding(answer("…", "en", "Boats pay."), WORDS) is None
    assert grounding(Answer("No answer.", "en", 0.1, abstained=True), WORDS) is None


class Nothing:
    """Supports nothing."""

    def check(self, claims: Sequence[Claim]) -> list[Support]:
        return [Support(False, 0.0) for _ in claims]


@pytest.mark.parametrize("lang", ["en", "zh", "ja", "ar", "th", "vi", "ru", "tr"])
def test_quotations_are_supported_and_what_stands_between_them_is_no_statement(lang):
    first, second = PARAGRAPHS[lang][0], PARAGRAPHS[lang][1]
    said = f"{message('unsure', lang)}\n\n{first} [1]\n\n{message('also', lang)}"
    quoting = answer(f"{said}\n\nA › B\n\n{second} [2]", lang, first, second)
    headed = tuple(replace(one, title="Guide › A › B") for one in quoting.citations)
    assert grounding(replace(quoting, citations=headed), Nothing()) == Grounding(1, 1, 0)
    invented = f"{first} [1]\n\n{PARAGRAPHS['fi'][0]} [2]"
    found = grounding(answer(invented, lang, first, second), Nothing())
    assert found is not None
    assert 0 < found.recall < 1


@pytest.mark.parametrize(
    ("header", "row"),
    [
        (("Key", "Effect"), "F2 | Edit the cell"),
        (("Клавиша", "Действие"), "F2 | Изменить ячейку"),
        (("キー", "動作"), "F2 | セルを編集する"),
        (("المفتاح", "الأثر"), "F2 | تحرير الخلية"),
        (("Phím", "Tác dụng"), "F2 | Sửa ô"),
    ],
)
def test_a_row_is_quoted_as_it_is_shown(header, row):
    lead = "Some keys."
    text = f"{lead}\n{row}"
    blocks = (
        Block("paragraph", 0, len(lead)),
        Block("row", len(lead) + 1, len(text), header=header),
    )
    citation = Citation("p", "doc", "Title", text, 0, len(text), blocks=blocks)
    shown = rendered(text, blocks)
    assert header[1] in shown
    quoting = Answer(f"{shown} [1]", "en", 0.9, (citation,))
    assert grounding(quoting, Nothing()) == Grounding(1, 1, 0)


@pytest.mark.parametrize(
    ("quote", "written"),
    [
        ("The bank did not pay the city.", "The city did not pay the bank. [1]"),
        ("Банк не платит городу.", "Городу банк платит. [1]"),
        ("银行没有付钱给城市。", "城市付钱给银行。[1]"),
    ],
)
def test_the_words_of_a_source_in_another_order_are_no_quotation(quote, written):
    assert grounding(answer(written, "en", quote), Nothing()) == Grounding(0, 0, 1)
