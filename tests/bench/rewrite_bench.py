"""How follow-ups are said anew by rule, beside what a person wrote: content words, and what stood alone.

Run it with `python -m tests.bench.rewrite_bench`. Topics are parted in two halves: the rules were
written with the first before the eyes, and the second was never looked at.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from masis.conversation import Exchange
from masis.questions.follow_ups import FollowUp, follow_up
from masis.text.lexical import terms
from tests.bench.corpora import SHARED

TURNS: Final = SHARED / "cast-rewrite" / "turns.jsonl"
MOST_EXCHANGES: Final = 6

Row = dict[str, Any]


class Said(NamedTuple):
    """A turn, and what the rules made of it."""

    row: Row
    found: FollowUp


def f1(said: str, gold: str) -> float:
    """Return the F1 of the content words of two questions."""
    own, other = set(terms(said)), set(terms(gold))
    if not own or not other:
        return float(own == other)
    return 2 * len(own & other) / (len(own) + len(other))


def sessions(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The turns of each conversation, in their order."""
    for name in dict.fromkeys(row["session"] for row in rows):
        yield [row for row in rows if row["session"] == name]


def said(conversations: Sequence[Sequence[Row]]) -> list[Said]:
    """Every turn said anew, each by what the rules made of those before it."""
    found = []
    for turns in conversations:
        past: list[Exchange] = []
        for at, row in enumerate(turns):
            rewritten = follow_up(row["utterance"], past[-MOST_EXCHANGES:])
            found.append(Said(row, rewritten))
            standalone = chosen(rewritten)
            past.append(Exchange(run_id=str(at), question=row["utterance"], standalone=standalone))
    return found


def chosen(each: FollowUp) -> str:
    """What is searched: what cannot be told is taken for one that goes on."""
    return each.carried


WAYS: Final[dict[str, Callable[[Said], str]]] = {
    "nothing": lambda each: str(each.row["utterance"]),
    "gluing": lambda each: " ".join([*each.row["previous_user_turns"][-1:], each.row["utterance"]]),
    "rules, either alone": lambda each: (
        each.found.carried if each.found.kind == "carried" else each.found.alone
    ),
    "rules, either carried": lambda each: each.found.carried,
    "rules, either by the better": lambda each: max(
        (each.found.carried, each.found.alone)
        if each.found.kind == "either"
        else (each.found.carried,),
        key=lambda text: f1(text, each.row["gold_rewrite"]),
    ),
}


def figures(turns: Sequence[Said], way: Callable[[Said], str]) -> tuple[float, float]:
    """The mean F1 of turns that need a rewrite, and of those behind another that stand alone."""
    needs = [each for each in turns if each.row["needs_rewrite"]]
    alone = [each for each in turns if not each.row["needs_rewrite"] and each.row["turn"] > 1]
    means = [
        statistics.mean(f1(way(each), each.row["gold_rewrite"]) for each in part)
        for part in (needs, alone)
    ]
    return means[0], means[1]


def main() -> None:
    """Print the figures of both halves and of all."""
    rows = [json.loads(line) for line in TURNS.read_text(encoding="utf-8").splitlines()]
    every = list(sessions(rows))
    begun = time.perf_counter()
    halves = [said(every[0::2]), said(every[1::2])]
    spent = (time.perf_counter() - begun) * 1000 / len(rows)
    if "--show" in sys.argv:
        show(halves[0])
    for name, turns in (
        ("first half", halves[0]),
        ("second half", halves[1]),
        ("all", [*halves[0], *halves[1]]),
    ):
        print(f"{name}: {len(turns)} turns")
        for way, choose in WAYS.items():
            needs, alone = figures(turns, choose)
            print(f"  {way:28} {needs:.3f} {alone:.3f}")
        for needed in (True, False):
            part = [
                each.found.kind
                for each in turns
                if each.row["needs_rewrite"] is needed and each.row["turn"] > 1
            ]
            shares = ", ".join(
                f"{kind} {part.count(kind) / len(part):.2f}"
                for kind in ("alone", "carried", "either")
            )
            print(f"  kinds where {'needed' if needed else 'alone'}: {shares}")
    print(f"{spent:.2f} ms a turn")


def show(turns: Sequence[Said]) -> None:
    """Print each turn of a half that came out otherwise than a person wrote it."""
    for row, found in turns:
        if f1(found.carried, row["gold_rewrite"]) < 1:
            print(
                f"{f1(found.carried, row['gold_rewrite']):.2f} {row['id']} [{found.kind}: {found.reason}]"
            )
            print(f"     {row['utterance']}\n  => {found.carried}\n  == {row['gold_rewrite']}")


if __name__ == "__main__":
    main()
