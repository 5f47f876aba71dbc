"""What a trained linker does on examples, in the figures of the node-linking paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from anaphora.evaluate.metrics.exact_match import exact_rewrite
from anaphora.evaluate.metrics.parsing import Insertion, parsing_report
from anaphora.evaluate.metrics.rewriting import rewrite_report
from anaphora.rewrite.linking.decoding import Decoded, Thresholds
from anaphora.rewrite.linking.detokenization import separator
from anaphora.rewrite.linking.heads import Heads, Links
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.linking.realization import n_best
from anaphora.train.alignment import apply
from anaphora.train.features import Prepared, context_words, question_words
from anaphora.train.linking.model import Model, Probe

_AT_ONCE = 64
_GRID = {
    "span": (0.2, 0.3, 0.4, 0.5, 0.6),
    "replacing": (0.05, 0.15, 0.25, 0.4),
    "second": (0.3, 0.4, 0.5, 0.6, 0.7),
    "phrase": (0.4, 0.5, 0.6, 0.7),
    "deletion": (0.3, 0.4, 0.5, 0.6),
}


class Scored:
    """Examples with the scores of their links: decoding them again takes no network."""

    def __init__(
        self,
        model: Model,
        prepared: Sequence[Prepared],
        probes: Sequence[Probe] | None,
        phrases: Sequence[str],
    ) -> None:
        self.prepared = prepared
        lang = prepared[0].lang
        self._closed = PhraseSet(phrases, {lang: phrases})
        self._heads: Heads = model.matrices()
        order = sorted(range(len(prepared)), key=lambda number: len(prepared[number].layout.ids))
        self._links: dict[int, Links] = {}
        for at in range(0, len(order), _AT_ONCE):
            rows = order[at : at + _AT_ONCE]
            used = None if probes is None else [probes[row] for row in rows]
            layouts = [prepared[row].layout for row in rows]
            self._links |= zip(rows, model.scores(layouts, used, self._heads), strict=True)

    def decoded(self, thresholds: Thresholds) -> list[tuple[str, Decoded | None]]:
        """The rewrite of each example and what was decided; a question that the encoder cannot
        take whole, or that nothing comes before, stays as it is."""
        found: list[tuple[str, Decoded | None]] = []
        for number, one in enumerate(self.prepared):
            layout = one.layout
            if not layout.whole or not layout.context or layout.context == len(layout.words):
                found.append((one.example.question, None))
            else:
                links = self._links[number]
                found += n_best(layout, links, self._heads, self._closed, one.lang, thresholds)
        return found

    def exact(self, thresholds: Thresholds) -> float:
        pairs = zip(self.decoded(thresholds), self.prepared, strict=True)
        return sum(
            exact_rewrite(text, one.example.rewrites[:1], one.lang) or 0.0
            for (text, _), one in pairs
        )


def best_thresholds(tune: Scored) -> Thresholds:
    """Those with most exact matches: one after the other, while the others stay."""
    best = Thresholds()
    most = tune.exact(best)
    for name, values in _GRID.items():
        for value in values:
            tried = replace(best, **{name: value})
            got = tune.exact(tried)
            if got > most:
                best, most = tried, got
    return best


def figures(scored: Scored, thresholds: Thresholds) -> dict[str, Any]:
    """The rewriting and the parsing figures of the linker."""
    made = scored.decoded(thresholds)
    found = _rewriting([text for text, _ in made], scored.prepared)
    pairs = list(zip(made, scored.prepared, strict=True))
    mine = [[] if one is None else list(_decided(one, right)) for (_, one), right in pairs]
    gold = [list(_right(one)) for one in scored.prepared]
    return found | parsing_report(mine, gold)


def unrewritten(prepared: Sequence[Prepared]) -> dict[str, Any]:
    """The figures of the questions as they were asked."""
    return _rewriting([one.example.question for one in prepared], prepared)


def ceiling(prepared: Sequence[Prepared]) -> dict[str, Any]:
    """The figures of the rewrites that the labels give, and how much of what was put in they cover.

    "edits" are places that get something; one is covered where no word of it is missed.
    """
    texts = []
    for one in prepared:
        context = [word for utterance in context_words(one.layout) for word in utterance]
        text = ""
        for word in apply(question_words(one.layout), context, one.labels):
            text += separator(text, word) + word
        texts.append(text)
    labels = [one.labels for one in prepared]
    inserted = sum(one.inserted for one in labels)
    return _rewriting(texts, prepared) | {
        "words covered": 1 - sum(one.missed for one in labels) / max(1, inserted),
        "turns covered": sum(not one.missed for one in labels) / len(labels),
    }


def _rewriting(texts: Sequence[str], prepared: Sequence[Prepared]) -> dict[str, Any]:
    return rewrite_report(
        texts,
        [one.example.rewrites[0] for one in prepared],
        [one.example.question for one in prepared],
        [one.lang for one in prepared],
    )


def _right(one: Prepared) -> Iterator[Insertion]:
    """Of equal texts the newest stands for all."""
    for insertion in one.labels.insertions:
        for places in insertion.spans:
            yield insertion.gap, *places[-1]


def _decided(decoded: Decoded, one: Prepared) -> Iterator[Insertion]:
    same = {
        (insertion.gap, place): places[-1]
        for insertion in one.labels.insertions
        for places in insertion.spans
        for place in places
    }
    for placed in decoded.insertions:
        for span in placed.spans:
            place = (span.first - 1, span.last - 1)
            yield placed.gap, *same.get((placed.gap, place), place)
