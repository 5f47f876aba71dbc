"""What the stages exchange: immutable records that depend on nothing else of Anaphora."""

from anaphora.records.answer import Answer, Cut, Stage, Trace
from anaphora.records.block import Block, BlockKind
from anaphora.records.citation import Citation
from anaphora.records.conversation import (
    UNKNOWN,
    Conversation,
    Decision,
    Edit,
    EditKind,
    Intent,
    Rewrite,
    Role,
    Turn,
    Understanding,
)
from anaphora.records.events import (
    Checked,
    Cited,
    Done,
    Event,
    Reranked,
    Retrieved,
    Rewritten,
    Text,
    Understood,
)
from anaphora.records.passage import (
    Document,
    Evidence,
    Hit,
    Passage,
    Query,
    Section,
    Span,
    is_cross_lingual,
)
from anaphora.records.structure import belongs, lead_ins, leads_in, paragraphs, together
from anaphora.records.support import Claim, Support
from anaphora.records.writing import Fate, Fault, Statement, Writing

__all__ = [
    "UNKNOWN",
    "Answer",
    "Block",
    "BlockKind",
    "Checked",
    "Citation",
    "Cited",
    "Claim",
    "Conversation",
    "Cut",
    "Decision",
    "Document",
    "Done",
    "Edit",
    "EditKind",
    "Event",
    "Evidence",
    "Fate",
    "Fault",
    "Hit",
    "Intent",
    "Passage",
    "Query",
    "Reranked",
    "Retrieved",
    "Rewrite",
    "Rewritten",
    "Role",
    "Section",
    "Span",
    "Stage",
    "Statement",
    "Support",
    "Text",
    "Trace",
    "Turn",
    "Understanding",
    "Understood",
    "Writing",
    "belongs",
    "is_cross_lingual",
    "lead_ins",
    "leads_in",
    "paragraphs",
    "together",
]
