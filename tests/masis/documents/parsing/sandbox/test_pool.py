import asyncio
import ctypes
import errno
import mmap
import os
import platform
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import masis
from masis.documents.parsing import document_limits, refusals
from masis.documents.parsing.sandbox import pipe
from masis.documents.parsing.sandbox.pool import ParserPool
from masis.documents.parsing.sandbox.reading_clock import ReadingClock
from masis.domain import Block
from masis.errors import DocumentRefused

# A child that does what the file's first word says, with the real limits and the real messages.
SCRIPTED = """
import ctypes, os, socket, subprocess, sys, time
from masis.documents.parsing.sandbox import child, pipe
from masis.domain import Block, ParsedDocument
inbox, outbox = child.private_pipes()
child.limit_resources()
child.forbid_side_effects()
files = 0
while (request := pipe.read_request(inbox)) is not None:
    files += 1
    word = request[1].decode()
    text = f"{os.getpid()} {files}"
    if word == "sleep":
        time.sleep(60)
    if word == "crash" or (word == "crash unless first" and files > 1):
        os.abort()
    if word == "garbage":
        pipe.write_reply(outbox, pipe.DOCUMENT, b"{}")
        continue
    if word == "all at once":
        parsed = ParsedDocument(format="txt", title="t", blocks=[Block(kind="code", text="x")])
        pipe.write_reply(outbox, pipe.DOCUMENT, parsed.model_dump_json().encode())
        continue
    if word == "portions":
        for _ in range(pipe.MOST_PORTIONS + 1):
            pipe.write_reply(outbox, pipe.BLOCKS, b"[]")
    if word == "portion":
        block = b'{"kind": "code", "text": "x"},'
        pipe.write_reply(outbox, pipe.BLOCKS, b"[" + (block * 501)[:-1] + b"]")
    if word == "boast":
        outbox.write(b"D" + b"\\xff" * 4)
        outbox.flush()
        continue
    try:
        if word == "allocate":
            bytearray(2 * 1024**3)
        if word == "connect":
            socket.create_connection(("127.0.0.1", 9))
        if word == "start":
            subprocess.run(["true"])
        if word == "write":
            open("/tmp/never-written", "w")
        if word.startswith("native"):
            libc, name = ctypes.CDLL(None, use_errno=True), word.split()[1]
            call = {
                "connect": lambda: libc.socket(2, 1, 0),
                "start": lambda: libc.execv(b"/bin/true", None),
                "write": lambda: libc.open(b"/tmp/never-written", os.O_WRONLY | os.O_CREAT, 0o600),
                "signal": lambda: libc.kill(os.getppid(), 0),
                "remove": lambda: libc.unlink(b"/tmp/never-written"),
            }[name]
            text = f"{call()} {ctypes.get_errno()}"
        if word.startswith("pages"):
            for _ in range(int(word.split()[1])):
                pipe.write_reply(outbox, pipe.RECOGNISED, b"")
        if word == "grow":
            kept = bytearray(50_000_000)
            kept[::4096] = b"x" * len(kept[::4096])
        if word == "environment":
            text = " ".join(sorted(os.environ))
        if word.startswith("read "):
            with open(word.split()[1].replace("PARENT", str(os.getppid())), "rb") as file:
                text = f"{len(file.read(1))} byte"
        if word == "print":
            print("into nowhere", flush=True)
    except (PermissionError, MemoryError) as error:
        text = type(error).__name__
    parsed = ParsedDocument(format="txt", title="t", blocks=[Block(kind="paragraph", text=text)])
    if word.startswith("blocks"):
        parsed = parsed.model_copy(update={"blocks": parsed.blocks * int(word.split()[1])})
    pipe.write_document(outbox, parsed)
"""


@pytest.fixture
async def pool() -> AsyncIterator[ParserPool]:
    async with ParserPool() as made:
        yield made


@pytest.fixture
async def scripted() -> AsyncIterator[ParserPool]:
    async with ParserPool(seconds=5, command=(sys.executable, "-c", SCRIPTED)) as made:
        yield made


async def said(pool: ParserPool, word: str) -> str:
    return (await pool.parse("a.txt", word.encode())).blocks[0].text


def scripted_bytes(answer: str) -> int:
    """What the child that gave this answer holds in memory."""
    pages = (
        Path(f"/proc/{answer.split(maxsplit=1)[0]}/statm").read_text(encoding="ascii").split()[1]
    )
    return int(pages) * mmap.PAGESIZE


async def refused(pool: ParserPool, content: bytes, name: str = "a.txt") -> str:
    with pytest.raises(DocumentRefused) as caught:
        await pool.parse(name, content)
    return str(caught.value)


async def test_document_is_parsed_in_child(pool: ParserPool) -> None:
    """A document is read in a child."""
    parsed = await pool.parse("leave.md", b"# Leave\n\nYou may carry over 240 hours.\n")
    assert (parsed.format, parsed.title) == ("md", "Leave")


async def test_refusing_child_goes_on(pool: ParserPool) -> None:
    """The child says why it refuses and goes on."""
    assert await refused(pool, b"GIF89a....") == refusals.IMAGE_KIND
    [child] = pool._idle
    assert await refused(pool, b"PK\x03\x04") == refusals.BROKEN_ZIP
    assert (await pool.parse("a.txt", b"hello there")).blocks[0].text == "hello there"
    assert pool._idle == [child]
    assert child.files == 3


async def test_empty_and_huge_files_skip_children(pool: ParserPool) -> None:
    """Empty and huge files need no child."""
    assert await refused(pool, b"") == refusals.EMPTY
    assert await refused(pool, bytes(document_limits.FILE_BYTES + 1)) == refusals.TOO_BIG
    assert refusals.TOO_BIG == "The file is larger than 25 MB."
    assert "more than 100 MB" in refusals.UNPACKS_TOO_BIG
    assert pool._idle == []


async def test_a_child_reads_many_files(scripted: ParserPool) -> None:
    answers = [await said(scripted, "hello") for _ in range(3)]
    assert len({answer.split()[0] for answer in answers}) == 1
    assert [answer.split()[1] for answer in answers] == ["1", "2", "3"]


async def test_child_has_a_file_limit(
    scripted: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child is replaced after its number of files."""
    monkeypatch.setattr(document_limits, "FILES_PER_CHILD", 2)
    answers = [await said(scripted, "hello") for _ in range(3)]
    assert [answer.split()[1] for answer in answers] == ["1", "2", "1"]


async def test_slow_file_replaces_its_child() -> None:
    """A file that takes too long is refused and its child replaced."""
    async with ParserPool(seconds=0.1, command=(sys.executable, "-c", SCRIPTED)) as pool:
        assert await refused(pool, b"sleep") == refusals.TOO_SLOW
        assert pool._idle == []
        assert pool._busy == set()


async def test_crash_refuses_only_its_file(scripted: ParserPool) -> None:
    """A crash is a refusal and the next file is read."""
    assert await refused(scripted, b"crash") == refusals.CRASHED
    assert (await said(scripted, "hello")).endswith(" 1")


async def test_failed_used_child_is_retried_fresh(
    scripted: ParserPool,
) -> None:
    """A used child that fails is given a second chance afresh."""
    await said(scripted, "hello")
    assert (await said(scripted, "crash unless first")).endswith(" 1")


@pytest.mark.parametrize("word", ["garbage", "boast", "all at once", "portion", "portions"])
async def test_invalid_reply_counts_as_crash(scripted: ParserPool, word: str) -> None:
    """A reply that is no document is a crash."""
    assert await refused(scripted, word.encode()) == refusals.CRASHED


async def test_a_long_document_comes_in_portions(
    scripted: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No step of reading a reply is longer than a portion, however many blocks there are."""
    steps: list[int] = []
    read = pipe.read_portion

    def counted(body: bytes) -> list[Block]:
        steps.append(len(portion := read(body)))
        return portion

    monkeypatch.setattr(pipe, "read_portion", counted)
    blocks = (await scripted.parse("a.txt", b"blocks 1201")).blocks

    assert len(blocks) == 1201
    assert len({id(block.place) for block in blocks}) == 1
    assert steps == [document_limits.BLOCKS_AT_ONCE, document_limits.BLOCKS_AT_ONCE, 201]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
async def test_child_memory_is_limited(scripted: ParserPool) -> None:
    """A child cannot take more than its memory."""
    assert await said(scripted, "allocate") == "MemoryError"


@pytest.mark.parametrize("word", ["connect", "start", "write"])
async def test_child_has_no_network_or_files(scripted: ParserPool, word: str) -> None:
    """A child has no network no processes and no files."""
    assert await said(scripted, word) == "PermissionError"


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() not in {"x86_64", "aarch64"},
    reason="the kernel's filter is for Linux on these machines",
)
@pytest.mark.parametrize("call", ["connect", "start", "write", "signal", "remove"])
async def test_native_code_is_sandboxed_too(scripted: ParserPool, call: str) -> None:
    """Native code in a child has none of them either."""
    assert await said(scripted, f"native {call}") == f"-1 {errno.EPERM}"


def has_landlock() -> bool:
    """Whether the kernel knows Landlock: asked for its version, which begins at 1."""
    return sys.platform == "linux" and bool(ctypes.CDLL(None).syscall(444, None, 0, 1) > 0)


@pytest.mark.skipif(not has_landlock(), reason="the kernel has no Landlock")
async def test_child_reads_only_program_files(scripted: ParserPool, tmp_path: Path) -> None:
    """A child reads no file but the programs own."""
    settings = tmp_path / ".env"
    settings.write_text("MASIS_MODEL_API_KEY=sk-invented", encoding="utf-8")
    readme = Path(masis.__file__).parents[1] / "README.md"
    for file in (settings, "/etc/passwd", "/proc/PARENT/environ", readme):
        assert await said(scripted, f"read {file}") == "PermissionError", file
    assert await said(scripted, f"read {masis.__file__}") == "1 byte"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process keeps")
async def test_child_keeping_memory_is_replaced(
    scripted: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that kept much memory is replaced."""
    monkeypatch.setattr(
        document_limits, "GROWN_BYTES", scripted_bytes(await said(scripted, "hello")) + 2**24
    )
    assert (await said(scripted, "hello")).endswith(" 2")
    assert (await said(scripted, "grow")).endswith(" 3")
    assert (await said(scripted, "hello")).endswith(" 1")


async def test_each_recognised_page_extends_deadline(
    scripted: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each recognised page gives time for another."""
    given: list[ReadingClock] = []
    again = ReadingClock.again

    def counted(clock: ReadingClock) -> None:
        given.append(clock)
        again(clock)

    monkeypatch.setattr(ReadingClock, "again", counted)
    assert (await said(scripted, "pages 3")).endswith(" 1")
    assert len(given) == 1 + 3


async def test_child_cannot_extend_deadline_endlessly(
    scripted: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No child gives itself time without end."""
    monkeypatch.setattr(document_limits, "RECOGNISED_PAGES", 2)
    assert await refused(scripted, b"pages 3") == refusals.CRASHED


async def test_a_child_sees_no_secrets(
    scripted: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-invented")
    assert "OPENAI_API_KEY" in os.environ
    assert "OPENAI_API_KEY" not in await said(scripted, "environment")


async def test_library_output_does_not_disturb(scripted: ParserPool) -> None:
    """What a library prints does not disturb."""
    assert (await said(scripted, "print")).endswith(" 1")
    assert (await said(scripted, "hello")).endswith(" 2")


async def test_failed_parser_start_is_refusal(tmp_path: Path) -> None:
    """A reader that does not start is a refusal."""
    async with ParserPool(command=(str(tmp_path / "missing"),)) as pool:
        assert await refused(pool, b"hello") == refusals.UNAVAILABLE


async def test_concurrent_children_are_limited() -> None:
    """No more children than allowed work at once."""
    async with ParserPool(2, command=(sys.executable, "-c", SCRIPTED)) as pool:
        answers = await asyncio.gather(*(said(pool, "hello") for _ in range(8)))
        assert len({answer.split()[0] for answer in answers}) == 2
        assert len(pool._idle) == 2


async def test_a_cancelled_reading_ends_its_child(scripted: ParserPool) -> None:
    before = threading.active_count()
    task = asyncio.create_task(said(scripted, "sleep"))
    while not scripted._busy:  # noqa: ASYNC110 - the pool tells nobody when a child starts
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (scripted._busy, scripted._idle) == (set(), [])
    assert threading.active_count() <= before + 8


async def cancelled_while_its_child_starts(pool: ParserPool) -> asyncio.Task[str]:
    task = asyncio.create_task(said(pool, "hello"))
    await asyncio.sleep(0)  # it asked for a child, and nothing has come back to the loop yet
    task.cancel()
    return task


async def test_cancelled_files_child_is_reused(
    scripted: ParserPool,
) -> None:
    """A child whose file was cancelled while it started reads the next."""
    task = await cancelled_while_its_child_starts(scripted)
    with pytest.raises(asyncio.CancelledError):
        await task
    [child] = scripted._idle
    assert await said(scripted, "hello") == f"{child._process.pid} 1"


async def test_child_starting_at_close_is_ended(
    scripted: ParserPool,
) -> None:
    """A child that starts while the pool closes is ended."""
    task = await cancelled_while_its_child_starts(scripted)
    await scripted.close()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (scripted._busy, scripted._idle) == (set(), [])


async def test_closing_ends_every_child() -> None:
    pool = ParserPool(command=(sys.executable, "-c", SCRIPTED))
    await said(pool, "hello")
    [child] = pool._idle
    reading = asyncio.create_task(refused(pool, b"sleep"))
    while not pool._busy:  # noqa: ASYNC110 - the pool tells nobody when a child starts
        await asyncio.sleep(0.01)
    await pool.close()
    assert child._process.poll() is not None
    assert await reading == refusals.CRASHED
    await pool.close()
    assert await refused(pool, b"hello") == refusals.UNAVAILABLE
    assert (pool._busy, pool._idle) == (set(), [])
