"""Language identification, index terms, sentences, word lists and messages of each language."""

from __future__ import annotations

from anaphora.language.analysis import (
    Analyzer,
    analysis_version,
    analyzer,
    ascii_digits,
    normalize,
    tokenize,
)
from anaphora.language.codes import language_code
from anaphora.language.context_dependence import (
    begins_with_and,
    is_context_dependent,
    without_and,
)
from anaphora.language.identify import identify, identify_question
from anaphora.language.messages import message, not_in_documents
from anaphora.language.scripts import (
    continues_grapheme,
    counts_characters,
    dominant_script,
    is_cjk,
    script_counts,
)
from anaphora.language.sentences import is_fragment, sentences
from anaphora.language.stopwords import stop_words
from anaphora.language.tables import listed_languages

__all__ = [
    "Analyzer",
    "analysis_version",
    "analyzer",
    "ascii_digits",
    "begins_with_and",
    "continues_grapheme",
    "counts_characters",
    "dominant_script",
    "identify",
    "identify_question",
    "is_cjk",
    "is_context_dependent",
    "is_fragment",
    "language_code",
    "listed_languages",
    "message",
    "normalize",
    "not_in_documents",
    "script_counts",
    "sentences",
    "stop_words",
    "tokenize",
    "without_and",
]
