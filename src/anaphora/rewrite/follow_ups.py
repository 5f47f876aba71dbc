"""Follow-ups that say nothing of their own: the question before is asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anaphora.language import counts_characters
from anaphora.language.follow_ups import bare_follow_up, language_instruction
from anaphora.language.intent import classify_intent
from anaphora.protocols import Rewriter
from anaphora.records import UNKNOWN, Conversation, Edit, Rewrite, Turn
from anaphora.rewrite.content_words import earlier_user_turns

_FINAL_MARKS = ("?", "？", "؟", ".", "。", "!", "！", "।", "…")
_QUESTION_MARKS = {"ar": "؟", "zh": "？", "ja": "？", "th": " "}

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
    return _without_instructions(conversation), lambda one: one


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
    text = before.text.rstrip()
    if not text.endswith(_FINAL_MARKS):
        text += _QUESTION_MARKS.get(lang, "?")
    space = "" if counts_characters(lang) or text.endswith(" ") else " "
    return Rewrite(
        f"{text}{space}{said[:1].upper()}{said[1:]}",
        conversation.lang,
        (Edit("insert", before.text, number, 0),),
        (before.text,),
        before.confidence,
        "rewrite",
        "it asks on about the question before",
    )
