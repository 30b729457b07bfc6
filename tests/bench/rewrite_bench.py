"""How follow-ups are said anew by rule, beside what a person wrote: the F1 of their content words.

Run it with `python -m tests.bench.rewrite_bench`; `--show` prints what came out otherwise, of the
first half alone. Topics are parted in two halves: the rules were written with the first before the
eyes, and no turn of the second was looked at. The exit code is 1 when the data is not beside the
checkout.
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


def halves() -> tuple[list[Said], list[Said]]:
    """Return every other conversation said anew, and the others."""
    rows = [json.loads(line) for line in TURNS.read_text(encoding="utf-8").splitlines()]
    every = list(sessions(rows))
    return said(every[0::2]), said(every[1::2])


def report(name: str, turns: Sequence[Said]) -> None:
    """Print the figures of some turns."""
    print(f"{name}: {len(turns)} turns")
    for way, choose in WAYS.items():
        needs, alone = figures(turns, choose)
        print(f"  {way:28} {needs:.3f} {alone:.3f}")
    for needed in (True, False):
        behind = [each for each in turns if each.row["turn"] > 1]
        kinds = [each.found.kind for each in behind if each.row["needs_rewrite"] is needed]
        shares = [
            f"{kind} {kinds.count(kind) / len(kinds):.2f}"
            for kind in ("alone", "carried", "either")
        ]
        print(f"  kinds where {'needed' if needed else 'alone'}: {', '.join(shares)}")


def main() -> None:
    """Print the figures of both halves and of all."""
    begun = time.perf_counter()
    first, second = halves()
    spent = (time.perf_counter() - begun) * 1000 / (len(first) + len(second))
    if "--show" in sys.argv:
        show(first)
    report("first half", first)
    report("second half", second)
    report("all", [*first, *second])
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
    if not TURNS.is_file():
        sys.exit(f"{TURNS} is missing: the development data stands beside the checkout")
    main()
