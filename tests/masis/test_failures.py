import inspect
import re

import pytest

from masis import errors
from masis.errors import (
    BudgetSpent,
    CallNotPermitted,
    DocumentRefused,
    EmbeddingError,
    MasisError,
    ModelAnswerUnusable,
    ModelKeyRefused,
    ModelQuotaSpent,
    ModelServiceBusy,
    ModelServiceUnavailable,
    ReadingError,
    StoreLocked,
    StoreUnavailable,
    VectorsUnavailable,
)
from masis.failures import sentence_of

OPERATORS = "http://10.0.0.7:6333 refuses (ConnectError). Check MASIS_QDRANT_URL."
KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, MasisError)
    and kind not in {BudgetSpent, DocumentRefused, errors.InvalidQuestion, errors.QueryRefused}
]


def made(kind: type[MasisError], *, retryable: bool | None = None) -> MasisError:
    error = kind(OPERATORS)
    if retryable is not None:
        error.retryable = retryable
    return error


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("retryable", [True, False])
def test_operator_details_stay_hidden(kind: type[MasisError], *, retryable: bool) -> None:
    """Nothing that only operators know is told."""
    for about in ("question", "file"):
        said = sentence_of(made(kind, retryable=retryable), "id-7", about=about)
        assert not re.search(r"10\.0|MASIS_|Error|http", said)
        assert "documents" in said or "no documents" not in said
        assert "found" not in said
        assert re.search(r"whoever runs MASIS|an admin|the operator", said)


@pytest.mark.parametrize(
    "kind", [BudgetSpent, DocumentRefused, errors.InvalidQuestion, errors.QueryRefused]
)
def test_user_message_is_kept_verbatim(kind: type[MasisError]) -> None:
    """What was made for who asked is said as it is."""
    assert sentence_of(kind("Shorten it.")) == "Shorten it."


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (VectorsUnavailable("x"), "The document search does not answer"),
        (made(VectorsUnavailable, retryable=False), "The document search does not work."),
        (StoreLocked("x"), "Another program uses the documents of this workspace"),
        (StoreUnavailable("x"), "The database of MASIS does not answer."),
        (EmbeddingError("x"), "The service that the document search needs does not work."),
        (ReadingError("x"), "The model that reads for an answer does not work."),
        (ModelServiceUnavailable("x"), "The language model does not answer."),
        (ModelServiceBusy("x"), "The language model has too much to do."),
        (CallNotPermitted("x"), "The language model was not asked"),
        (ModelKeyRefused("x"), "The language model does not let MASIS in."),
        (ModelQuotaSpent("x"), "MASIS has used up what it may use"),
        (ModelAnswerUnusable("x"), "The language model gave no answer that could be used"),
    ],
)
def test_it_says_what_failed(error: MasisError, said: str) -> None:
    assert sentence_of(error, "id-7").startswith(said)
    assert sentence_of(error, "id-7").endswith("tell whoever runs MASIS this id: id-7")


def test_only_transient_failures_are_retryable() -> None:
    """What may pass is worth another try and what stays is not."""
    away, broken = made(VectorsUnavailable), made(VectorsUnavailable, retryable=False)
    assert "is not kept: ask again in some minutes." in sentence_of(away)
    assert "add it again in some minutes." in sentence_of(away, about="file")
    assert "Asking again does not help" in sentence_of(broken)
    assert "Adding it again does not help" in sentence_of(broken, about="file")
