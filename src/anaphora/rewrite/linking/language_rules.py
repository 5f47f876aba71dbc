"""Corrections of the linker's edits by rules of each language.

The linker learned most from English and Chinese. In other languages it may delete half of a
pronoun, or the preposition with it, or a verb that includes one. The tables are in
`languages/LANG.toml`, section `[linking]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from anaphora.language import is_context_dependent, stop_words
from anaphora.language.question_words import question_type
from anaphora.rewrite.language_data import section
from anaphora.rewrite.linking.decoding import Decoded, Insertion, supported_deletions
from anaphora.rewrite.linking.possessives import contract, move_possessor
from anaphora.rewrite.linking.sequence import Layout
from anaphora.rewrite.pronoun_forms import adpositions, is_pronoun
from anaphora.rewrite.tokenization import Range, fold

Edits = tuple[list[Insertion], set[int]]
"""Insertions, and the numbers of the deleted words."""


def apply_language_rules(
    decoded: Decoded, layout: Layout, lang: str, number: Mapping[str, int]
) -> Decoded:
    """The edits after all rules of the question's language.

    Args:
        number: of each text of the closed set.
    """
    if not decoded.insertions:
        return decoded
    rules = section(lang, "linking")
    question = layout.utterances[-1].text
    words = [(word.start, word.end) for word in layout.words[layout.context :]]
    texts = [question[start:end] for start, end in words]
    insertions = _without_second_question(decoded.insertions, texts, layout, lang)
    insertions = _with_agreement(insertions, texts, layout, rules.get("agreement", ()))
    deleted = supported_deletions(set(decoded.deleted), insertions)
    if pattern := rules.get("indivisible"):
        for first, last in _matches(pattern, question, words):
            insertions, deleted = _delete_whole(insertions, deleted, first, last)
    if pattern := rules.get("kept_adpositions"):
        for first, last in _matches(pattern, question, words):
            insertions, deleted = _keep_adposition(insertions, deleted, first, last)
    if pattern := rules.get("objects_before_verbs"):
        determiners = rules["determiners"].split()
        for _, last in _matches(pattern, question, words):
            insertions, deleted = _after_the_verb(
                insertions, deleted, last, layout, determiners, lang
            )
    if rules.get("move_final_name_to_pronoun"):
        kept = rules.get("pronouns_in_another_case", "").split()
        insertions, deleted = _move_to_pronoun(insertions, deleted, texts, lang, kept)
    insertions, deleted = move_possessor(insertions, deleted, layout, lang, number)
    if not rules.get("delete_any_word") and stop_words(lang):
        deleted = _allowed_deletions(deleted, insertions, texts, lang, layout)
    insertions = [_with_adposition(one, deleted, texts, lang, number) for one in insertions]
    insertions = [contract(one, layout, lang, number) for one in insertions]
    if lang == "en":
        insertions = [_with_the(one, deleted, layout) for one in insertions]
    reduced = [_without_overlap(one, deleted, layout) for one in insertions]
    insertions = [one for one in reduced if one]
    if None in reduced:
        deleted = supported_deletions(deleted, insertions)
    return replace(decoded, insertions=tuple(insertions), deleted=tuple(sorted(deleted)))


def _without_overlap(one: Insertion, deleted: set[int], layout: Layout) -> Insertion | None:
    """Without words that the question has next to them: "Patricia Lake" before "Lake"; None if
    nothing is left."""
    if not one.spans:
        return one
    words = [fold(layout.text(at, at)) for at in range(len(layout.words))]
    question = ["" if at in deleted else word for at, word in enumerate(words[layout.context :])]
    spans = list(one.spans)
    if not one.phrases[2]:
        last = spans[-1]
        same = _overlap(words[last.first - 1 : last.last], question[one.gap :])
        spans[-1] = replace(last, last=last.last - same)
    if not one.phrases[0]:
        first = spans[0]
        said = words[first.first - 1 : first.last]
        same = _overlap(question[: one.gap], said)
        spans[0] = replace(first, first=first.first + same)
    kept = tuple(span for span in spans if span.first <= span.last)
    return replace(one, spans=kept) if kept else None


def _overlap(left: Sequence[str], right: Sequence[str]) -> int:
    """How many words that `left` ends with `right` begins with."""
    sizes = range(min(len(left), len(right)), 0, -1)
    return next((size for size in sizes if left[-size:] == right[:size]), 0)


def _without_second_question(
    insertions: Sequence[Insertion], texts: Sequence[str], layout: Layout, lang: str
) -> list[Insertion]:
    """Without spans that begin with an earlier question's question word, if this question has one
    of its own: "And for students?" continues a question, "And how do I repair it?" does not."""
    if question_type(layout.utterances[-1].text, lang) == "other":
        return list(insertions)

    def is_question(one: Insertion) -> bool:
        if one.gap < len(texts) and is_pronoun(texts[one.gap], lang):
            return False
        for span in one.spans:
            word = layout.words[span.first - 1]
            before = layout.utterances[word.utterance].text[: word.start]
            text = layout.text(span.first - 1, span.last - 1)
            if not any(map(str.isalnum, before)) and question_type(text, lang) != "other":
                return True
        return False

    return [one for one in insertions if not is_question(one)]


def _with_agreement(
    insertions: Sequence[Insertion],
    texts: Sequence[str],
    layout: Layout,
    agreement: Sequence[str],
) -> list[Insertion]:
    """Without the less probable one of two equal names for pronouns that cannot refer to the same
    entity: "Did she know him?"."""
    groups = {word: number for number, group in enumerate(agreement) for word in group.split()}
    kept: list[Insertion] = []
    referents: dict[str, int] = {}
    for one in sorted(insertions, key=lambda one: -one.probability):
        group = groups.get(texts[one.gap].lower()) if one.gap < len(texts) else None
        if group is not None and one.spans:
            span = one.spans[0]
            name = fold(layout.text(span.first - 1, span.last - 1))
            if referents.setdefault(name, group) != group:
                continue
        kept.append(one)
    return sorted(kept, key=lambda one: one.gap)


def _matches(pattern: str, text: str, words: list[Range]) -> Iterator[Range]:
    """The first and the last word of each match."""
    for match in re.finditer(pattern, text):
        inside = [
            number
            for number, (start, end) in enumerate(words)
            if match.start() <= start and end <= match.end()
        ]
        if inside:
            yield inside[0], inside[-1]


def _delete_whole(insertions: list[Insertion], deleted: set[int], first: int, last: int) -> Edits:
    """With all of the words first..last deleted if one of them is, and no insertion inside."""
    own = set(range(first, last + 1))
    if not own & deleted:
        return insertions, deleted
    best: dict[int, Insertion] = {}
    for one in insertions:
        gap = first if one.gap in own else one.gap
        if gap not in best or one.probability > best[gap].probability:
            best[gap] = replace(one, gap=gap)
    return [best[gap] for gap in sorted(best)], deleted | own


def _keep_adposition(
    insertions: list[Insertion], deleted: set[int], first: int, last: int
) -> Edits:
    """Without the deletion of the words first..last, and insertions before them moved behind."""
    own = set(range(first, last + 1))
    if not own <= deleted:
        return insertions, deleted
    moved = [replace(one, gap=last + 1) if one.gap in own else one for one in insertions]
    return moved, deleted - own


def _after_the_verb(
    insertions: list[Insertion],
    deleted: set[int],
    pronoun: int,
    layout: Layout,
    determiners: Sequence[str],
    lang: str,
) -> Edits:
    """With the words for an object pronoun behind the verb that follows it, with their determiner
    and without the pronoun: "comment je les sauvegarde" becomes "comment je sauvegarde mes mails".
    """
    behind = pronoun + 2
    near = [one for one in insertions if pronoun <= one.gap <= behind]
    if pronoun + 1 in deleted or len(near) != 1 or len(near[0].spans) != 1:
        return insertions, deleted
    (one,) = near
    (span,) = one.spans
    before, word = span.first - 2, span.first - 1
    said = layout.text(word, word).lower()
    if said in stop_words(lang) and said not in determiners:
        return insertions, deleted
    same = before >= 0 and layout.words[before].utterance == layout.words[word].utterance
    if same and layout.text(before, before).lower() in determiners:
        span = replace(span, first=span.first - 1)
    moved = replace(one, gap=behind, spans=(span,), phrases=(0, 0, 0))
    others = [other for other in insertions if other is not one]
    return sorted([*others, moved], key=lambda one: one.gap), deleted | {pronoun}


def _move_to_pronoun(
    insertions: list[Insertion],
    deleted: set[int],
    texts: list[str],
    lang: str,
    kept: Sequence[str],
) -> Edits:
    """With the only name in the place of the only pronoun, if it was inserted at the end."""
    pronouns = [number for number, text in enumerate(texts) if is_pronoun(text, lang)]
    if deleted or len(insertions) != 1 or len(pronouns) != 1 or not insertions[0].spans:
        return insertions, deleted
    if texts[pronouns[0]].lower() in kept:
        return insertions, deleted
    if any(char.isalnum() for text in texts[insertions[0].gap :] for char in text):
        return insertions, deleted
    return [replace(insertions[0], gap=pronouns[0], phrases=(0, 0, 0))], {pronouns[0]}


def _allowed_deletions(
    deleted: set[int],
    insertions: list[Insertion],
    texts: list[str],
    lang: str,
    layout: Layout,
) -> set[int]:
    """Without runs in which each word is a content word that no insertion contains."""
    inserted = {
        fold(layout.text(number, number))
        for one in insertions
        for span in one.spans
        for number in range(span.first - 1, span.last)
    }
    kept: set[int] = set()
    run: list[int] = []
    for number in [*range(len(texts)), None]:
        if number is not None and number in deleted:
            run.append(number)
            continue
        if any(_is_function_word(texts[one], lang) or fold(texts[one]) in inserted for one in run):
            kept.update(run)
        run = []
    return kept


def _is_function_word(word: str, lang: str) -> bool:
    return (
        not any(char.isalnum() for char in word)
        or word.lower() in stop_words(lang)
        or is_context_dependent(word, lang)
        or is_pronoun(word, lang)
    )


def _with_the(one: Insertion, deleted: set[int], layout: Layout) -> Insertion:
    """With the article that a name has in the conversation, if it replaces a pronoun."""
    if not one.spans or one.gap not in deleted or one.phrases[0]:
        return one
    span = one.spans[0]
    word = span.first - 1
    if not word or layout.words[word - 1].utterance != layout.words[word].utterance:
        return one
    named = layout.text(word, word)[0].isupper()
    if not named or layout.text(word - 1, word - 1).lower() != "the":
        return one
    return replace(one, spans=(replace(span, first=span.first - 1), *one.spans[1:]))


def _with_adposition(
    one: Insertion, deleted: set[int], texts: list[str], lang: str, number: Mapping[str, int]
) -> Insertion:
    """With the adposition that a single replaced pronoun includes: Hindi "उसमें" is "in it"."""
    alone = one.gap in deleted and not {one.gap - 1, one.gap + 1} & deleted
    # The linker's own phrases cover English.
    if not one.spans or not alone or lang == "en":
        return one
    before, after = adpositions(texts[one.gap], lang)
    first, between, last = one.phrases
    return replace(
        one,
        phrases=(number[before] if before else first, between, number[after] if after else last),
    )
