"""How long a mistyped word is looked for, and what the words of a workspace take in memory.

Run it with `python -m tests.bench.spelling_bench`.
"""

import random
import statistics
import time
from pathlib import Path
from typing import Final

import psutil

from masis.words.english import is_english
from masis.words.spelling import MOST_WORDS, Words

LOOKED_UP: Final = 200


def vocabulary(chance: random.Random) -> dict[str, int]:
    """As many words as a workspace may have: English ones, and made-up names and codes of products."""
    letters = "abcdefghijklmnoprstu"
    root = Path(__file__).parents[2]
    english = (
        (root / "masis" / "words" / "data" / "english_words.txt")
        .read_text(encoding="utf-8")
        .split()
    )
    made_up = {"".join(chance.choices(letters, k=chance.randint(5, 11))) for _ in range(MOST_WORDS)}
    words = [*chance.sample(english, MOST_WORDS // 2), *sorted(made_up)][:MOST_WORDS]
    return dict.fromkeys(words, 3)


def resident() -> float:
    """The memory of this process in megabytes."""
    return float(psutil.Process().memory_info().rss) / 2**20


def mistyped(word: str, chance: random.Random) -> str:
    """The word with two letters exchanged."""
    at = chance.randrange(1, len(word) - 1)
    return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]


def main() -> None:
    """Print the median and the longest of many look-ups, and the memory."""
    chance = random.Random(7)
    is_english("a")
    counts = vocabulary(chance)
    before = resident()
    words = Words(counts)
    taken = resident() - before
    asked = [mistyped(word, chance) for word in chance.sample(list(counts), LOOKED_UP) if word[3:]]
    spent = []
    for word in asked:
        begun = time.perf_counter()
        words.nearest(word)
        spent.append((time.perf_counter() - begun) * 1000)
    print(f"{len(words):,} words: {taken:.1f} MB beside the words themselves")
    print(f"a word: {statistics.median(spent):.2f} ms in the median, {max(spent):.2f} ms at most")


if __name__ == "__main__":
    main()
