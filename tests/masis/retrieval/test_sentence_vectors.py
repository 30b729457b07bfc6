import asyncio
import threading
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from masis.domain import EmbeddingProfile, workspace_id
from masis.errors import EmbeddingError
from masis.ports import Vectors
from masis.retrieval.sentence_vectors import KEPT_SECONDS, SentenceCache, SentenceVectors
from tests.examples import examples
from tests.fakes import PROFILE, FakeEmbedder

HERE, ELSEWHERE = workspace_id("ws_here"), workspace_id("ws_elsewhere")


def row(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


class QueryAware:
    """An embedder that embeds a question otherwise than a text, and remembers what it was asked."""

    profile: EmbeddingProfile = PROFILE

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    async def embed(
        self, texts: Sequence[str], kind: Literal["document", "query"] = "document"
    ) -> Vectors:
        self.asked.append((kind, list(texts)))
        await asyncio.sleep(0)
        sign = 1.0 if kind == "document" else -1.0
        return np.stack([row(sign * len(text), 1.0) for text in texts])


# --- the vectors of sentences --------------------------------------------------------------


async def test_rows_follow_the_text_order() -> None:
    """Rows come in the order of the texts."""
    embedder = FakeEmbedder()
    texts = ["one day", "two nights", "three weeks"]
    vectors = SentenceVectors(embedder)
    await vectors.of(HERE, [texts[1]])

    found = await vectors.of(HERE, texts)

    assert found.shape == (3, PROFILE.dimension)
    assert np.array_equal(found, await embedder.embed(texts))


async def test_only_uncached_texts_are_embedded() -> None:
    """Only what is not remembered is embedded once and in one batch."""
    embedder = FakeEmbedder()
    vectors = SentenceVectors(embedder)

    await vectors.of(HERE, ["a leave", "b leave", "a leave"])
    await vectors.of(HERE, ["b leave", "c leave", "c leave", "d leave"])
    await vectors.of(HERE, ["a leave", "d leave"])

    assert embedder.asked == [["a leave", "b leave"], ["c leave", "d leave"]]


async def test_no_texts_cost_nothing() -> None:
    """No texts give no rows and cost nothing."""
    embedder = FakeEmbedder()

    assert (await SentenceVectors(embedder).of(HERE, [])).shape == (0, PROFILE.dimension)
    assert embedder.asked == []


async def test_texts_beyond_capacity_get_rows() -> None:
    """More texts than are kept still get their rows."""
    embedder = FakeEmbedder()
    texts = [f"rule {n}" for n in range(20)]

    found = await SentenceVectors(embedder, size=3).of(HERE, texts)

    assert np.array_equal(found, await embedder.embed(texts))


async def test_question_and_text_are_cached_separately() -> None:
    """A question is embedded as one and apart from the same words as a text."""
    embedder = QueryAware()
    vectors = SentenceVectors(embedder)

    asked = await vectors.question(HERE, "leave")
    text = (await vectors.of(HERE, ["leave"]))[0]
    again = await vectors.question(HERE, "leave")

    assert asked.tolist() == again.tolist() == [-5.0, 1.0]
    assert text.tolist() == [5.0, 1.0]
    assert embedder.asked == [("query", ["leave"]), ("document", ["leave"])]


@pytest.mark.parametrize(
    "other", [{"model": "larger"}, {"dimension": 3}, {"version": "2"}], ids=lambda change: [*change]
)
async def test_another_profile_reembeds_the_text(
    other: dict[str, object],
) -> None:
    """Vectors of another model dimension or version are made anew."""
    embedder = QueryAware()
    vectors = SentenceVectors(embedder)
    await vectors.of(HERE, ["a text"])
    await vectors.question(HERE, "a question")

    embedder.profile = PROFILE.model_copy(update=other)
    await vectors.of(HERE, ["a text"])
    await vectors.question(HERE, "a question")

    once = [("document", ["a text"]), ("query", ["a question"])]
    assert embedder.asked == [*once, *once]


async def test_another_workspace_reembeds_the_text() -> None:
    """What one workspace knows another embeds anew."""
    embedder = FakeEmbedder()
    vectors = SentenceVectors(embedder)

    await vectors.of(HERE, ["leave"])
    await vectors.of(ELSEWHERE, ["leave"])

    assert embedder.asked == [["leave"], ["leave"]]


async def test_forgetting_workspace_drops_its_entries() -> None:
    """Forgetting a workspace forgets its texts and questions."""
    embedder = QueryAware()
    vectors = SentenceVectors(embedder)
    for workspace in (HERE, ELSEWHERE):
        await vectors.of(workspace, ["leave"])
        await vectors.question(workspace, "leave?")
    embedder.asked.clear()

    vectors.forget(HERE)
    for workspace in (HERE, ELSEWHERE):
        await vectors.of(workspace, ["leave"])
        await vectors.question(workspace, "leave?")

    assert embedder.asked == [("document", ["leave"]), ("query", ["leave?"])]


async def test_entry_expires_for_later_requests() -> None:
    """What another process deleted is not known for long."""
    embedder, now = FakeEmbedder(), 1000.0
    vectors = SentenceVectors(embedder, clock=lambda: now)
    await vectors.of(HERE, ["leave"])
    now += KEPT_SECONDS
    await vectors.of(HERE, ["leave"])
    assert embedder.asked == [["leave"], ["leave"]]


async def test_entry_expires_without_any_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is gone in time also where nobody asks any more."""
    monkeypatch.setattr("masis.retrieval.sentence_vectors.KEPT_SECONDS", 0.01)
    vectors = SentenceVectors(FakeEmbedder())
    await vectors.of(HERE, ["leave"])
    assert len(vectors._cache) == 1
    async with asyncio.timeout(5):
        while len(vectors._cache):  # noqa: ASYNC110 - a timer tells nobody
            await asyncio.sleep(0.01)


async def test_what_failed_is_not_remembered() -> None:
    embedder = FakeEmbedder()
    vectors = SentenceVectors(embedder)
    embedder.failing = True
    with pytest.raises(EmbeddingError):
        await vectors.of(HERE, ["leave"])
    embedder.failing = False

    assert (await vectors.of(HERE, ["leave"])).shape == (1, PROFILE.dimension)


async def test_concurrent_callers_get_own_rows() -> None:
    """Askers at the same time get their own rows."""
    embedder = FakeEmbedder()
    vectors = SentenceVectors(embedder)
    wanted = [[f"rule {n}", "shared rule"] for n in range(8)]

    found = await asyncio.gather(*(vectors.of(HERE, texts) for texts in wanted))

    for texts, rows in zip(wanted, found, strict=True):
        assert np.array_equal(rows, await embedder.embed(texts))


# --- the cache -----------------------------------------------------------------------------


class TestSentenceCache:
    vectors: Mapping[str, NDArray[np.float32]] = {
        text: row(n, 1.0) for n, text in enumerate(("one", "two", "three"))
    }

    def test_oldest_entry_is_evicted_first(self) -> None:
        """What was made longest ago goes first."""
        cache = SentenceCache(2)
        cache.remember(HERE, {text: self.vectors[text] for text in ("one", "two")})
        cache.remember(HERE, {"one": self.vectors["one"]})
        cache.remember(HERE, {"three": self.vectors["three"]})
        assert set(cache.known(HERE, ["one", "two", "three"])) == {"one", "three"}

    def test_frequent_use_prolongs_no_entry(self) -> None:
        """Nothing outlives its time however often it is used."""
        now = 1000.0
        cache = SentenceCache(10, clock=lambda: now)
        cache.remember(HERE, {"one": self.vectors["one"]})
        now += KEPT_SECONDS / 2
        cache.remember(HERE, {"two": self.vectors["two"]})
        assert set(cache.known(HERE, ["one", "two"])) == {"one", "two"}
        now += KEPT_SECONDS / 2
        assert set(cache.known(HERE, ["one", "two"])) == {"two"}
        assert len(cache) == 1

    def test_workspaces_do_not_share(self) -> None:
        cache = SentenceCache(10)
        cache.remember(HERE, self.vectors)
        assert cache.known(ELSEWHERE, ["one"]) == {}

    def test_forgetting_one_workspace_leaves_the_others(self) -> None:
        cache = SentenceCache(10)
        cache.remember(HERE, self.vectors)
        cache.remember(ELSEWHERE, self.vectors)
        cache.forget(HERE)
        assert cache.known(HERE, ["one"]) == {}
        assert set(cache.known(ELSEWHERE, ["one"])) == {"one"}

    def test_it_never_keeps_a_sentence_itself(self) -> None:
        cache = SentenceCache(10)
        cache.remember(HERE, {"the salary of the director": self.vectors["one"]})
        assert "salary" not in repr(vars(cache))

    def test_threads_share_it(self) -> None:
        cache = SentenceCache(50)
        wrong: list[str] = []

        def work(worker: int) -> None:
            for n in range(200):
                text = f"rule {worker} {n % 30}"
                cache.remember(HERE, {text: row(worker, n % 30)})
                if n % 50 == 0:
                    cache.forget(ELSEWHERE)
                for known, vector in cache.known(HERE, [text]).items():
                    if vector.tolist() != [worker, n % 30]:
                        wrong.append(known)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert wrong == []
        assert len(cache) <= 50

    @settings(max_examples=examples(60), deadline=None)
    @given(
        st.integers(1, 4),
        st.lists(
            st.tuples(
                st.sampled_from(["remember", "known", "forget"]),
                st.sampled_from([HERE, ELSEWHERE]),
                st.text(max_size=2),
            ),
            max_size=30,
        ),
    )
    def test_cache_is_bounded_and_returns_entries(
        self, size: int, calls: list[tuple[str, str, str]]
    ) -> None:
        """It is bounded and gives back what was put in."""
        cache = SentenceCache(size)
        for call, where, text in calls:
            workspace = workspace_id(where)
            if call == "remember":
                cache.remember(workspace, {text: row(len(text), len(where))})
            elif call == "forget":
                cache.forget(workspace)
            for found, vector in cache.known(workspace, [text]).items():
                assert vector.tolist() == [len(found), len(where)]
            assert len(cache) <= size
