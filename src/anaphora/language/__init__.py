"""Languages: which one a text is in, its index terms, its sentences, and what to say in it."""

from __future__ import annotations

from anaphora.language.analysis import (
    Analyzer,
    analysis_version,
    analyzer,
    ascii_digits,
    normalize,
    tokenize,
)
from anaphora.language.context_dependence import is_context_dependent
from anaphora.language.identify import identify, identify_question
from anaphora.language.phrases import not_in_documents, small_talk_reply
from anaphora.language.scripts import (
    continues_grapheme,
    counts_characters,
    dominant_script,
    is_cjk,
    script_counts,
)
from anaphora.language.sentences import sentences
from anaphora.language.smalltalk import is_small_talk, small_talk
from anaphora.language.stopwords import stop_words

__all__ = [
    "Analyzer",
    "analysis_version",
    "analyzer",
    "ascii_digits",
    "continues_grapheme",
    "counts_characters",
    "dominant_script",
    "identify",
    "identify_question",
    "is_cjk",
    "is_context_dependent",
    "is_small_talk",
    "normalize",
    "not_in_documents",
    "script_counts",
    "sentences",
    "small_talk",
    "small_talk_reply",
    "stop_words",
    "tokenize",
]
