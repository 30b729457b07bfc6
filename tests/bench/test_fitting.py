"""The fitting of the confidence, on signals made by hand."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.evaluation.evaluation import Question
from masis.extractive import answerability
from masis.extractive.answerability import Signals
from tests.bench import eval_bench
from tests.bench.eval_bench import (
    Judged,
    Observed,
    calibration_error,
    fit,
    held_out,
    with_marks,
    write,
)


def observed(number: int, *, yes: bool, **more: object) -> Observed:
    """A question whose nearness tells well whether it has an answer; its place is one of three."""
    values = {"nearness": 0.4 + 0.3 * yes + 0.01 * (number % 7), "step": 0.1, "detail": 0.5}
    signals = Signals.model_validate({"rivals": 0.0, **values, **more})
    kind = "single" if yes else "unanswerable"
    question = Question(id=f"{number}-{yes}", question="how long", kind=kind, answerable=yes)
    place = f"place-{number % 3}"
    return Observed("plain", place, "casual", question, (signals,), right=yes)


def some(**more: object) -> Iterator[Observed]:
    for number in range(21):
        yield observed(number, yes=True, **more)
        yield observed(number, yes=False, **more)


def test_uninformative_signals_get_zero_weight() -> None:
    """What tells weighs and what does not is left out."""
    model = fit(list(some()))

    assert model.coefficients["nearness"] > 0
    assert model.coefficients["read"] == 0.0
    assert model.probability(observed(0, yes=True).passes[0]) > 0.5
    assert model.probability(observed(0, yes=False).passes[0]) < 0.5


def test_signal_weight_keeps_its_sign() -> None:
    """A signal never weighs against its sense."""
    rows = [
        observed(number, yes=yes, rivals=0.9 * yes, known=0.9 * (not yes))
        for number in range(21)
        for yes in (True, False)
    ]

    assert fit(rows).coefficients["rivals"] == 0.0
    assert fit(rows).coefficients["known"] == 0.0


def test_held_out_place_uses_other_places() -> None:
    """A place is judged by the model of the others."""
    rows = list(some())
    odd = [replace(o, place="odd", right=False) for o in some(detail=0.9)]
    model = fit(rows)

    judged_odd = [each for each in held_out([*rows, *odd]) if each.of.place == "odd"]
    assert [each.probability for each in judged_odd] == [o.probability(model) for o in odd]


ASKED = {"chat": "how long", "sentence": "How long does the whole of the journey take?"}


def judged(probability: float, number: int, written: str = "chat") -> Judged:
    row = observed(number, yes=False)
    question = row.question.model_copy(update={"question": ASKED[written]})
    return Judged(Observed("plain", "p", "casual", question, row.passes, right=False), probability)


def test_each_manner_has_its_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """They let the share of its own questions pass that may."""
    monkeypatch.setattr(eval_bench, "PASSING", {"chat": 0.25, "sentence": 0.5})
    monkeypatch.setattr(eval_bench, "HIGH", 0.05)
    chats = [judged(0.01 * number, number) for number in range(40)]
    sentences = [judged(0.01 * number, number, "sentence") for number in range(20)]
    marked = with_marks(fit(list(some())), [*chats, *sentences])

    assert marked.passing == pytest.approx(0.296)
    assert marked.high == pytest.approx(0.376)
    assert marked.manners["sentence"].passing == pytest.approx(0.096)


def test_few_questions_share_the_chat_marks() -> None:
    """So few say nothing of a mark."""
    chats = [judged(0.01 * number, number) for number in range(40)]
    marked = with_marks(fit(list(some())), [*chats, judged(0.9, 0, "sentence")])

    assert marked.manners == {}


def test_the_pass_that_passes_counts() -> None:
    weak, strong = observed(0, yes=False), observed(0, yes=True)
    both = Observed("plain", "p", "casual", weak.question, weak.passes + strong.passes, right=False)
    model = fit(list(some()))

    assert both.probability(model) == strong.probability(model) > weak.probability(model)


def test_fit_is_written_into_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fit is written where it is used."""
    module = tmp_path / "answerability.py"
    module.write_bytes(Path(answerability.__file__).read_bytes())
    monkeypatch.setattr(answerability, "__file__", str(module))
    model = fit(list(some()))
    write(model)
    written: dict[str, object] = {}
    exec(compile(module.read_text(encoding="utf-8"), str(module), "exec"), written)  # noqa: S102

    made = written["FITTED"]
    assert getattr(made, "coefficients") == model.coefficients  # noqa: B009 - of another class
    assert getattr(made, "manners") == {}  # noqa: B009 - the same


def sure(probability: float, *, yes: bool) -> Judged:
    row = observed(0, yes=yes)
    return Judged(row, probability)


def test_calibration_counts_both_answers_alike() -> None:
    """Nine questions without an answer weigh as much as one that has one."""
    even = [sure(0.5, yes=True), *(sure(0.5, yes=False) for _ in range(9))]
    assert calibration_error(even) == pytest.approx(0.0)
    apart = [sure(0.95, yes=True), sure(0.25, yes=False)]
    assert calibration_error(apart) == pytest.approx((0.05 + 0.25) / 2)
