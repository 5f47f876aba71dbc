"""Examples as training reads them: their tokens, their labels, and their hidden states.

The shared layers are frozen, so the hidden states that they give are computed once and kept as
float16 on disk. An epoch then runs the upper layers alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from anaphora.datasets.example import Example
from anaphora.language import identify_question, stop_words
from anaphora.models.backbone import Backbone
from anaphora.models.tokenizer import Tokenizer
from anaphora.protocols import FloatArray
from anaphora.records import Conversation
from anaphora.rewrite.context_turns import stressed
from anaphora.rewrite.linking.sequence import Layout, lay_out
from anaphora.rewrite.tokenization import fold, word_ranges
from anaphora.train.cache import Array, cached_arrays
from anaphora.train.rewriter.alignment import Aligner, Labels

SIGNS = frozenset(".,?!;:'\"()[]-–—。，？！、؟،「」『』《》…") | {"'s"}


@dataclass(frozen=True)
class Prepared:
    """An example with its layout and labels."""

    example: Example
    layout: Layout
    labels: Labels
    lang: str


def context_words(layout: Layout) -> list[list[str]]:
    """The folded words of each earlier utterance."""
    words: list[list[str]] = [[] for _ in layout.utterances]
    for word in layout.words[: layout.context]:
        text = layout.utterances[word.utterance].text
        words[word.utterance].append(fold(text[word.start : word.end]))
    return words


def question_words(layout: Layout) -> list[str]:
    text = layout.utterances[-1].text
    return [fold(text[word.start : word.end]) for word in layout.words[layout.context :]]


def folded(text: str) -> list[str]:
    return [fold(text[start:end]) for start, end in word_ranges(text)]


class Labeller:
    """Tokenises and labels examples, with the closed sets or, to find them, without."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._function_words: dict[str, frozenset[str]] = {}

    def __call__(
        self, example: Example, phrases: Mapping[str, Container[str]] | None = None
    ) -> Prepared | None:
        """None where the question is longer than the linker reads, or has no context."""
        layout = lay_out(stressed(example.conversation), self._tokenizer)
        if not layout.whole or layout.context == len(layout.words):
            return None
        lang = language(example.conversation)
        labels = self.labels(example, layout, lang, phrases)
        return Prepared(example, layout, labels, lang)

    def labels(
        self,
        example: Example,
        layout: Layout,
        lang: str,
        phrases: Mapping[str, Container[str]] | None,
    ) -> Labels:
        aligner = Aligner(context_words(layout), self._words(lang))
        known = None if phrases is None else phrases.get(lang, ())
        rewrite = unicodedata.normalize("NFC", example.rewrites[0])
        ranges = word_ranges(rewrite)

        def spelling(first: int, end: int) -> str:
            text = rewrite[ranges[first][0] : ranges[end - 1][1]]
            return " ".join(text.replace("’", "'").lower().split())

        return aligner.align(question_words(layout), folded(rewrite), known, spelling)

    def _words(self, lang: str) -> frozenset[str]:
        if lang not in self._function_words:
            self._function_words[lang] = SIGNS | {fold(word) for word in stop_words(lang)}
        return self._function_words[lang]


def language(conversation: Conversation) -> str:
    return conversation.question.lang or identify_question(conversation)


@dataclass(frozen=True)
class Features:
    """Examples and their hidden states after the shared layers, [tokens, d] each."""

    prepared: Sequence[Prepared]
    hidden: Sequence[FloatArray]

    def __add__(self, other: Features) -> Features:
        return Features([*self.prepared, *other.prepared], [*self.hidden, *other.hidden])

    def __mul__(self, times: int) -> Features:
        return Features([*self.prepared] * times, [*self.hidden] * times)


def compute(
    prepared: Sequence[Prepared],
    backbone: Backbone,
    path: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Features:
    """The hidden states of all examples, kept in the file `path`, which is read again if it was
    computed from the same tokens."""

    def fill(states: Sequence[Array]) -> None:
        def run(number: int) -> None:
            states[number][:] = backbone.hidden([prepared[number].layout.ids.tolist()])[0]

        with ThreadPoolExecutor(2) as pool:
            for count, _ in enumerate(pool.map(run, range(len(prepared))), 1):
                progress(count, len(prepared))

    digest = sha256(b"".join(one.layout.ids.tobytes() for one in prepared)).hexdigest()
    shapes = [(len(one.layout.ids), backbone.dimensions) for one in prepared]
    return Features(prepared, cached_arrays(path, digest, shapes, fill))


def prepare(
    examples: Iterable[Example],
    labeller: Labeller,
    phrases: Mapping[str, Container[str]] | None,
) -> list[Prepared]:
    """The examples that the linker can read, with labels."""
    found = (labeller(example, phrases) for example in examples)
    return [one for one in found if one is not None]


def relabel(
    prepared: Sequence[Prepared], labeller: Labeller, phrases: Mapping[str, Sequence[str]]
) -> list[Prepared]:
    """The same examples with labels whose phrases are in the closed set of their language."""
    known = {lang: frozenset(texts) for lang, texts in phrases.items()}
    return [
        replace(one, labels=labeller.labels(one.example, one.layout, one.lang, known))
        for one in prepared
    ]
