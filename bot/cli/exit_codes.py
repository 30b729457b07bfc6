"""Define what the program's exit code says."""

from enum import IntEnum
from typing import Final

from masis.domain import Answered, AnyOutcome, Failed, NeedsClarification, NotLinked, Refused
from masis.errors import (
    DocumentRefused,
    EmbeddingError,
    InvalidQuestion,
    InvalidSettings,
    MasisError,
    ModelServiceUnavailable,
    StoreUnavailable,
    UnknownWorkspace,
)


class BadInput(MasisError):
    """Report that what was typed cannot be done. The message says what to type instead."""


class ExitCode(IntEnum):
    """Every code that `masis` leaves with."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NEEDS_CLARIFICATION = 3
    REFUSED = 4
    UNAVAILABLE = 5
    INTERRUPTED = 130

    @property
    def meaning(self) -> str:
        """Return what the code says, as the help shows it."""
        return _MEANINGS[self]


_MEANINGS: Final = {
    ExitCode.OK: "done; `ask` has answered",
    ExitCode.FAILED: "failed, and a repeat would not help",
    ExitCode.USAGE: "an option, a setting, a name or the question cannot be right",
    ExitCode.NEEDS_CLARIFICATION: "`ask` has asked back instead of answering",
    ExitCode.REFUSED: "something was refused: files by `ingest`, a question for want of rights",
    ExitCode.UNAVAILABLE: "a store or service cannot be reached; try again later",
    ExitCode.INTERRUPTED: "interrupted",
}


def of_error(error: MasisError) -> ExitCode:
    """The code for an error that ended a command."""
    match error:
        case BadInput() | InvalidQuestion() | InvalidSettings() | UnknownWorkspace():
            return ExitCode.USAGE
        case DocumentRefused():
            return ExitCode.REFUSED
        case StoreUnavailable() | ModelServiceUnavailable():
            return ExitCode.UNAVAILABLE
        case EmbeddingError() if error.retryable:
            return ExitCode.UNAVAILABLE
        case _:
            return ExitCode.FAILED


def of_outcome(outcome: AnyOutcome) -> ExitCode:
    """The code for how a question ended."""
    match outcome:
        case Answered():
            return ExitCode.OK
        case NeedsClarification():
            return ExitCode.NEEDS_CLARIFICATION
        case NotLinked() | Refused():
            return ExitCode.REFUSED
        case Failed():
            return ExitCode.UNAVAILABLE if outcome.retryable else ExitCode.FAILED
