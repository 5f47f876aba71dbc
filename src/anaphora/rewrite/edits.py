"""Edits of a rewriter that only returns its rewrite: found by aligning question and rewrite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from anaphora.language import counts_characters, stop_words
from anaphora.normal_form import normal_form
from anaphora.records import Edit, EditKind
from anaphora.rewrite.tokenization import Range, fold, folded_words, word_ranges


@dataclass(frozen=True, slots=True)
class ContextText:
    """A text that a rewriter has read; `turn` is its index in the conversation, None for the
    title."""

    text: str
    turn: int | None


def aligned_edits(
    question: str, rewrite: str, lang: str, context: Sequence[ContextText] = ()
) -> tuple[Edit, ...]:
    """The edits that turn the question into the rewrite, up to white space and Unicode form.

    The source of an edit is the text of `context` that has the largest fraction of its words, if
    that is more than half; of several the first. The time grows with the product of the lengths of
    question and rewrite.

    >>> for edit in aligned_edits("When did they end?", "When did The Mothers end?", "en",
    ...                           [ContextText("Who were The Mothers?", 0)]):
    ...     print(edit.kind, edit.text, edit.source_turn, edit.position, edit.replaced)
    replace The Mothers 0 9 they
    """
    old, new = word_ranges(question), word_ranges(rewrite)
    matcher = SequenceMatcher(None, _keys(question, old), _keys(rewrite, new), autojunk=False)
    sources = _Sources(context, lang)
    edits: list[Edit] = []
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        replaced = question[old[first][0] : old[last - 1][1]] if last > first else ""
        position = old[first][0] if first < len(old) else len(question)
        if end == start:
            edits.append(Edit("delete", replaced, None, position))
            continue
        text = rewrite[new[start][0] : new[end - 1][1]]
        kind: EditKind = "replace" if replaced else "insert"
        edits.append(Edit(kind, text, sources.find(text), position, replaced))
    return tuple(edits)


def _keys(text: str, ranges: Sequence[Range]) -> list[str]:
    return [normal_form("NFC", text[start:end]) for start, end in ranges]


class _Sources:
    """The texts that an insertion may come from, tokenized when first needed."""

    def __init__(self, context: Sequence[ContextText], lang: str) -> None:
        self._context = context
        self._function_words = {fold(word) for word in stop_words(lang)} | {"'s"}
        self._unspaced = counts_characters(lang)
        self._texts: list[list[str]] | None = None

    def find(self, text: str) -> int | None:
        if self._texts is None:
            self._texts = [folded_words(one.text) for one in self._context]
        words = folded_words(text)
        content = [word for word in words if word not in self._function_words and word.isalnum()]
        best, source = 0.5, None
        for one, known in zip(self._context, self._texts, strict=True):
            fraction = self._fraction(content or words, known)
            if fraction > best:
                best, source = fraction, one.turn
        return source

    def _fraction(self, words: Sequence[str], known: Sequence[str]) -> float:
        """The fraction of `words` that `known` contains, where words are single characters that it
        contains as one run."""
        if not words:
            return 0.0
        if self._unspaced:
            match = SequenceMatcher(None, known, words, autojunk=False).find_longest_match()
            return match.size / len(words)
        present = set(known)
        return sum(word in present for word in words) / len(words)
