"""Turns what training has so far into weights that can be shipped.

Thresholds for English are those with the best BLEU-4 and ROUGE-1 on CANARD's tuning part and on
that of our English talks, which have complete questions too; those of Chinese, Japanese and Arabic
the defaults but for spans, whose threshold is the one with most held-out made questions right;
other languages have the defaults. Then the gate is fitted to them.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from anaphora.evaluate.metrics.rewriting import rewrite_report
from anaphora.language import counts_characters, stop_words
from anaphora.models.backbone import SHARED_LAYERS, Backbone
from anaphora.models.weights import Weights
from anaphora.rewrite.linking.decoding import Thresholds
from anaphora.rewrite.linking.heads import Heads, Links
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.linking.realization import n_best
from anaphora.rewrite.tokenization import word_ranges
from anaphora.train import examples as sources
from anaphora.train.export import export
from anaphora.train.features import Labeller, Prepared
from anaphora.train.gate import fit_gate
from anaphora.train.network import Linker, head_arrays
from anaphora.train.trial import Trial, nodes_of

logger = logging.getLogger(__name__)

_GRID: Mapping[str, Sequence[float]] = {
    "span": (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6),
    "replacing": (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4),
    "second": (0.2, 0.3, 0.4, 0.5, 0.6),
    "phrase": (0.4, 0.5, 0.6, 0.7),
    "deletion": (0.3, 0.4, 0.5),
}
"""Phrases below 0.4 and words that stay above 0.5 gain a little BLEU-4 and leave sentences that are
none ("When was Ada Lovelace she born?")."""
_SMALL: Mapping[str, str] = {
    "ar": "وكم وهل",
    "en": "besides aside addition regards regarding along together relation ever happened",
    "fi": "vai",
    "tr": "ın",
}
"""Words of a closed set that are no stop words and yet say nothing by themselves."""
_SPANS = (0.45, 0.55, 0.65, 0.75, 0.85, 0.9, 0.95)
_ROUNDS = 2
_HELD_OUT = 400


ByLanguage = Mapping[str, Thresholds]


class Scored:
    """Examples with their links: decoding them again takes no network."""

    def __init__(self, model: Linker, heads: Heads, closed: PhraseSet, trial: Trial) -> None:
        self._heads, self._closed = heads, closed
        self.prepared: Sequence[Prepared] = trial.prepared
        self._links: list[Links] = [
            heads.links(nodes, one.layout.context)
            for one, nodes in zip(trial.prepared, nodes_of(model, trial), strict=True)
        ]

    def rewrites(self, thresholds: ByLanguage) -> list[str]:
        made = []
        for one, links in zip(self.prepared, self._links, strict=True):
            chosen = thresholds.get(one.lang, Thresholds())
            best = n_best(one.layout, links, self._heads, self._closed, one.lang, chosen)
            made.append(best[0][0])
        return made

    def figures(self, thresholds: Thresholds) -> tuple[float, float]:
        """BLEU-4 and ROUGE-1 of English rewrites, in 0..1."""
        made = self.rewrites({"en": thresholds})
        examples = [one.example for one in self.prepared]
        gold, asked = [one.rewrites[0] for one in examples], [one.question for one in examples]
        report = rewrite_report(made, gold, asked, ["en"] * len(made))
        return report["BLEU-4"] or 0.0, report["ROUGE-1"] or 0.0


def finish(data: Path, out: Path) -> Path:
    """Tunes and exports the weights in `out`; returns the folder with them.

    Args:
    """
    known = json.loads((out / "phrases.json").read_text("utf-8"))
    sizes = Weights().sizes
    model = Linker(Weights(), range(SHARED_LAYERS, sizes.layers), len(known["known"]))
    state = torch.load(out / "linker.pt")
    model.load_state_dict(state)
    model.eval()
    arrays = head_arrays(model)
    languages = {
        lang: [text for text in texts if is_function(text, lang)]
        for lang, texts in known["languages"].items()
    }
    closed = PhraseSet(known["known"], languages)
    backbone = Backbone()
    labeller = Labeller(backbone.tokenizer)
    canard, talks = (
        Scored(model, Heads(arrays), closed, Trial(examples, labeller, backbone))
        for examples in (sources.tuning(data), sources.english_talks())
    )
    thresholds = best_thresholds((canard, talks))
    made = sources.held_out(data)
    held_out = random.Random(0).sample(made, min(_HELD_OUT, len(made)))
    others = Scored(model, Heads(arrays), closed, Trial(held_out, labeller, backbone))
    by_lang = {"en": thresholds}
    for lang in sorted({one.lang for one in others.prepared}):
        by_lang[lang] = best_span(others, lang)
    export(
        out / "weights",
        {name: value.float().numpy() for name, value in state.items()},
        arrays,
        known["known"],
        languages,
        by_lang,
    )
    fit_gate(data, out / "weights")
    bleu, rouge = canard.figures(thresholds)
    logger.info(
        f"BLEU-4 {bleu:.3f}, ROUGE-1 {rouge:.3f} on CANARD's tuning part, with {thresholds}"
    )
    return out / "weights"


def is_function(phrase: str, lang: str) -> bool:
    """Whether a phrase of the closed set is one of function words: what many talks put in can also
    be a thing that they share, or, in writing without spaces, a part of a name.

    >>> is_function("の", "ja"), is_function("ラ オ ス", "ja"), is_function("的", "zh")
    (True, False, True)
    >>> is_function("in addition to", "en"), is_function("to the grocery store", "en")
    (True, False)
    """
    if not counts_characters(lang):
        small = stop_words(lang) | frozenset(_SMALL.get(lang, "").split())
        words = (phrase[start:end] for start, end in word_ranges(phrase))
        return all(word.lower() in small for word in words if word[0].isalnum())
    return all("ぁ" <= char <= "ん" or char in "的之" or not char.isalnum() for char in phrase)


def best_thresholds(sets: Sequence[Scored]) -> Thresholds:
    """One threshold after the other, the best of its grid while the others stay."""

    def worth(thresholds: Thresholds) -> float:
        return sum(map(sum, (one.figures(thresholds) for one in sets)))

    best = Thresholds()
    most = worth(best)
    for _ in range(_ROUNDS):
        for name, values in _GRID.items():
            for value in values:
                tried = replace(best, **{name: value})
                got = worth(tried)
                if got > most:
                    best, most = tried, got
    return best


def best_span(others: Scored, lang: str) -> Thresholds:
    """The defaults with the threshold for spans that leaves and rewrites most questions of a
    language as they should be."""

    def right(span: float) -> int:
        made = others.rewrites({lang: replace(Thresholds(), span=span)})
        return sum(
            text == one.example.rewrites[0]
            for one, text in zip(others.prepared, made, strict=True)
            if one.lang == lang
        )

    return replace(Thresholds(), span=max(_SPANS, key=right))
