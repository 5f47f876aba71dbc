"""Metrics of the shortest answer."""

import pytest

from anaphora.datasets.example import Example
from anaphora.errors import UsageError
from anaphora.evaluate.results import PhrasingResult
from anaphora.evaluate.scoring import checked, score
from anaphora.records import Answer, Citation, Conversation, Rewrite, Turn

SAID = {
    "en": ("It was built in 1887.", "1887"),
    "zh": ("锅炉放在地下室。", "地下室"),
    "ar": ("توجد الغلاية في القبو.", "القبو"),
    "th": ("สะพานยาว 503 เมตร", "503 เมตร"),
    "tr": ("Kazan bodrumda duruyor.", "bodrumda"),
}


def tried(quote: str, span: str, lang: str) -> PhrasingResult:
    at = quote.find(span)
    citation = Citation("a", "a", "", quote, 0, len(quote), (at, at + len(span)) if span else None)
    answer = Answer(f"{quote} [1]", lang, 0.9, (citation,))
    return PhrasingResult(Rewrite("?", lang), (), None, answer, {})


@pytest.mark.parametrize("lang", SAID)
def test_the_span_is_scored_by_itself(lang):
    quote, gold = SAID[lang]
    example = Example(Conversation((Turn("user", "?", lang),), None, "1"), answers=(gold,))
    names = ["F1", "span F1", "span EM"]
    (marked,) = score([example], [tried(quote, gold, lang)], names, lambda ids: {})
    assert marked.scores["span F1"] == marked.scores["span EM"] == 1.0
    assert marked.scores["F1"] < 1.0
    (unmarked,) = score([example], [tried(quote, "", lang)], names, lambda ids: {})
    assert unmarked.scores["span F1"] == 0.0


def test_names_are_checked():
    assert checked("SPAN f1") == "span F1"
    with pytest.raises(UsageError, match="did you mean 'span F1'"):
        checked("span F")
