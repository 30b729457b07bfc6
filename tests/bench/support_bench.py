"""How well code alone tells whether a source bears out a claim, on three labelled sets.

`python -m tests.bench.support_bench` prints the figures of the shipped coefficients on the half
that they were not fitted on, of fits on ten other halves, and what the audit of a model's draft
calls unsupported; `--fit` prints new coefficients.
The data stands beside the checkout, in `../shared/data`.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from masis.answering import support
from masis.policy import SUPPORT_MARK

DATA: Final = Path(__file__).parents[2].parent / "shared" / "data"

Array = NDArray[np.float64]


class Example(NamedTuple):
    """A claim and its source. `group` keeps what shares a source in one half.

    `supported` is the label; `related` is False only for WiCE's "not supported", whose third
    label, "partially supported", is related and not supported.
    """

    data: str
    group: str
    claim: str
    source: str
    supported: bool
    related: bool


class Question(NamedTuple):
    """One thing that is asked of the score, with the figure that must be reached."""

    name: str
    data: str
    label: Callable[[Example], bool]
    floor: float
    target: float
    weight: float


# A fit weighs the questions so that none is bought with another. The floors: IDF overlap on WiCE,
# token overlap on HaluEval, "all figures occur" on SummEdits (balanced accuracy there).
QUESTIONS: Final = (
    Question("WiCE, supported or not", "wice", lambda row: row.supported, 0.76, 0.78, 0.5),
    Question("WiCE, any support or none", "wice", lambda row: row.related, 0.84, 0.86, 2.0),
    Question("HaluEval, right or made up", "halueval", lambda row: row.supported, 0.90, 0.92, 0.5),
    Question(
        "SummEdits, faithful or edited", "summedits", lambda row: row.supported, 0.59, 0.60, 1
    ),
)
HALVES: Final = 10


@dataclass(frozen=True, slots=True)
class Fit:
    """Coefficients, and the bias that puts the best threshold at 0."""

    coefficients: Array
    bias: float


class Figures(NamedTuple):
    """What a fit reaches on one question."""

    auroc: float
    balanced_accuracy: float


def examples() -> list[Example]:
    """All labelled claims.

    Raises:
        FileNotFoundError: the data is not beside the checkout.
    """
    return [*_wice(), *_halueval(), *_summedits()]


def _lines(path: str) -> Iterator[dict[str, Any]]:
    with (DATA / path).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _wice() -> Iterator[Example]:
    for row in _lines("wice-dev/claims.jsonl"):
        label = row["label"]
        source = "\n\n".join(row["evidence"])
        supported, related = label == "supported", label != "not_supported"
        yield Example("wice", row["id"], row["claim"], source, supported, related)


def _halueval() -> Iterator[Example]:
    for row in _lines("halueval-qa/items.jsonl"):
        answers = [(row["right_answer"], True), *((a, False) for a in row["hallucinated_answers"])]
        for answer, right in answers:
            yield Example("halueval", row["id"], answer, row["context"], right, right)


def _summedits() -> Iterator[Example]:
    texts = {row["doc_id"]: row["text"] for row in _lines("summedits-business/documents.jsonl")}
    for row in _lines("summedits-business/responses.jsonl"):
        faithful = row["consistent"]
        source = texts[row["doc_id"]]
        yield Example("summedits", row["doc_id"], row["response"], source, faithful, faithful)


def measured(rows: Sequence[Example]) -> Array:
    """The signals of each claim, a row each."""
    return np.array([support.support(row.claim, row.source).signals for row in rows])


def half(rows: Sequence[Example], seed: str = "") -> NDArray[np.bool_]:
    """The rows of the first half, by a hash of their group."""
    digests = (hashlib.sha256(f"{seed}{row.group}".encode()).digest() for row in rows)
    return np.array([digest[0] % 2 == 0 for digest in digests])


def shipped() -> Fit:
    """The coefficients in the source."""
    return Fit(np.array(support.COEFFICIENTS), support.BIAS)


def fitted(rows: Sequence[Example], signals: Array, chosen: NDArray[np.bool_]) -> Fit:
    """One logistic regression over all questions, each with an intercept of its own."""
    inputs: list[list[float]] = []
    labels: list[bool] = []
    weights: list[float] = []
    for at, question in enumerate(QUESTIONS):
        for index in _of(rows, question, chosen):
            inputs.append([*signals[index], *np.eye(len(QUESTIONS))[at]])
            labels.append(question.label(rows[index]))
        counts = np.bincount(labels[len(weights) :], minlength=2)
        weights += [question.weight / counts[int(label)] for label in labels[len(weights) :]]
    scale = len(labels) / sum(weights)
    model = LogisticRegression(C=10.0, max_iter=5000)
    model.fit(np.array(inputs), np.array(labels), sample_weight=np.array(weights) * scale)
    coefficients = np.round(model.coef_[0][: signals.shape[1]], 2)
    thresholds = [
        best_threshold(*scored(rows, signals @ coefficients, question, chosen))
        for question in QUESTIONS
        if question.label is not QUESTIONS[1].label
    ]
    return Fit(coefficients, -round(float(np.mean(thresholds)), 2))


def _of(rows: Sequence[Example], question: Question, chosen: NDArray[np.bool_]) -> list[int]:
    return [at for at, row in enumerate(rows) if chosen[at] and row.data == question.data]


def scored(
    rows: Sequence[Example], scores: Array, question: Question, chosen: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], Array]:
    """Labels and scores of one question's rows."""
    indices = _of(rows, question, chosen)
    return np.array([question.label(rows[at]) for at in indices]), scores[indices]


def auroc(rows: Sequence[Example], scores: Array, question: Question) -> float:
    """How often a question's positive ranks above a negative."""
    labels, found = scored(rows, scores, question, np.ones(len(rows), dtype=np.bool_))
    return float(roc_auc_score(labels, found))


def best_threshold(labels: NDArray[np.bool_], scores: Array) -> float:
    """The score from which on to believe, for the best balanced accuracy."""
    candidates = np.quantile(scores, np.linspace(0.02, 0.98, 97))
    return float(max(candidates, key=lambda c: balanced_accuracy_score(labels, scores >= c)))


def figures(
    rows: Sequence[Example], signals: Array, fit: Fit, tuned: NDArray[np.bool_]
) -> list[Figures]:
    """Each question's figures on the rows that are not in `tuned`, thresholds from those that are."""
    scores = signals @ fit.coefficients + fit.bias
    found = []
    for question in QUESTIONS:
        threshold = best_threshold(*scored(rows, scores, question, tuned))
        labels, held_out = scored(rows, scores, question, ~tuned)
        accuracy = balanced_accuracy_score(labels, held_out >= threshold)
        found.append(Figures(float(roc_auc_score(labels, held_out)), float(accuracy)))
    return found


def cross_validated(rows: Sequence[Example], signals: Array) -> list[Figures]:
    """The mean figures of fits on other halves, tested on what each leaves."""
    firsts = [half(rows, str(seed)) for seed in range(HALVES // 2)]
    results = [
        figures(rows, signals, fitted(rows, signals, chosen), chosen)
        for first in firsts
        for chosen in (first, ~first)
    ]
    return [
        Figures(*np.mean([result[at] for result in results], axis=0))
        for at in range(len(QUESTIONS))
    ]


def _table(title: str, found: Iterable[Figures]) -> None:
    print(f"\n{title}\n{'':32}{'AUROC':>8}{'bal.acc':>9}{'floor':>8}{'target':>8}")
    for question, result in zip(QUESTIONS, found, strict=True):
        asked = result.balanced_accuracy if question.data == "summedits" else result.auroc
        verdict = "" if asked >= question.target else "  below"
        print(
            f"{question.name:32}{result.auroc:8.3f}{result.balanced_accuracy:9.3f}"
            f"{question.floor:8.2f}{question.target:8.2f}{verdict}"
        )


class Flagged(NamedTuple):
    """The shares of claims that are called unsupported: by their facts, by their grade, by either."""

    facts: float
    grade: float
    either: float


def flagged(rows: Sequence[Example]) -> Flagged:
    """What the audit of a model's draft says of these claims."""
    facts = np.array([bool(support.missing(row.claim, [row.source])) for row in rows])
    grade = np.array([bool(support.objection(row.claim, [row.source])) for row in rows])
    return Flagged(float(facts.mean()), float(grade.mean()), float((facts | grade).mean()))


def _audited(rows: Sequence[Example], tuned: NDArray[np.bool_]) -> None:
    """A row for each half, set and label."""
    print(f"\nCalled unsupported, the grade below {SUPPORT_MARK:.2f} or an opposite")
    print(f"{'':44}{'claims':>8}{'facts':>8}{'grade':>8}{'either':>8}")
    for chosen, half_name in ((tuned, "chosen on"), (~tuned, "held out")):
        for label in (True, False):
            of = [row for row, here in zip(rows, chosen, strict=True) if here]
            _audited_half(half_name, [row for row in of if row.supported is label])


def _audited_half(half_name: str, rows: Sequence[Example]) -> None:
    for data in (*dict.fromkeys(row.data for row in rows), ""):
        of = [row for row in rows if data in {row.data, ""}]
        found = flagged(of)
        label = "borne out" if of[0].supported else "not borne out"
        shares = "".join(f"{share:8.1%}" for share in found)
        name = f"{half_name}, {data or 'all sets'}, {label}"
        print(f"{name:44}{len(of):8}{shares}")


def main() -> int:
    """Print the figures; the exit code is 1 when the data is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fit", action="store_true", help="print coefficients fitted anew")
    arguments = parser.parse_args()
    if not DATA.is_dir():
        print(f"{DATA} is missing: the labelled data stands beside the checkout")
        return 1
    rows = examples()
    signals = measured(rows)
    tuned = half(rows)
    if arguments.fit:
        fit = fitted(rows, signals, tuned)
        print(f"BIAS = {fit.bias}\n{support.Signals(*fit.coefficients.tolist())}")
    _table(
        "Shipped coefficients, on the half they were not fitted on",
        figures(rows, signals, shipped(), tuned),
    )
    _table(
        f"Fits on {HALVES} other halves, each on what it left (mean)",
        cross_validated(rows, signals),
    )
    _audited(rows, tuned)
    print("\nThe SummEdits floor and target are balanced accuracy, the others AUROC.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
