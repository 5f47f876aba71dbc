"""How the database came about: the statements that make each version from the one before.

A released version is never changed: a change of the tables is a new one.
"""

from __future__ import annotations

from typing import Final

_CONVERSATIONS: Final = (
    """
    CREATE TABLE conversations (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        owner TEXT NOT NULL,
        title TEXT NOT NULL,
        searched TEXT NOT NULL,
        index_name TEXT NOT NULL,
        created REAL NOT NULL,
        changed REAL NOT NULL,
        place INTEGER NOT NULL,
        share TEXT UNIQUE
    )
    """,
    "CREATE INDEX conversations_by_place ON conversations (owner, place)",
    """
    CREATE TABLE turns (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
        parent INTEGER REFERENCES turns ON DELETE CASCADE,
        created REAL NOT NULL,
        searched TEXT NOT NULL,
        question TEXT NOT NULL,
        answer TEXT NOT NULL
    )
    """,
    "CREATE INDEX turns_by_conversation ON turns (conversation)",
    "CREATE INDEX turns_by_parent ON turns (parent)",
    """
    CREATE TABLE traces (
        turn INTEGER PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
        trace TEXT NOT NULL
    )
    """,
)

_FEEDBACK: Final = (
    """
    CREATE TABLE feedback (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        turn INTEGER NOT NULL UNIQUE REFERENCES turns ON DELETE CASCADE,
        owner TEXT NOT NULL,
        created REAL NOT NULL,
        verdict TEXT NOT NULL,
        stage TEXT,
        expected TEXT NOT NULL,
        comment TEXT NOT NULL
    )
    """,
)

_KEYS: Final = (
    """
    CREATE TABLE keys (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        hash TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created REAL NOT NULL,
        expires REAL,
        used REAL
    )
    """,
    """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        hash TEXT NOT NULL,
        key INTEGER REFERENCES keys ON DELETE CASCADE,
        expires REAL NOT NULL
    )
    """,
    "CREATE INDEX sessions_by_key ON sessions (key)",
    """
    CREATE TABLE starts (
        id TEXT PRIMARY KEY,
        hash TEXT NOT NULL,
        expires REAL NOT NULL
    )
    """,
)

MIGRATIONS: Final = (_CONVERSATIONS, _FEEDBACK, _KEYS)
"""Entry n leads from version n to n + 1."""
