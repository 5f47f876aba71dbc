"""Follow-ups that say nothing of their own: the question before is asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anaphora.language import counts_characters, is_context_dependent
from anaphora.language.completeness import completeness
from anaphora.language.follow_ups import bare_follow_up, language_instruction
from anaphora.language.intent import classify_intent
from anaphora.protocols import Rewriter
from anaphora.records import UNKNOWN, Conversation, Edit, Rewrite, Turn
from anaphora.rewrite.content_words import content_words, earlier_user_turns
from anaphora.rewrite.list_items import with_edits, with_items

_MARKS = "?？؟.。!！।… "
_QUESTION_MARKS = {"ar": "؟", "zh": "？", "ja": "？", "th": ""}
_FULL_STOPS = {"zh": "。", "ja": "。", "hi": "।", "th": ""}
_BEFORE = 3
"""How many earlier questions an alternative contains at most."""
_LEFT = 0.65
"""A question that the rewriter leaves as it is with at least this confidence has no alternative;
chosen on the tuning part of evaluation/answers."""
_PROBABLY_LEFT = 0.42
"""The same for a question with two content words that stands in an alternative: of the 118 of
evaluation/complete, 117 are left with a higher confidence."""
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
        named = [with_items(one) for one in conversations]
        resolved = [resolve(one) for one, _ in named]
        asked = [one for one, _ in resolved]
        rewrites = self._with_alternatives(self.rewriter.rewrite(asked), asked)
        return [
            with_edits(finish(rewrite), edits, one.question.text)
            for rewrite, (_, finish), (one, edits) in zip(rewrites, resolved, named, strict=True)
        ]

    def _with_alternatives(
        self, rewrites: Sequence[Rewrite], asked: Sequence[Conversation]
    ) -> list[Rewrite]:
        """The rewrites, those of follow-ups with an alternative. The earlier questions in it are
        themselves rewritten where a pronoun in them could be replaced."""
        chains = [
            [] if _is_left(rewrite, one) else _earlier_questions(one)
            for rewrite, one in zip(rewrites, asked, strict=True)
        ]
        earlier = [one for chain in chains for one in chain]
        made = iter(self.rewriter.rewrite(earlier) if earlier else ())
        return [
            _with_alternative(rewrite, one, [(each, next(made)) for each in chain])
            for rewrite, one, chain in zip(rewrites, asked, chains, strict=True)
        ]


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
        tuple(_asked_again(one, lang, number, question) for one in before.alternatives),
    )


def _asked_on(before: Rewrite, said: str, number: int, conversation: Conversation) -> Rewrite:
    lang = conversation.turns[number].lang or UNKNOWN
    mark = _QUESTION_MARKS.get(lang, "?")
    asked = f"{said[:1].upper()}{said[1:]}".rstrip(_MARKS) + _gap(said) + mark
    return Rewrite(
        joined(before.text, asked, lang),
        conversation.lang,
        (Edit("insert", before.text, number, 0),),
        (before.text,),
        before.confidence,
        "rewrite",
        "it asks on about the question before",
        tuple(_asked_on(one, said, number, conversation) for one in before.alternatives),
    )


def _gap(text: str) -> str:
    """The space that French writes before a question mark, where a text has it."""
    body = text.rstrip("?？؟")
    return body[len(body.rstrip()) :]


def _is_left(rewrite: Rewrite, conversation: Conversation) -> bool:
    """Whether a question is searched as asked without an alternative."""
    question, lang = conversation.question.text, conversation.lang
    return rewrite.decision == "new topic" or (
        rewrite.decision == "leave"
        and completeness(question, lang) > 0
        and (rewrite.confidence >= _LEFT or _is_complete(question, lang))
    )


def _earlier_questions(conversation: Conversation) -> list[Conversation]:
    """The conversation up to each of its earlier questions back to a complete one, the newest
    first; those in the language of the question, without bare follow-ups."""
    found: list[Conversation] = []
    for number, turn in earlier_user_turns(conversation):
        if not turn.text.strip() or classify_intent(turn.text) != "question" or _is_bare(turn):
            continue
        if turn.lang != conversation.lang or len(turn.text) > _LONGEST:
            break
        found.append(replace(conversation, turns=conversation.turns[: number + 1]))
        if len(found) == _BEFORE or _is_complete(turn.text, conversation.lang):
            break
    return found


def _with_alternative(
    rewrite: Rewrite,
    conversation: Conversation,
    earlier: Sequence[tuple[Conversation, Rewrite]],
) -> Rewrite:
    """The rewrite with the alternative to ask the earlier questions with it."""
    if not earlier:
        return rewrite
    lang = conversation.lang
    text = conversation.question.text
    edits: list[Edit] = []
    for asked, made in earlier:
        resolved = made.decision == "rewrite" and all(edit.kind == "replace" for edit in made.edits)
        said = made.text if resolved else asked.question.text
        edits.insert(0, Edit("insert", said, len(asked.turns) - 1, 0))
        text = joined(said, text, lang)
        if resolved or made.decision == "new topic" or _stands_alone(made, asked):
            break
    reason = "the question before it is asked with it"
    # The two together find passages on the first; the linker's rewrite finds those on the second.
    linked = [rewrite.text] if rewrite.decision == "rewrite" else [*rewrite.variants]
    together = Rewrite(
        text,
        rewrite.lang,
        tuple(edits),
        tuple(linked[:1]),
        rewrite.confidence,
        "rewrite",
        reason,
    )
    alternatives: tuple[Rewrite, ...] = (together,)
    if _may_be_complete(rewrite, conversation.question.text):
        alone = Rewrite(
            conversation.question.text,
            rewrite.lang,
            variants=(rewrite.text,),
            confidence=1 - rewrite.confidence,
            decision="leave",
            reason="it may be self-contained; the rewrite is searched in addition",
        )
        alternatives = (alone, together)
    return replace(rewrite, alternatives=alternatives)


def _stands_alone(rewrite: Rewrite, conversation: Conversation) -> bool:
    """Whether an earlier question says by itself what it is about."""
    level = completeness(conversation.question.text, conversation.lang)
    least = (1.0, _LEFT, _PROBABLY_LEFT)[level]
    return rewrite.decision == "leave" and rewrite.confidence >= least


def _may_be_complete(rewrite: Rewrite, question: str) -> bool:
    """Whether words were only added to a question that refers to nothing."""
    return (
        rewrite.decision == "rewrite"
        and all(edit.kind == "insert" for edit in rewrite.edits)
        and completeness(question, rewrite.lang) == 2
    )


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
