"""Tell whoever asked of a failure: what failed, and what to do.

No address, no setting and no name of ours stands in it. An error's own message has all that for who
runs MASIS: in the log, in `masis runs show`, and in the terminal.
"""

from typing import Final, Literal, NamedTuple

from masis.errors import (
    CallNotPermitted,
    EmbeddingError,
    InvalidSettings,
    LinkChanged,
    MasisError,
    ModelAnswerUnusable,
    ModelKeyRefused,
    ModelQuotaSpent,
    ModelServiceBusy,
    ModelServiceError,
    ModelServiceUnavailable,
    ProfileMismatch,
    ReadingError,
    StoreLocked,
    StoreUnavailable,
    TooBusy,
    UnknownGraph,
    UnknownWorkspace,
    VectorsUnavailable,
)

About = Literal["question", "file", "deed"]

SEARCH_IS_AWAY: Final = "waiting for the document index, which does not answer; I keep trying"
"""Stands at the step that waits for it."""

NO_WORKSPACE: Final = (
    "The workspace of this question is not there any more. Ask an admin to link another one."
)
NO_GRAPH: Final = "This version of MASIS cannot go on with this question. Ask it again; if that does not help, tell whoever runs MASIS."
TOOK_TOO_LONG: Final = "The run took longer than {seconds:.0f} s and was ended. Ask again."
UNEXPECTED: Final = "Something unexpected went wrong. Give this id to the operator: {run}"


class _Sentence(NamedTuple):
    """Hold the words for what failed.

    `away` is for what may pass by itself, `broken` for what does not.
    """

    kind: type[MasisError]
    away: str
    broken: str


_WHAT: Final = (
    _Sentence(
        StoreLocked,
        "Another program uses the documents of this workspace, and waiting for it did not help.",
        "Another program uses the documents of this workspace.",
    ),
    _Sentence(
        VectorsUnavailable,
        "The document search does not answer, and waiting for it did not help.",
        "The document search does not work.",
    ),
    _Sentence(
        LinkChanged,
        "The link of this channel was changed again and again while the answer came.",
        "",
    ),
    _Sentence(TooBusy, "More is asked of MASIS at this moment than it can take on.", ""),
    _Sentence(
        StoreUnavailable,
        "The database of MASIS does not answer.",
        "The database of MASIS cannot be used.",
    ),
    _Sentence(
        EmbeddingError,
        "The service that the document search needs does not answer.",
        "The service that the document search needs does not work.",
    ),
    _Sentence(
        ReadingError,
        "The model that reads for an answer does not answer.",
        "The model that reads for an answer does not work.",
    ),
    _Sentence(
        ProfileMismatch,
        "",
        "The documents of this workspace were prepared for another kind of search than this one.",
    ),
    _Sentence(
        CallNotPermitted,
        "The language model was not asked: it has too much to do, or failed several times just"
        " now.",
        "",
    ),
    _Sentence(ModelServiceBusy, "The language model has too much to do.", ""),
    _Sentence(ModelServiceUnavailable, "The language model does not answer.", ""),
    _Sentence(ModelKeyRefused, "", "The language model does not let MASIS in."),
    _Sentence(ModelQuotaSpent, "", "MASIS has used up what it may use of the language model."),
    _Sentence(ModelServiceError, "", "The language model does not take what MASIS asks."),
    _Sentence(InvalidSettings, "", "MASIS is not set up for this."),
)
"""The first class that fits counts."""

_PASSES: Final[dict[About, str]] = {
    "question": "Your question is not kept: ask again in some minutes.",
    "file": "The file is not kept: add it again in some minutes.",
    "deed": "Try again in some minutes.",
}
_IF_IT_STAYS: Final = "If it stays so, tell whoever runs MASIS"
_STAYS: Final[dict[About, str]] = {
    "question": "Asking again does not help before that is mended: tell whoever runs MASIS",
    "file": "Adding it again does not help before that is mended: tell whoever runs MASIS",
    "deed": "Trying again does not help before that is mended: tell whoever runs MASIS",
}
_UNUSABLE: Final = (
    "The language model gave no answer that could be used, twice. Ask again in other words, or"
    " about less at a time."
)


def sentence_of(error: MasisError, run_id: str = "", *, about: About = "question") -> str:
    """The sentence for whoever asked. With `run_id` it names what to look for in the log.

    An error of none of these classes was made for who asked, and says it itself.
    """
    if type(error) is MasisError:  # of a class that this version does not know any more
        return UNEXPECTED.format(run=run_id)
    whom = f" this id: {run_id}" if run_id else "."
    if isinstance(error, ModelAnswerUnusable):
        return f"{_UNUSABLE} {_IF_IT_STAYS}{whom}"
    if isinstance(error, UnknownWorkspace):
        return NO_WORKSPACE
    if isinstance(error, UnknownGraph):
        return NO_GRAPH
    for kind, away, broken in _WHAT:
        if isinstance(error, kind):
            passes = error.retryable and away
            rest = f"{_PASSES[about]} {_IF_IT_STAYS}" if passes else _STAYS[about]
            return f"{away if passes else broken or away} {rest}{whom}"
    return str(error)
