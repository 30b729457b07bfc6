"""Define what can go wrong that a caller may act on. Everything else is a bug."""


class MasisError(Exception):
    """An error whose message says what failed and what to do, to the one who can do it.

    Where that is who runs MASIS, it may name an address or a setting: who asked is told the
    sentence of `masis.failures` instead.

    `retryable` says whether the same call may succeed later without anybody changing anything.
    """

    retryable = False


class ModelServiceError(MasisError):
    """The model service failed in a way that a repeat cannot mend (key, quota, refusal of the request)."""


class ModelKeyRefused(ModelServiceError):
    """The model service does not take the key."""


class ModelQuotaSpent(ModelServiceError):
    """The account at the model service may use no more of it."""


class ModelAnswerUnusable(ModelServiceError):
    """The model answered, and a repeat too, with what cannot be used: nothing, half, or a refusal."""


class ModelServiceUnavailable(ModelServiceError):
    """The model service did not answer, or not in time; retries within the run were used up.

    `retry_after` is how many seconds the service asked us to stay away, where it did.
    """

    retryable = True

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelServiceBusy(ModelServiceUnavailable):
    """The model service works, but has had enough of our calls for now (429)."""


class CallNotPermitted(ModelServiceUnavailable):
    """The gateway answered at once in the service's place: a repeat within the run is no use."""


class CircuitOpen(CallNotPermitted):
    """The service failed so often that it is left alone for a while."""


class BudgetSpent(MasisError):
    """A workspace used up what it may spend on model calls in a day; nothing was asked."""


class EmbeddingError(MasisError):
    """Texts could not be embedded."""


class ReadingError(MasisError):
    """Texts could not be read with a question in mind."""


class StoreUnavailable(MasisError):
    """The database or the vector store could not be opened, read or written."""

    retryable = True


class TooBusy(StoreUnavailable):
    """So many requests wait to be stored that this one would not be in time; it was not begun."""


class VectorsUnavailable(StoreUnavailable):
    """It is the vector store that failed, and not the database."""


class StoreLocked(StoreUnavailable):
    """Another process holds the store."""


class ProfileMismatch(MasisError):
    """A workspace holds vectors of another embedding profile than the one in use."""


class DocumentRefused(MasisError):
    """A document cannot be read; the message is the reason shown to the one who sent it."""


class QueryRefused(MasisError):
    """A query over a table cannot be run, or takes more than it may; the message says why."""


class UnknownWorkspace(MasisError):
    """No workspace of that name belongs to this owner."""


class LinkChanged(MasisError):
    """The link by which an answer was admitted is another one by now; nothing of it was posted."""

    retryable = True


class UnknownGraph(MasisError):
    """A run belongs to a graph that this release does not have."""


class InvalidQuestion(MasisError):
    """A question is empty or too long."""


class InvalidSettings(MasisError):
    """A setting is misspelt, contradictory or unusable."""


class RunInterrupted(BaseException):
    """This process must not go on with a run: no outcome of it may be shown from here.

    Like a cancelled task it is no error of the run, so that no `except Exception` takes it.
    """


class RunCancelled(RunInterrupted):
    """Somebody asked for the run's end."""


class RunTakenOver(RunInterrupted):
    """Another process owns the run by now, or this one is shutting down."""


class RunHeldUp(RunInterrupted):
    """Interrupt a run while what it needs, or what writes down its steps, is away.

    It goes on when that is back.
    """
