import pytest

from bot.cli.exit_codes import BadInput, ExitCode, of_error, of_outcome
from masis import errors
from masis.domain import AnyOutcome, Failed, NotLinked, Refused


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInput("x"), ExitCode.USAGE),
        (errors.InvalidQuestion("x"), ExitCode.USAGE),
        (errors.InvalidSettings("x"), ExitCode.USAGE),
        (errors.UnknownWorkspace("x"), ExitCode.USAGE),
        (errors.DocumentRefused("x"), ExitCode.REFUSED),
        (errors.StoreUnavailable("x"), ExitCode.UNAVAILABLE),
        (errors.StoreLocked("x"), ExitCode.UNAVAILABLE),
        (errors.ModelServiceUnavailable("x"), ExitCode.UNAVAILABLE),
        (errors.ModelServiceError("x"), ExitCode.FAILED),
        (errors.EmbeddingError("x"), ExitCode.FAILED),
        (errors.ProfileMismatch("x"), ExitCode.FAILED),
    ],
)
def test_each_error_has_its_code(error: errors.MasisError, code: ExitCode) -> None:
    assert of_error(error) is code


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Refused(run_id="r", question="q", reason="x"), ExitCode.REFUSED),
        (NotLinked(run_id="r", question="q", instructions="x"), ExitCode.REFUSED),
        (Failed(run_id="r", question="q", error="x"), ExitCode.FAILED),
        (Failed(run_id="r", question="q", error="x", retryable=True), ExitCode.UNAVAILABLE),
    ],
)
def test_outcomes_have_exit_codes(outcome: AnyOutcome, code: ExitCode) -> None:
    """Each end of a question has its code."""
    assert of_outcome(outcome) is code


def test_every_code_says_what_it_means() -> None:
    assert all(code.meaning for code in ExitCode)
