"""Files of personal chats are fetched from their hosts alone, bounded, and refused in words."""

from collections.abc import AsyncIterator

import pytest

from bot.playground.teams.connector_standin import ConnectorStandin, Fault, connecting
from bot.teams.connector.file_downloads import FileDownloads
from bot.teams.inbound.clouds import CLOUDS
from bot.teams.text import sentences
from masis.conversation import ChatFile
from masis.errors import DocumentRefused

MOST = 1_000_000
CLOUD = CLOUDS["public"].model_copy(update={"file_hosts": frozenset({"127.0.0.1"})})


@pytest.fixture
async def standin() -> AsyncIterator[ConnectorStandin]:
    async with connecting() as made:
        made.slow_seconds = 1.0
        yield made


@pytest.fixture
async def downloads() -> AsyncIterator[FileDownloads]:
    made = FileDownloads(CLOUD, max_bytes=MOST, seconds=0.3)
    yield made
    await made.close()


def kept(standin: ConnectorStandin, content: bytes = b"# Plan") -> ChatFile:
    return ChatFile(id="f1", name="plan.md", address=standin.file("plan.md", content))


async def refusal(downloads: FileDownloads, file: ChatFile) -> str:
    with pytest.raises(DocumentRefused) as caught:
        await downloads.fetch(file)
    return str(caught.value)


async def test_file_is_fetched_without_a_token(
    standin: ConnectorStandin, downloads: FileDownloads
) -> None:
    assert await downloads.fetch(kept(standin)) == b"# Plan"
    assert standin.calls == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (401, sentences.FILE_GONE),
        (404, sentences.FILE_GONE),
        (500, sentences.FILE_IN_TROUBLE),
        ("redirect", sentences.FILE_ELSEWHERE),
        ("dropped", sentences.FILE_IN_TROUBLE),
        ("slow", sentences.FILE_IN_TROUBLE),
        ("endless", "larger than 1 MB"),
    ],
)
async def test_trouble_is_told_in_words(
    standin: ConnectorStandin, downloads: FileDownloads, fault: Fault, said: str
) -> None:
    standin.fail("FILE", fault, fault)  # a broken connection is asked once more
    assert said in await refusal(downloads, kept(standin))


async def test_other_hosts_are_not_asked(
    standin: ConnectorStandin, downloads: FileDownloads
) -> None:
    foreign = kept(standin).model_copy(update={"address": "http://localhost:1/x"})
    assert await refusal(downloads, foreign) == sentences.FILE_ELSEWHERE
    assert await refusal(downloads, ChatFile(id="f1", name="p.png")) == sentences.NO_FILE
