"""Follow-ups: what says nothing of its own asks the question before again; what does not say what
it is about is asked about the topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anaphora.language import counts_characters, is_context_dependent, without_and
from anaphora.language.completeness import is_tail, may_refer_beyond
from anaphora.language.definitions import defined_term
from anaphora.language.follow_ups import bare_follow_up, language_instruction
from anaphora.language.intent import classify_intent
from anaphora.protocols import Rewriter
from anaphora.records import UNKNOWN, Conversation, Edit, Rewrite, Turn
from anaphora.rewrite.content_words import earlier_user_turns
from anaphora.rewrite.edits import ContextText, aligned_edits
from anaphora.rewrite.list_items import with_edits, with_items
from anaphora.rewrite.pronouns import open_pronoun, with_name
from anaphora.rewrite.topic import (
    Topic,
    about_term,
    as_question,
    asks_alone,
    is_fragment,
    is_left,
    is_trusted,
    replaces,
    topic_of,
    with_another,
)

_MARKS = "?？؟.。!！।… "
_QUESTION_MARKS = {"ar": "؟", "zh": "？", "ja": "？", "th": ""}
_FULL_STOPS = {"zh": "。", "ja": "。", "hi": "।", "th": ""}
_BEFORE = 5
"""How many earlier questions are looked at for the topic."""
_LONGEST = 300
"""Characters of an earlier question in an alternative; a longer one is a text."""
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

    Any other follow-up is rewritten after what was said since its topic was set, and gets
    alternatives (see `Rewrite`): one question about the topic, and the topic's question followed by
    the question as asked. A question that begins a new topic has none, nor has one that the
    rewriter is sure to leave, nor one in another language than the questions before.

    Args:
        rewriter: for the question before, and for all questions of other kinds.
    """

    rewriter: Rewriter

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        named = [with_items(one) for one in conversations]
        resolved = [resolve(one) for one, _ in named]
        asked = [one for one, _ in resolved]
        rewrites = self._rewritten(asked)
        return [
            with_edits(finish(rewrite), edits, one.question.text)
            for rewrite, (_, finish), (one, edits) in zip(rewrites, resolved, named, strict=True)
        ]

    def _rewritten(self, asked: Sequence[Conversation]) -> list[Rewrite]:
        """The rewrites, those of follow-ups with their alternatives."""
        chains = [_earlier_questions(one) for one in asked]
        everything = [*asked, *(each for chain in chains for each in chain)]
        made = self.rewriter.rewrite(everything)
        rest = iter(made[len(asked) :])
        topics = [
            topic_of([(each, next(rest)) for each in chain], one.lang)
            for one, chain in zip(asked, chains, strict=True)
        ]
        recent = [_since(one, topic) for one, topic in zip(asked, topics, strict=True)]
        again = iter(self.rewriter.rewrite([one for one in recent if one]))
        return [
            _with_alternatives(rewrite, next(again) if cut else None, one, topic)
            for rewrite, cut, one, topic in zip(made, recent, asked, topics, strict=False)
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


def _earlier_questions(conversation: Conversation) -> list[Conversation]:
    """The conversation up to each of its last questions, the oldest first; those in the language of
    the question, without bare follow-ups."""
    found: list[Conversation] = []
    for number, turn in earlier_user_turns(conversation):
        if not turn.text.strip() or classify_intent(turn.text) != "question" or _is_bare(turn):
            continue
        if turn.lang != conversation.lang or len(turn.text) > _LONGEST or len(found) == _BEFORE:
            break
        found.insert(0, replace(conversation, turns=conversation.turns[: number + 1]))
    return found


def _since(conversation: Conversation, topic: Topic | None) -> Conversation | None:
    """The conversation from the turn that set its topic; None where that is all of it."""
    if topic is None or not topic.turn or conversation.title:
        return None
    # Indices of turns stay as they are.
    earlier = (replace(turn, text="", citations=()) for turn in conversation.turns[: topic.turn])
    return replace(conversation, turns=(*earlier, *conversation.turns[topic.turn :]))


def _with_alternatives(
    rewrite: Rewrite, recent: Rewrite | None, conversation: Conversation, topic: Topic | None
) -> Rewrite:
    """The rewrite of a follow-up with other ways to ask it.

    Args:
        recent: the rewrite of the same question after what was said since the topic was set.
    """
    question, lang = conversation.question.text, conversation.lang
    if topic is None or is_left(rewrite, question, lang):
        return rewrite
    if asks_alone(question, lang):
        return replace(_alone(rewrite, question), reason="it says itself what it is about")
    pronoun = open_pronoun(question, lang)
    if pronoun and pronoun == open_pronoun(topic.text, lang):
        reason = "it refers to what the first question refers to, which no turn names"
        return replace(_alone(rewrite, question), reason=reason)
    others: list[Rewrite] = []
    if recent:
        # What was said before is far from the topic; only a pronoun may still refer to it.
        others = [rewrite] if replaces(rewrite) and not replaces(recent) else []
        rewrite = recent
    complete = _may_be_complete(rewrite, question)
    if complete:
        others.append(_alone(rewrite, question))
    others += _about(topic, rewrite, conversation)
    if not is_trusted(rewrite, conversation) and not (complete and not _has_replaced(rewrite)):
        *others, rewrite = others
    # Of equal texts the first one.
    kept = {one.text: one for one in reversed(others) if one.text != rewrite.text}
    return replace(rewrite, alternatives=tuple(reversed(kept.values())))


def _about(topic: Topic, rewrite: Rewrite, conversation: Conversation) -> list[Rewrite]:
    """What a follow-up asks about the topic: as one question, and together with a question before.

    A fragment says more about the last question, a question about the topic.
    """
    question, lang = conversation.question.text, conversation.lang
    said = without_and(question, lang)
    before = [topic.text, topic.last]
    if is_fragment(said, lang):
        before.reverse()
    # The two together find passages on the first; the linker's rewrite finds those on the second.
    linked = [rewrite.text] if rewrite.decision == "rewrite" else [*rewrite.variants]
    together = [
        Rewrite(
            joined(one, question, lang),
            rewrite.lang,
            (Edit("insert", one, topic.turn, 0),),
            tuple(linked[:1]),
            rewrite.confidence,
            "rewrite",
            "an earlier question is asked with it",
        )
        for one in dict.fromkeys(before)
    ]
    another = _one_question(topic, rewrite, said, conversation)
    if not another:
        return together
    reason = "it is asked as one question about the topic"
    context = [ContextText(topic.last, topic.turn), ContextText(topic.text, topic.turn)]
    edits = aligned_edits(question, another, lang, context)
    one = replace(together[0], text=another, edits=edits, variants=(question,), reason=reason)
    return [one, *together]


def _one_question(topic: Topic, rewrite: Rewrite, said: str, conversation: Conversation) -> str:
    """What a follow-up asks about the topic in one question; empty where that is not clear."""
    lang = conversation.lang
    another = with_another(topic.last, said, lang)
    if another:
        return another
    term = defined_term(topic.text, lang)
    resolved = with_name(said, term, lang) if term else ""
    if not resolved and replaces(rewrite):
        if not is_trusted(rewrite, conversation):
            return ""
        resolved = without_and(rewrite.text, lang)
    return as_question(resolved or said, lang) or resolved or about_term(term, said, lang)


def _alone(rewrite: Rewrite, question: str) -> Rewrite:
    return Rewrite(
        question,
        rewrite.lang,
        variants=(rewrite.text,),
        confidence=1 - rewrite.confidence,
        decision="leave",
        reason="it may be self-contained; the rewrite is searched in addition",
    )


def _may_be_complete(rewrite: Rewrite, question: str) -> bool:
    """Whether words were only added to a question that refers to nothing, or what it refers to may
    be named nowhere."""
    if rewrite.decision != "rewrite":
        return False
    if may_refer_beyond(question, rewrite.lang):
        return True
    refers = is_context_dependent(question, rewrite.lang) or is_tail(question, rewrite.lang)
    return not _has_replaced(rewrite) and not refers


def _has_replaced(rewrite: Rewrite) -> bool:
    return any(edit.kind != "insert" for edit in rewrite.edits)


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
