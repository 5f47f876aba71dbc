"""Where else a person may look whom an answer that is not sure leaves without what they need."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.read.nearest import says_nothing
from anaphora.records import Answer, Citation, Passage

SURE = 0.75
"""From this confidence on no other section is named."""
_MOST = 3


def other_sections(found: Sequence[Passage], answer: Answer) -> tuple[Citation, ...]:
    """Of each of the best sections that an answer does not cite the best passage, at most three;
    none if the answer is sure. They are in the languages of the passages that it cites.

    Args:
        found: the passages that were found, the best first.
    """
    if answer.confidence >= SURE:
        return ()
    cited = {one.passage_id for one in answer.citations}
    langs = {one.lang for one in found if one.passage_id in cited}
    known = {_section(one) for one in found if one.passage_id in cited}
    sections: dict[str, Passage] = {}
    for one in found:
        if _section(one) not in known and one.lang in langs and not says_nothing(one):
            sections.setdefault(_section(one), one)
    return tuple(_whole(one) for one in sections.values())[:_MOST]


def _whole(passage: Passage) -> Citation:
    text = passage.text
    return Citation(
        passage.passage_id,
        passage.doc_id,
        passage.heading,
        text,
        0,
        len(text),
        blocks=passage.blocks,
    )


def _section(passage: Passage) -> str:
    return passage.heading or passage.doc_id
