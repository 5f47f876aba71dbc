"""Secrets of clients: random, shown once, and stored as hashes only.

A secret is an id, a dot and 256 random bits. SHA-256 is enough for these: what makes the hashes of
passwords slow is that passwords can be guessed.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Secret:
    """A new secret.

    Attributes:
        text: what the client is given.
        id: finds the stored hash; no secret.
        hash: what is stored.
    """

    text: str
    id: str
    hash: str


def new_secret(prefix: str = "") -> Secret:
    """A random secret; the prefix lets programs recognise one that was published by mistake."""
    id, random = secrets.token_hex(6), secrets.token_urlsafe(32)
    return Secret(f"{prefix}{id}.{random}", id, hash_of(random))


def parted(text: str, prefix: str = "") -> tuple[str, str] | None:
    """The id and the random part of a secret; None if the text is not made like one."""
    id, dot, random = text.removeprefix(prefix).partition(".")
    made = text.startswith(prefix) and dot and len(text) < 200 and text.isascii()
    return (id, random) if made else None


def hash_of(random: str) -> str:
    return hashlib.sha256(random.encode()).hexdigest()


def matches(random: str, hash: str) -> bool:
    """Whether the hash is that of the random part, in a time that does not depend on either."""
    return hmac.compare_digest(hash_of(random), hash)
