from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bot.compose import App, compose
from bot.settings import Settings, load
from masis.adapters import multilingual_e5
from masis.adapters.minilm import MiniLMEmbedder
from masis.adapters.multilingual_e5 import MultilingualE5Embedder
from masis.domain import Workspace, workspace_id
from masis.errors import (
    CallNotPermitted,
    EmbeddingError,
    InvalidSettings,
    ProfileMismatch,
    StoreUnavailable,
    UnknownWorkspace,
)
from masis.models.embedding import Calibrated, ServedEmbedder
from masis.models.reranking import ServedReranker
from masis.ports import Vectors
from masis.spending import Payer, paid_by
from storage.models.ledger import SqlLedger
from storage.vectors.embedded_store import EdgeVectorStores
from storage.vectors.qdrant_store import ServerVectorStores
from tests.rerank_server import RerankServer
from tests.spans import recorded

SERVICE = {"MASIS_MODEL_BASE_URL": "http://127.0.0.1:9/v1"}


@pytest.fixture
def settings(data_dir: Path) -> Settings:
    return load(data_dir=data_dir)


def chosen(data_dir: Path, **environment: str) -> Settings:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        return load(data_dir=data_dir)


async def test_defaults_are_local(settings: Settings, data_dir: Path) -> None:
    """By default everything is local and in one folder."""
    async with compose(settings) as app:
        assert isinstance(app.stores, EdgeVectorStores)
        assert isinstance(app.embedder, MiniLMEmbedder)
        assert app.chat is None
        assert app.context.agents.extractive
        assert app.context.policy == settings.policy()
        assert await app.repository.workspaces(app.owner) == []
    assert contents(data_dir) == ["masis.db"]


def contents(folder: Path) -> list[str]:
    """What lies in a folder that nobody else may enter."""
    assert folder.stat().st_mode & 0o077 == 0
    return [path.name for path in folder.iterdir()]


async def test_model_service_enables_writing_agents(data_dir: Path) -> None:
    """A model service brings agents that write."""
    settings = chosen(data_dir, **SERVICE)
    async with compose(settings) as app:
        assert app.chat is not None
        assert not app.context.agents.extractive


async def test_embedding_model_selects_the_service(data_dir: Path) -> None:
    """An embedding service is used where its model is named."""
    settings = chosen(data_dir, MASIS_EMBEDDING_MODEL="text-embedding-ada-002", **SERVICE)
    async with compose(settings) as app:
        assert isinstance(app.embedder, ServedEmbedder)
        assert app.embedder.profile.dimension == 1536
    unknown = chosen(data_dir, MASIS_EMBEDDING_MODEL="my-own", **SERVICE)
    async with compose(unknown) as app:
        with pytest.raises(InvalidSettings, match="MASIS_EMBEDDING_DIMENSION"):
            _ = app.embedder


@pytest.mark.skipif(not multilingual_e5.available(), reason="masis[multilingual] is not installed")
async def test_the_multilingual_embedder_also_reads_sentences(data_dir: Path) -> None:
    async with compose(chosen(data_dir, MASIS_EMBEDDER="multilingual")) as app:
        assert isinstance(app.embedder, MultilingualE5Embedder)
        assert app.sentences is not None
        embedder = app.embedder
    with pytest.raises(EmbeddingError, match="closed"):
        await embedder.embed(["Urlaub"])


async def test_missing_multilingual_embedder_is_explained(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The multilingual embedder says where it is not installed."""
    monkeypatch.setattr(multilingual_e5, "PACKAGE", "no_such_package_here")
    async with compose(chosen(data_dir, MASIS_EMBEDDER="multilingual")) as app:
        with pytest.raises(InvalidSettings, match=r"pip install 'masis\[multilingual\]'"):
            _ = app.embedder


async def test_search_uses_keywords_without_embedder(data_dir: Path) -> None:
    """Without an embedder search is by words."""
    async with compose(chosen(data_dir, MASIS_EMBEDDER="none")) as app:
        assert app.embedder is None


async def test_configured_qdrant_server_is_used(data_dir: Path) -> None:
    """A qdrant server is used where one is set."""
    async with compose(chosen(data_dir, QDRANT_HOST="127.0.0.1", QDRANT_PORT="9")) as app:
        assert isinstance(app.stores, ServerVectorStores)


async def test_own_calibration_changes_relevance(data_dir: Path) -> None:
    """A calibration of ones own changes what a cosine means."""
    settings = chosen(data_dir, MASIS_EMBEDDING_CALIBRATION="0:0 0.5:1")
    async with compose(settings) as app:
        assert isinstance(app.embedder, Calibrated)
        assert app.embedder.profile.relevance(0.25) == 0.5
        assert app.embedder.profile.id == MiniLMEmbedder().profile.id
        assert (await app.embedder.embed(["a", "b"])).shape == (2, 384)


async def test_parts_are_built_once(settings: Settings) -> None:
    async with compose(settings) as app:
        assert app.ingest is app.ingest
        assert app.retrieval is app.context.agents.researcher
        assert app.assistant is app.assistant


async def test_deletion_clears_the_shared_cache(
    settings: Settings,
) -> None:
    """What is deleted leaves the memory that search and agents share."""
    async with compose(settings) as app:
        assert app.sentences is not None
        handbook = await app.repository.create_workspace(app.owner, "handbook")
        await app.ingest.ingest(handbook, "leave.md", b"# Leave\n\nAnnual leave is 26 days.")
        await app.retrieval.search(handbook.id, "How long is annual leave?", limit=10)
        assert len(app.sentences._cache) > 1
        await app.ingest.delete(handbook, "leave.md")
        assert len(app.sentences._cache) == 0


async def test_service_embeddings_cache_only_questions(data_dir: Path) -> None:
    """Of an embedding service questions alone are remembered."""
    settings = chosen(data_dir, MASIS_EMBEDDING_MODEL="text-embedding-ada-002", **SERVICE)
    async with compose(settings) as app:
        assert app.sentences is None
        vector = np.ones(1536, dtype=np.float32)
        asked: list[Sequence[str]] = []

        async def embed(texts: Sequence[str], kind: str = "document") -> Vectors:
            assert kind == "query" or "Leave" in texts[0]
            asked.append(texts)
            return np.stack([vector] * len(texts))

        assert app.embedder is not None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(app.embedder, "embed", embed)
            handbook = await app.repository.create_workspace(app.owner, "handbook")
            await app.ingest.ingest(handbook, "leave.md", b"# Leave\n\nIt is 28 days.")
            for _ in range(2):
                await app.retrieval.search(handbook.id, "How long is leave?", limit=10)
        assert [len(texts) for texts in asked] == [1, 1]


async def test_unknown_workspace_suggests_alternatives(
    settings: Settings,
) -> None:
    """An unknown workspace is told with the nearest the others or the way."""
    async with compose(settings) as app:
        assert "Make one with `masis ingest" in await refusal(app, "handbook")
        made = await app.repository.create_workspace(app.owner, "handbook")
        await app.repository.create_workspace("somebody-else", "hanbook")
        assert await app.workspace("handbook") == made
        assert "Did you mean “handbook”?" in await refusal(app, "hanbook")
        assert "There are: handbook." in await refusal(app, "zzz")


async def refusal(app: App, name: str) -> str:
    with pytest.raises(UnknownWorkspace) as caught:
        await app.workspace(name)
    return str(caught.value)


async def test_embedder_mismatch_is_noticed_first(
    settings: Settings,
) -> None:
    """Vectors of another embedder are noticed before anything is asked."""
    other = Workspace(
        id=workspace_id("w1"), owner="local", name="w", embedding_profile="other/3/1", chunks=4
    )
    async with compose(settings) as app:
        with pytest.raises(ProfileMismatch, match="other/3/1"):
            app.check_profile(other)
        app.check_profile(other.model_copy(update={"chunks": 0}))
        app.check_profile(other.model_copy(update={"embedding_profile": None}))
        bound = MiniLMEmbedder().profile.id
        app.check_profile(other.model_copy(update={"embedding_profile": bound}))


async def test_uncreatable_data_folder_is_reported(tmp_path: Path) -> None:
    """A data folder that cannot be made is told."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailable, match="MASIS_DATA_DIR"):
        async with compose(load(data_dir=tmp_path / "file" / "data")):
            pass


async def test_configured_reranker_receives_no_model_key(
    data_dir: Path,
) -> None:
    """A reranker is used where it is set and never handed the key of the models."""
    address = "http://127.0.0.1:9/v1"
    named = {"MASIS_RERANK_MODEL": "rerank-v1", "MASIS_RERANK_BASE_URL": address}
    settings = chosen(data_dir, OPENAI_API_KEY="sk-invented", **named)
    assert settings.key("rerank").get_secret_value() == ""
    async with compose(settings) as app:
        assert isinstance(app.retrieval._reranker, ServedReranker)
    async with compose(chosen(data_dir)) as app:
        assert app.retrieval._reranker is None
    for name, value in named.items():
        with pytest.raises(InvalidSettings, match="MASIS_RERANK_"):
            chosen(data_dir, **{name: value})


async def test_reranker_calls_are_limited_and_traced(
    data_dir: Path,
) -> None:
    """Calls of a reranker are limited for all processes counted and traced."""
    async with RerankServer() as server:
        settings = chosen(
            data_dir,
            MASIS_RERANK_MODEL="rerank-v1",
            MASIS_RERANK_BASE_URL=server.url,
            MASIS_RERANK_CALLS_PER_MINUTE="1",
        )
        async with compose(settings) as app, compose(settings) as other:
            place = await app.repository.create_workspace(app.owner, "handbook")
            first, second = app.retrieval._reranker, other.retrieval._reranker
            assert first is not None
            assert second is not None
            with recorded() as spans, paid_by(Payer(workspace_id=place.id)):
                assert await first.scores("a salary", ["the salary", "the stairs"]) == [0.1, 0.0]
                with pytest.raises(CallNotPermitted, match="MASIS_RERANK_CALLS_PER_MINUTE"):
                    await second.scores("a salary", ["the salary"])
            assert (await SqlLedger(other.database).spent(place.id)).tokens == 42
    assert len(server.asked) == 1
    [found] = spans.named("rerank")
    assert found.attributes is not None
    assert found.attributes["gen_ai.request.model"] == "rerank-v1"
    assert found.attributes["gen_ai.usage.input_tokens"] == 42
    assert found.attributes["masis.texts"] == 2
    assert "salary" not in spans.text()
