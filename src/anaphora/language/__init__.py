"""Languages: which one a text is in, its index terms, its sentences, and what to say in it."""

from __future__ import annotations

from anaphora.language.analysis import Analyzer, analysis_version, analyzer, normalize, tokenize
from anaphora.language.scripts import counts_characters, dominant_script, is_cjk, script_counts
from anaphora.language.stopwords import stop_words

__all__ = [
    "Analyzer",
    "analysis_version",
    "analyzer",
    "counts_characters",
    "dominant_script",
    "is_cjk",
    "normalize",
    "script_counts",
    "stop_words",
    "tokenize",
]
