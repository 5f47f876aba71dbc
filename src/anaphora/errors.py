"""The errors a user can meet. Each message is one sentence that names the thing and what to do."""

from __future__ import annotations


class AnaphoraError(Exception):
    """The work failed: the command line prints the message and exits with 1."""


class UsageError(AnaphoraError):
    """The request itself was wrong: the command line prints the message and exits with 2."""


class UnreadableFile(AnaphoraError):
    """One input file cannot be read; indexing goes on with the others.

    The message is the reason alone ("the PDF is cut short"): whoever reports it names the file.
    """


class IndexDamaged(AnaphoraError):
    """A file of the index is missing or altered; `anaphora index repair` rebuilds it."""


class IndexBusy(AnaphoraError):
    """Another process writes the index; it can be read meanwhile."""


class ModelUnavailable(AnaphoraError):
    """A model cannot be loaded: the message says what to install or which path was tried."""


class MalformedData(AnaphoraError):
    """A data set's file is not as its format says: the message names file, place and field."""
