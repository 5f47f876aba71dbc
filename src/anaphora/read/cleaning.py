"""What may not be in a written sentence: markup, images, and addresses that no source holds."""

from __future__ import annotations

import re
from collections.abc import Callable

from anaphora.read.planted import without_hidden

_IMAGE = re.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)?|\[[^\]\n]*\])?")
_LINK = re.compile(r"\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>?|<!--.*?(?:-->|$)", re.DOTALL)
_ADDRESS = re.compile(
    r"(?i)(?<![\w@])(?:[a-z][a-z0-9+.-]{1,11}://|www\.|mailto:|javascript:|data:)[^\s<>\"'）】」]+"
    r"|(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|info|biz|xyz|ru|cn|de|fr|example|test)"
    r"(?:/[^\s<>\"'）】」]*)?(?![\w-])"
)
_EMPHASIS = re.compile(
    r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1|(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?!\w)"
)
_HEADING = re.compile(r"^\s*(?:#{1,6}|>)\s+")
_EMPTY = re.compile(r"[(（\[]\s*[)）\]]")


def clean(text: str, evidence: str) -> str:
    """A sentence as plain text in one line.

    Images go, of links the text stays, and tags and addresses stay only where the evidence holds
    them as they are.

    >>> clean("**Open** [the page](http://a.example) at http://b.example <b>now</b>.", "")
    'Open the page at now.'
    >>> clean("Put it into <li>, see www.debian.org.", "A <li> is described at www.debian.org.")
    'Put it into <li>, see www.debian.org.'
    """
    text = without_hidden(text)
    text = _HEADING.sub("", _IMAGE.sub("", text))
    text = _LINK.sub(r"\1", text)
    text = _EMPHASIS.sub(lambda match: match[2] or match[3], text)
    text = _ADDRESS.sub(_if_in(evidence), _TAG.sub(_if_in(evidence), text))
    text = " ".join(_EMPTY.sub("", text).split())
    return re.sub(r"\s+([.,;:!?])(?=\s|$)", r"\1", text)


def _if_in(evidence: str) -> Callable[[re.Match[str]], str]:
    def kept(found: re.Match[str]) -> str:
        bare = found[0].rstrip(".,;:!?)")
        return found[0] if bare and bare in evidence else found[0][len(bare) :]

    return kept
