"""What the stages exchange: immutable records that depend on nothing else of Anaphora."""

from anaphora.records.answer import Answer, Citation, Stage, Trace
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

__all__ = [
    "UNKNOWN",
    "Answer",
    "Citation",
    "Conversation",
    "Decision",
    "Document",
    "Edit",
    "EditKind",
    "Evidence",
    "Hit",
    "Intent",
    "Passage",
    "Query",
    "Rewrite",
    "Role",
    "Section",
    "Span",
    "Stage",
    "Trace",
    "Turn",
    "Understanding",
    "is_cross_lingual",
]
