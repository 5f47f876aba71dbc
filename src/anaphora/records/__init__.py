"""What the stages exchange: immutable records that depend on nothing else of Anaphora."""

from anaphora.records.answer import Answer, Citation, Stage, Trace
from anaphora.records.conversation import (
    Conversation,
    Decision,
    Edit,
    EditKind,
    Rewrite,
    Role,
    Turn,
)
from anaphora.records.passage import (
    UNKNOWN,
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
    "Passage",
    "Query",
    "Rewrite",
    "Role",
    "Section",
    "Span",
    "Stage",
    "Trace",
    "Turn",
    "is_cross_lingual",
]
