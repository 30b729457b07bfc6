"""What every vector store must do: embedded, over HTTP, and on a real server where one is given."""

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from masis.domain import EmbeddingProfile, WorkspaceId, opaque_id
from masis.errors import ProfileMismatch
from masis.ports import Point, Scope, SparseVector, VectorStore, VectorStores
from storage.vectors.embedded_store import EdgeVectorStores
from storage.vectors.qdrant_store import ServerVectorStores
from tests.storage.qdrant_facade import QdrantFacade

DIMENSION = 8
FACADE_KEY = "an invented key"


def profile(name: str = "minilm", dimension: int = DIMENSION) -> EmbeddingProfile:
    return EmbeddingProfile(
        name=name, model=name, dimension=dimension, version="1", calibration=[(0, 0), (1, 1)]
    )


def axis(n: int, *, other: int = 0, share: float = 0.0) -> NDArray[np.float32]:
    """The unit vector along one axis, turned towards another until their cosine is `share`."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    vector[n] = np.sqrt(1 - share**2)
    vector[other] += share
    return vector


def point(
    name: str,
    *,
    dense: NDArray[np.float32] | None = None,
    sparse: SparseVector | None = None,
    version: str = "v_one",
    position: int = 0,
    document: str = "d_one",
    section: tuple[int, ...] = (),
) -> Point:
    return Point(
        chunk_id=name,
        document_id=document,
        version_id=version,
        position=position,
        format="md",
        dense=dense,
        sparse=sparse or {},
        section=section,
    )


def some_points(count: int, *, version: str = "v_one", seed: int = 0) -> list[Point]:
    random = np.random.default_rng(seed)
    points = []
    for n in range(count):
        dense = random.standard_normal(DIMENSION).astype(np.float32)
        terms = {int(term): 1.0 for term in random.integers(0, 40, 6)}
        unit = dense / np.linalg.norm(dense)
        points.append(point(f"c_{version}_{n}", dense=unit, sparse=terms, version=version))
    return points


@pytest.fixture(params=["edge", "facade", "server"])
async def stores(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[VectorStores]:
    if request.param == "edge":
        embedded = EdgeVectorStores(folder / "vectors")
        yield embedded
        await embedded.close()
        return
    if request.param == "facade":
        facade = QdrantFacade(folder / "facade", api_key=FACADE_KEY)
        await facade.start()
        remote = ServerVectorStores(facade.url, FACADE_KEY)
        yield remote
        await remote.close()
        await facade.stop()
        return
    url = os.environ.get("MASIS_QDRANT_URL", "")
    if not url:
        pytest.skip("MASIS_QDRANT_URL names no server")
    prefix = f"masis-test-{uuid.uuid4().hex[:8]}"
    real = ServerVectorStores(url, os.environ.get("MASIS_QDRANT_API_KEY", ""), prefix=prefix)
    yield real
    for collection in await real._collections():
        await real._server.client.delete_collection(collection)
    await real.close()


@pytest.fixture
def mine() -> WorkspaceId:
    return WorkspaceId(opaque_id("w", "mine"))


@pytest.fixture
def theirs() -> WorkspaceId:
    return WorkspaceId(opaque_id("w", "theirs"))


@pytest.fixture
async def store(stores: VectorStores, mine: WorkspaceId) -> VectorStore:
    return await stores.open(mine, profile())


# --- search --------------------------------------------------------------------------------


async def test_an_empty_store_finds_nothing(store: VectorStore) -> None:
    assert await store.search(axis(0), {1: 1.0}, limit=10) == []
    assert await store.count() == 0


async def test_dense_search_orders_by_exact_cosine(store: VectorStore) -> None:
    """Dense search orders by cosine and gives it exactly."""
    await store.upsert(
        [
            point("c_far", dense=axis(1, other=0, share=0.2)),
            point("c_near", dense=axis(1, other=0, share=0.9)),
            point("c_same", dense=axis(0)),
        ]
    )
    hits = await store.search(axis(0), {}, limit=10)
    assert [hit.chunk_id for hit in hits] == ["c_same", "c_near", "c_far"]
    assert [hit.cosine for hit in hits] == pytest.approx([1.0, 0.9, 0.2], abs=1e-6)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_query_length_leaves_cosine_unchanged(store: VectorStore) -> None:
    """A long query vector does not change the cosine."""
    await store.upsert([point("c_near", dense=axis(1, other=0, share=0.9))])
    [hit] = await store.search(7 * axis(0), {}, limit=10)
    assert hit.cosine == pytest.approx(0.9, abs=1e-6)


async def test_lexical_search_prefers_rare_terms(store: VectorStore) -> None:
    await store.upsert(
        [
            *(point(f"c_common_{n}", sparse={1: 1.0}) for n in range(5)),
            point("c_rare", sparse={2: 1.0}),
            point("c_unrelated", sparse={3: 1.0}),
        ]
    )
    hits = await store.search(None, {1: 1.0, 2: 1.0}, limit=10)
    assert hits[0].chunk_id == "c_rare"
    assert len(hits) == 6
    assert {hit.cosine for hit in hits} == {0.0}


async def test_lexical_search_prefers_heavier_terms(store: VectorStore) -> None:
    largest = 2**32 - 1
    await store.upsert(
        [point("c_light", sparse={largest: 0.5}), point("c_heavy", sparse={largest: 2.0})]
    )
    hits = await store.search(None, {largest: 1.0}, limit=10)
    assert [hit.chunk_id for hit in hits] == ["c_heavy", "c_light"]


async def test_hybrid_search_prefers_common_hit(store: VectorStore) -> None:
    """Hybrid search puts first what both branches like."""
    await store.upsert(
        [
            point("c_both", dense=axis(1, other=0, share=0.8), sparse={1: 1.0}),
            point("c_dense", dense=axis(1, other=0, share=0.8), sparse={2: 1.0}),
            point("c_sparse", dense=axis(2), sparse={1: 1.0}),
            *(point(f"c_noise_{n}", dense=axis(3 + n), sparse={9: 1.0}) for n in range(4)),
        ]
    )
    hits = await store.search(axis(0), {1: 1.0}, limit=3)
    assert hits[0].chunk_id == "c_both"
    assert {hit.chunk_id for hit in hits} == {"c_both", "c_dense", "c_sparse"}
    cosines = {hit.chunk_id: hit.cosine for hit in hits}
    assert cosines == pytest.approx({"c_both": 0.8, "c_dense": 0.8, "c_sparse": 0.0}, abs=1e-6)


async def test_every_hit_has_exact_cosine(
    store: VectorStore,
) -> None:
    """Every hit has its exact cosine whichever branch found it."""
    points = some_points(150)
    await store.upsert(points)
    query = axis(0, other=3, share=0.4)
    hits = await store.search(query, dict.fromkeys(range(10), 1.0), limit=120)
    expected = {p.chunk_id: float(p.dense @ query) for p in points if p.dense is not None}
    assert len(hits) == 120
    assert {hit.chunk_id: hit.cosine for hit in hits} == pytest.approx(
        {hit.chunk_id: expected[hit.chunk_id] for hit in hits}, abs=1e-5
    )


async def test_hits_respect_the_limit(store: VectorStore) -> None:
    """No more than the limit is given."""
    await store.upsert(some_points(30))
    assert len(await store.search(axis(0), {1: 1.0}, limit=7)) == 7


async def test_points_without_vector_match_terms(store: VectorStore) -> None:
    """Points without a vector are found by their terms."""
    await store.upsert([point("c_terms", sparse={1: 1.0}), point("c_vector", dense=axis(0))])
    hits = await store.search(axis(0), {1: 1.0}, limit=10)
    assert {hit.chunk_id: hit.cosine for hit in hits} == {"c_terms": 0.0, "c_vector": 1.0}


async def test_empty_query_finds_nothing(store: VectorStore) -> None:
    """A question without terms or vector finds nothing."""
    await store.upsert(some_points(3))
    assert await store.search(None, {}, limit=10) == []


async def test_hidden_versions_are_never_found(store: VectorStore) -> None:
    """Hidden versions are left out of every branch."""
    await store.upsert(some_points(5, version="v_old"))
    await store.upsert(some_points(5, version="v_new", seed=1))
    terms = dict.fromkeys(range(40), 1.0)
    for dense in (axis(0), None):
        hits = await store.search(dense, terms, limit=20, hidden=["v_old", "v_gone"])
        assert {hit.version_id for hit in hits} == {"v_new"}
    assert len(await store.search(axis(0), terms, limit=20)) == 10


async def test_hidden_versions_leave_scores_unchanged(store: VectorStore) -> None:
    """Hidden versions do not change the scores of the others."""
    await store.upsert(some_points(20, version="v_new", seed=1))
    terms = dict.fromkeys(range(10), 1.0)
    before = await store.search(axis(0), terms, limit=20)
    await store.upsert(some_points(20, version="v_old"))
    after = await store.search(axis(0), terms, limit=20, hidden={"v_old"})
    scores = {hit.chunk_id: hit.score for hit in before}
    assert {hit.chunk_id: hit.score for hit in after} == pytest.approx(scores, abs=1e-5)


async def test_replaced_points_leave_term_weights(store: VectorStore) -> None:
    """What was replaced or deleted makes no term more common."""
    kept = some_points(20, version="v_new", seed=1)
    await store.upsert(kept)
    terms = dict.fromkeys(range(10), 1.0)
    before = await store.search(axis(0), terms, limit=20)
    await store.upsert(some_points(20, version="v_old"))
    await store.delete_version("v_old")
    for _ in range(2):
        await store.upsert(kept)
    after = await store.search(axis(0), terms, limit=20)
    scores = {hit.chunk_id: hit.score for hit in before}
    assert {hit.chunk_id: hit.score for hit in after} == pytest.approx(scores, abs=1e-5)


# --- filters -------------------------------------------------------------------------------


def a_shelf() -> list[Point]:
    """Three documents; of each the chunk 0 stands under (1, 2), chunk 1 under (2, 3)."""
    return [
        point(
            f"c_{document}_{position}",
            dense=axis(position, other=3, share=0.5),
            sparse={1: 1.0, 7: 1.0},
            document=f"d_{document}",
            version=f"v_{document}",
            section=section,
        )
        for document in ("a", "b", "c")
        for position, section in enumerate([(1, 2), (2, 3)])
    ]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(documents=frozenset({"d_b"})), {"c_b_0", "c_b_1"}),
        (Scope(documents=frozenset({"d_a", "d_c"})), {"c_a_0", "c_a_1", "c_c_0", "c_c_1"}),
        (Scope(sections=((1,),)), {"c_a_0", "c_b_0", "c_c_0"}),
        (Scope(sections=((2, 3),)), {"c_a_1", "c_b_1", "c_c_1"}),
        (Scope(documents=frozenset({"d_a"}), sections=((1, 2), (3,))), {"c_a_0", "c_a_1"}),
        (Scope(documents=frozenset({"d_a"}), sections=((1, 3),)), set()),
        (Scope(documents=frozenset({"d_gone"})), set()),
        (Scope(), {f"c_{document}_{position}" for document in "abc" for position in (0, 1)}),
    ],
    ids=["a document", "two", "section", "all terms", "any section", "none", "unknown", "open"],
)
async def test_scope_restricts_every_branch(
    store: VectorStore, scope: Scope, expected: set[str]
) -> None:
    """Only points within the scope are found in every branch."""
    await store.upsert(a_shelf())
    branches: list[tuple[NDArray[np.float32] | None, SparseVector]] = [
        (axis(3), {7: 1.0}),
        (axis(3), {}),
        (None, {7: 1.0}),
    ]
    for dense, sparse in branches:
        hits = await store.search(dense, sparse, limit=20, within=scope)
        assert {hit.chunk_id for hit in hits} == expected


async def test_scope_reaches_low_ranked_points(store: VectorStore) -> None:
    """Filtered before the branches are cut to their hundred, not after."""
    await store.upsert(some_points(150))
    await store.upsert([point("c_far", dense=-axis(0), sparse={999: 1.0}, document="d_far")])
    only = Scope(documents=frozenset({"d_far"}))
    [hit] = await store.search(axis(0), dict.fromkeys(range(40), 1.0), limit=10, within=only)
    assert hit.chunk_id == "c_far"


async def test_scope_excludes_hidden_versions(store: VectorStore) -> None:
    """A scope shows no version that is hidden."""
    await store.upsert(a_shelf())
    hits = await store.search(
        axis(3), {7: 1.0}, limit=20, hidden=["v_a"], within=Scope(sections=((1,),))
    )
    assert {hit.chunk_id for hit in hits} == {"c_b_0", "c_c_0"}


async def test_scope_keeps_workspace_term_weights(store: VectorStore) -> None:
    """Term 1 is the rarer one of the two in the workspace, and the commoner one in the scope."""
    await store.upsert(
        [
            *(point(f"c_other_{n}", sparse={2: 1.0}) for n in range(9)),
            *(point(f"c_one_{n}", sparse={1: 1.0}, document="d_in") for n in range(3)),
            point("c_two", sparse={2: 1.0}, document="d_in"),
        ]
    )
    hits = await store.search(
        None, {1: 1.0, 2: 1.0}, limit=4, within=Scope(documents=frozenset({"d_in"}))
    )
    assert [hit.chunk_id for hit in hits][-1] == "c_two"


async def test_scope_stays_within_its_workspace(
    stores: VectorStores, mine: WorkspaceId, theirs: WorkspaceId
) -> None:
    """A scope of the same documents does not reach another workspace."""
    my_store, their_store = await stores.open(mine, profile()), await stores.open(theirs, profile())
    await my_store.upsert([point("c_secret", dense=axis(0), sparse={1: 1.0}, section=(5,))])
    await their_store.upsert([point("c_theirs", dense=axis(0), sparse={1: 1.0}, section=(5,))])
    scope = Scope(documents=frozenset({"d_one"}), sections=((5,),))
    [hit] = await their_store.search(axis(0), {1: 1.0}, limit=10, within=scope)
    assert hit.chunk_id == "c_theirs"


# --- writing -------------------------------------------------------------------------------


async def test_the_same_chunk_replaces(store: VectorStore) -> None:
    await store.upsert([point("c_one", dense=axis(0), sparse={1: 1.0}, version="v_one")])
    await store.upsert([point("c_one", dense=axis(1), sparse={2: 1.0}, version="v_two")])
    assert await store.count() == 1
    assert await store.search(None, {1: 1.0}, limit=10) == []
    [hit] = await store.search(axis(1), {2: 1.0}, limit=10)
    assert (hit.chunk_id, hit.version_id, hit.cosine) == ("c_one", "v_two", 1.0)


async def test_nothing_to_write_is_fine(store: VectorStore) -> None:
    await store.upsert([])
    assert await store.count() == 0


async def test_many_points_are_written_whole(store: VectorStore) -> None:
    await store.upsert(some_points(300))
    assert await store.count() == 300


async def test_vectors_return_as_written(store: VectorStore) -> None:
    """Vectors are given back as they were written."""
    points = some_points(150)
    await store.upsert([*points, point("c_terms", sparse={1: 1.0})])
    asked = [*(each.chunk_id for each in points), "c_terms", "c_unknown"]
    found = await store.vectors(asked)
    assert found.keys() == {each.chunk_id for each in points}
    for each in points:
        assert each.dense is not None
        assert found[each.chunk_id] == pytest.approx(each.dense, abs=1e-6)
    assert await store.vectors([]) == {}
    await store.delete_version("v_one")
    assert await store.vectors(asked) == {}


async def test_lexical_store_has_no_vectors(stores: VectorStores, mine: WorkspaceId) -> None:
    """A store of terms alone has no vectors."""
    terms = await stores.open(mine, None)
    await terms.upsert([point("c_one", sparse={1: 1.0})])
    assert await terms.vectors(["c_one"]) == {}


async def test_a_version_is_deleted_alone(store: VectorStore) -> None:
    await store.upsert([*some_points(5, version="v_old"), *some_points(3, version="v_new")])
    await store.delete_version("v_old")
    assert await store.count() == 3
    hits = await store.search(axis(0), dict.fromkeys(range(40), 1.0), limit=20)
    assert {hit.version_id for hit in hits} == {"v_new"}
    await store.delete_version("v_old")
    await store.delete_version("*")
    assert await store.count() == 3


@pytest.mark.parametrize(
    "wrong",
    [
        point("c_short", dense=np.ones(3, dtype=np.float32)),
        point("c_nan", dense=np.full(DIMENSION, np.nan, dtype=np.float32)),
        point("c_table", dense=np.ones((2, DIMENSION), dtype=np.float32)),
        point("c_negative", sparse={-1: 1.0}),
        point("c_huge", sparse={2**32: 1.0}),
        point("c_infinite", sparse={1: float("inf")}),
    ],
    ids=lambda wrong: wrong.chunk_id,
)
async def test_invalid_vector_writes_nothing(store: VectorStore, wrong: Point) -> None:
    """What is no vector is refused and nothing of it is written."""
    with pytest.raises(ValueError, match=r"expected|unsigned"):
        await store.upsert([point("c_fine", dense=axis(0)), wrong])
    assert await store.count() == 0


async def test_concurrent_writers_and_searches_succeed(store: VectorStore) -> None:
    """Twenty writers and twenty searches at once."""
    await store.upsert(some_points(50, version="v_base"))

    async def write(n: int) -> None:
        await store.upsert(some_points(10, version=f"v_{n}", seed=n))

    async def search(n: int) -> int:
        hits = await store.search(axis(n % DIMENSION), {n: 1.0}, limit=10)
        return len(hits)

    *found, _ = await asyncio.gather(
        *(search(n) for n in range(20)), asyncio.gather(*(write(n) for n in range(20)))
    )
    assert found == [10] * 20
    assert await store.count() == 250


# --- tenants -------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", [None, "", "*", "%", "../w_1", "a b", ["w_1"], 7], ids=repr)
async def test_invalid_workspace_name_is_refused(stores: VectorStores, scope: Any) -> None:
    """What cannot be a workspace is refused."""
    with pytest.raises(ValueError, match="a workspace id is"):
        await stores.open(scope, profile())
    with pytest.raises(ValueError, match="a workspace id is"):
        await stores.drop(scope)


async def both(
    stores: VectorStores, mine: WorkspaceId, theirs: WorkspaceId
) -> tuple[VectorStore, VectorStore]:
    """Two workspaces with the very same chunk, document and version ids."""
    pair = await stores.open(mine, profile()), await stores.open(theirs, profile())
    for store in pair:
        await store.upsert(some_points(12))
    return pair


async def test_equal_ids_in_workspaces_stay_apart(
    stores: VectorStores, mine: WorkspaceId, theirs: WorkspaceId
) -> None:
    """Workspaces with the same ids do not meet."""
    my_store, their_store = await both(stores, mine, theirs)
    assert (my_store.workspace_id, their_store.workspace_id) == (mine, theirs)
    await my_store.upsert([point("c_secret", dense=axis(0), sparse={1: 1.0})])
    assert (await my_store.count(), await their_store.count()) == (13, 12)
    hits = await their_store.search(axis(0), {1: 1.0}, limit=50)
    assert len(hits) == 12
    assert "c_secret" not in {hit.chunk_id for hit in hits}
    await my_store.delete_version("v_one")
    assert (await my_store.count(), await their_store.count()) == (0, 12)


async def test_other_workspace_lacks_the_vector(
    stores: VectorStores, mine: WorkspaceId, theirs: WorkspaceId
) -> None:
    """Another workspace has no vector of the same chunk."""
    my_store, their_store = await stores.open(mine, profile()), await stores.open(theirs, profile())
    await my_store.upsert([point("c_same", dense=axis(0))])
    assert await their_store.vectors(["c_same"]) == {}
    await their_store.upsert([point("c_same", dense=axis(1))])
    assert (await my_store.vectors(["c_same"]))["c_same"] == pytest.approx(axis(0), abs=1e-6)


async def test_other_workspace_leaves_scores_unchanged(
    stores: VectorStores, mine: WorkspaceId, theirs: WorkspaceId
) -> None:
    """What others wrote does not move my scores."""
    my_store = await stores.open(mine, profile())
    await my_store.upsert(some_points(12))
    terms = dict.fromkeys(range(10), 1.0)
    before = await my_store.search(axis(0), terms, limit=12)
    their_store = await stores.open(theirs, profile())
    await their_store.upsert([point(f"c_{n}", sparse={1: 1.0}) for n in range(40)])
    after = await my_store.search(axis(0), terms, limit=12)
    assert [hit.chunk_id for hit in after] == [hit.chunk_id for hit in before]
    assert [h.score for h in after] == pytest.approx([h.score for h in before], abs=1e-5)


async def test_a_dropped_workspace_is_gone_alone(
    stores: VectorStores, mine: WorkspaceId, theirs: WorkspaceId
) -> None:
    _, their_store = await both(stores, mine, theirs)
    await stores.drop(mine)
    assert await their_store.count() == 12
    again = await stores.open(mine, profile())
    assert await again.count() == 0


async def test_dropping_unknown_workspace_succeeds(stores: VectorStores, mine: WorkspaceId) -> None:
    """Dropping a workspace that never was is fine."""
    await stores.drop(mine)


# --- profiles ------------------------------------------------------------------------------


async def test_store_is_opened_once_and_shared(stores: VectorStores, mine: WorkspaceId) -> None:
    """A store is opened once and shared."""
    first, second = await asyncio.gather(stores.open(mine, profile()), stores.open(mine, profile()))
    assert first is second


async def test_other_profile_is_refused_with_advice(
    stores: VectorStores, mine: WorkspaceId
) -> None:
    """Vectors of another profile are refused with what to do."""
    store = await stores.open(mine, profile("minilm"))
    await store.upsert(some_points(2))
    for other in (profile("e5"), profile("minilm", dimension=16)):
        with pytest.raises(ProfileMismatch, match=r"minilm.*ingest\s+them again"):
            await stores.open(mine, other)
    assert await store.count() == 2


async def test_an_empty_store_takes_another_profile(
    stores: VectorStores, mine: WorkspaceId
) -> None:
    await stores.open(mine, profile("minilm"))
    store = await stores.open(mine, profile("big", dimension=16))
    await store.upsert([point("c_one", dense=np.ones(16, dtype=np.float32))])
    assert await store.count() == 1


async def test_new_store_without_profile_is_lexical(
    stores: VectorStores, mine: WorkspaceId
) -> None:
    """Without a profile a new store holds terms alone."""
    store = await stores.open(mine, None)
    await store.upsert([point("c_one", sparse={1: 1.0})])
    [hit] = await store.search(axis(0), {1: 1.0}, limit=10)
    assert (hit.chunk_id, hit.cosine) == ("c_one", 0.0)
    assert await store.search(axis(0), {}, limit=10) == []
    with pytest.raises(ValueError, match="without an embedder"):
        await store.upsert([point("c_two", dense=axis(0))])
    with pytest.raises(ProfileMismatch):
        await stores.open(mine, profile())


async def test_existing_store_is_searched_lexically(
    stores: VectorStores, mine: WorkspaceId
) -> None:
    """Without a profile an existing store is searched by terms."""
    store = await stores.open(mine, profile())
    await store.upsert([point("c_one", dense=axis(0), sparse={1: 1.0})])
    lexical = await stores.open(mine, None)
    [hit] = await lexical.search(None, {1: 1.0}, limit=10)
    assert hit.chunk_id == "c_one"


async def test_reopened_store_keeps_its_points(stores: VectorStores, mine: WorkspaceId) -> None:
    """A reopened store has what was written."""
    store = await stores.open(mine, profile())
    points: Sequence[Point] = some_points(20)
    await store.upsert(points)
    before = await store.search(axis(0), {1: 1.0}, limit=20)
    await store.close()
    again = await stores.open(mine, profile())
    assert await again.count() == 20
    assert await again.search(axis(0), {1: 1.0}, limit=20) == before
