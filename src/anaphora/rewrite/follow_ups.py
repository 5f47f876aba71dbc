"""Follow-ups that say nothing of their own: the question before is asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anaphora.language import counts_characters, is_context_dependent
from anaphora.language.follow_ups import bare_follow_up, language_instruction
from anaphora.language.intent import classify_intent
from anaphora.protocols import Rewriter
from anaphora.records import UNKNOWN, Conversation, Edit, Rewrite, Turn
from anaphora.rewrite.content_words import content_words, earlier_user_turns

_MARKS = "?？؟.。!！।… "
_QUESTION_MARKS = {"ar": "؟", "zh": "？", "ja": "？", "th": ""}
_FULL_STOPS = {"zh": "。", "ja": "。", "hi": "।", "th": ""}
_BEFORE = 3
"""How many earlier questions an alternative contains at most."""
_LEFT = 0.65
"""A question that the rewriter leaves as it is with at least this confidence has no alternative;
chosen on the tuning part of evaluation/answers."""
_LONGEST = 300
"""Characters of an earlier question in an alternative; a longer one is a text."""
_ENOUGH_WORDS, _ENOUGH_CHARACTERS = 3, 10
"""A question with more content words, or in writing without spaces more letters, is complete unless
it refers to something."""
_CHAIN = 3
"""How many follow-ups in a row are put behind the question before them."""

Finish = Callable[[Rewrite], Rewrite]


@dataclass(frozen=True, slots=True)
class FollowUpRewriter:
    """Takes the whole question before for "why?", "an example?" or "in French", and leaves other
    questions to a rewriter.

    The question before is itself made self-contained. Behind it follows what asks on, in its
    language: "When did The Mothers disband? Why?". An instruction to answer in a language is not
    searched: `Rewrite.lang` becomes that language.

    Any other follow-up gets an alternative (see `Rewrite`): the question before it, and the
    question as asked. A question that begins a new topic has none, nor has one that the rewriter is
    sure to leave, nor one in another language than the question before.

    Args:
        rewriter: for the question before, and for all questions of other kinds.
    """

    rewriter: Rewriter

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        resolved = [resolve(one) for one in conversations]
        rewrites = self.rewriter.rewrite([asked for asked, _ in resolved])
        return [finish(one) for (_, finish), one in zip(resolved, rewrites, strict=True)]


def resolve(conversation: Conversation, chain: int = _CHAIN) -> tuple[Conversation, Finish]:
    """The conversation whose last question is to be rewritten instead, and what makes the rewrite
    of the conversation's own question from it."""
    question = conversation.question
    before = _question_before(conversation, chain)
    instruction = language_instruction(question.text)
    if instruction and instruction.rest:
        shorter = replace(question, text=instruction.rest)
        asked, finish = resolve(
            replace(conversation, turns=(*conversation.history, shorter)), chain
        )
        return asked, lambda one: replace(finish(one), lang=instruction.lang)
    if before is None:
        return _without_instructions(conversation), lambda one: one
    number = len(before.turns) - 1
    if instruction:
        asked, finish = resolve(before, chain - 1)
        return asked, lambda one: _asked_again(finish(one), instruction.lang, number, question)
    said = bare_follow_up(question.text, before.lang)
    if said is not None:
        asked, finish = resolve(before, chain - 1)
        return asked, lambda one: _asked_on(finish(one), said, number, conversation)
    return _without_instructions(conversation), lambda one: _with_alternative(one, conversation)


def _question_before(conversation: Conversation, chain: int) -> Conversation | None:
    """The conversation up to the user's last turn that is a question; with `chain` 1 or less, a
    question that says something of its own."""
    for number, turn in earlier_user_turns(conversation):
        if not turn.text.strip() or classify_intent(turn.text) != "question":
            continue
        if chain > 1 or not _is_bare(turn):
            return replace(conversation, turns=conversation.turns[: number + 1])
    return None


def _is_bare(turn: Turn) -> bool:
    instruction = language_instruction(turn.text)
    if instruction:
        return not instruction.rest
    return bare_follow_up(turn.text, turn.lang or UNKNOWN) is not None


def _without_instructions(conversation: Conversation) -> Conversation:
    """With earlier turns that asked for another language reduced to what they say besides."""

    def reduced(turn: Turn) -> Turn:
        instruction = language_instruction(turn.text) if turn.role == "user" else None
        return replace(turn, text=instruction.rest) if instruction else turn

    history = map(reduced, conversation.history)
    return replace(conversation, turns=(*history, conversation.question))


def _asked_again(before: Rewrite, lang: str, number: int, question: Turn) -> Rewrite:
    return Rewrite(
        before.text,
        lang,
        (Edit("replace", before.text, number, 0, question.text),),
        before.variants,
        before.confidence,
        "rewrite",
        "it asks for the answer in another language",
    )


def _asked_on(before: Rewrite, said: str, number: int, conversation: Conversation) -> Rewrite:
    lang = conversation.turns[number].lang or UNKNOWN
    mark = _QUESTION_MARKS.get(lang, "?")
    said = f"{said[:1].upper()}{said[1:]}".rstrip(_MARKS) + _gap(said) + mark
    return Rewrite(
        joined(before.text, said, lang),
        conversation.lang,
        (Edit("insert", before.text, number, 0),),
        (before.text,),
        before.confidence,
        "rewrite",
        "it asks on about the question before",
    )


def _gap(text: str) -> str:
    """The space that French writes before a question mark, where a text has it."""
    body = text.rstrip("?？؟")
    return body[len(body.rstrip()) :]


def _with_alternative(rewrite: Rewrite, conversation: Conversation) -> Rewrite:
    question, lang = conversation.question, conversation.lang
    left = rewrite.decision == "leave" and (
        rewrite.confidence >= _LEFT or _is_complete(question.text, lang)
    )
    if rewrite.decision == "new topic" or left:
        return rewrite
    edits: list[Edit] = []
    for number, turn in earlier_user_turns(conversation):
        if classify_intent(turn.text) != "question" or _is_bare(turn):
            continue
        if turn.lang != lang or len(turn.text) > _LONGEST:
            break
        edits.insert(0, Edit("insert", turn.text, number, 0))
        if len(edits) == _BEFORE or not is_context_dependent(turn.text, lang):
            break
    if not edits:
        return rewrite
    text = question.text
    for edit in reversed(edits):
        text = joined(edit.text, text, lang)
    reason = "the question before it is asked with it"
    alternative = Rewrite(
        text, rewrite.lang, tuple(edits), (), rewrite.confidence, "rewrite", reason
    )
    return replace(rewrite, alternatives=(alternative,))


def _is_complete(question: str, lang: str) -> bool:
    """Whether a question refers to nothing and has content words enough to be searched alone."""
    if is_context_dependent(question, lang):
        return False
    if counts_characters(lang):
        return sum(map(str.isalnum, question)) > _ENOUGH_CHARACTERS
    return len(content_words(question, lang)) > _ENOUGH_WORDS


def joined(before: str, question: str, lang: str) -> str:
    """Two utterances as sentences. The first one ends with a question mark only if the second one
    does: of several sentences the last question counts.

    >>> joined("What is a sponsor?", "how do I find one", "en")
    'What is a sponsor. how do I find one'
    """
    asks = question.rstrip().endswith(("?", "？", "؟"))
    body = before.rstrip(_MARKS)
    mark = before.rstrip()[len(body) :] if asks else ""
    if not mark:
        mark = (_QUESTION_MARKS if asks else _FULL_STOPS).get(lang, "?" if asks else ".")
    space = "" if counts_characters(lang) and mark else " "
    return f"{body}{mark}{space}{question}"
