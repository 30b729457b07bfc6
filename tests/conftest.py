"""What holds for every test: nothing of ours may block the event loop."""

import functools
import gc
import logging
import shutil
import signal
import tempfile
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NoReturn

import pytest
from blockbuster import blockbuster_ctx

from bot.slack.intake import intake
from masis.adapters import minilm, minilm_reader
from masis.graphs.registry import GRAPHS
from masis.words import english, synonyms
from storage.queue import engine
from storage.queue.engine import EngineTimes
from tests import examples, left_to_long
from tests.memory import room_in_memory

pytest_plugins = ["tests.compiled_statements", "tests.parser_children", "tests.postgres"]

TESTS: Final = Path(__file__).parent
LOADED: Final = tuple(GRAPHS)
"""The graphs, loaded before any event loop runs: a test alone would load them within its loop."""
WHOLE: Final = {"chaos", "properties", "walks"}
"""Whole conversations come by everything: what they cover says little, and counting takes half as
long again, as it does in each further case of a test."""
UNHURRIED: Final = {"long", "browser", "properties"}
"""Marks and folders of tests that may take minutes."""
TEST_SECONDS: Final = 180.0
ACCEPT_SECONDS: Final = 20.0
AT_START: Final = (
    ("storage/sql/database.py", {"open"}),
    ("storage/sql/migrations/__init__.py", {"upgrade"}),
    ("storage/durable/workflows.py", {"_launch"}),
    ("masis/adapters/openai_service.py", {"_tls"}),
    ("masis/text/sentences.py", {"_tokenizer"}),
    ("importlib/metadata/__init__.py", {"read_text"}),
    # Coverage's own, held for a moment.
    ("coverage/collector.py", {"lock_data"}),
)
"""Opening a store or a client, and the first sentence, read files: once, not with every call."""
UNIMPORTANT: Final = ("os.path.abspath", "os.stat", "os.access")
"""Microseconds on a local disk."""


examples.register()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Put every `tmp_path` in memory where there is room, unless somebody says where."""
    if config.option.basetemp is None and (memory := room_in_memory()) is not None:
        config.option.basetemp = made = tempfile.mkdtemp(dir=memory, prefix="masis-tests-")
        config.add_cleanup(lambda: shutil.rmtree(made, ignore_errors=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that waits for what never comes, instead of waiting with it."""
    if UNHURRIED & {
        *item.path.relative_to(TESTS).parts,
        *(mark.name for mark in item.iter_markers()),
    }:
        return (yield)
    before = signal.signal(signal.SIGALRM, _too_long)
    # Again and again, since an event loop may take the first one for the failure of one task.
    signal.setitimer(signal.ITIMER_REAL, TEST_SECONDS, 5.0)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _too_long(_signal: int, _frame: object) -> NoReturn:
    pytest.fail(f"It took longer than {TEST_SECONDS:.0f} s.")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without searches for garbage: nearly all that is made meanwhile stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is left to `make long`, and count coverage where it says something.

    It does in the first case of a test, and neither in whole conversations nor where Hypothesis makes
    up hundreds of cases.
    """
    left_to_long.mark(items)
    counted: set[str] = set()
    for item in items:
        folder = item.path.relative_to(TESTS).parts[0]
        name = item.nodeid.partition("[")[0]
        is_generated = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if folder in WHOLE or name in counted or is_generated:
            item.add_marker(pytest.mark.no_cover)
        counted.add(name)


def pytest_collection_finish() -> None:
    """Thousands of tests stay until the end: no search for garbage is to look at them again."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _no_blocking_calls() -> Iterator[None]:
    """A blocking call of ours on the event loop is an error; it would hold up everybody's ack.

    The command line is left out: its event loop serves one person, who waits for it anyway.
    Once for all tests: to put these in and out again takes longer than most tests.
    """
    with blockbuster_ctx(["masis", "storage"]) as watch:
        for name in UNIMPORTANT:
            watch.functions[name].deactivate()
        for function in watch.functions.values():
            for file, names in AT_START:
                function.can_block_in(file, names)
        yield


@pytest.fixture(autouse=True, scope="session")
def _the_word_lists_are_read() -> None:
    """Which test of a process is the first to read a list's file is chance."""
    english.is_english("word")
    synonyms.bundled()


@pytest.fixture(autouse=True, scope="session")
def _the_models_are_loaded_once() -> Iterator[None]:
    """Hundreds of tests open an application of their own: a model's bytes are the same in all."""
    with pytest.MonkeyPatch.context() as patch:
        for adapter in (minilm, minilm_reader):
            patch.setattr(adapter, "_load", functools.cache(adapter._load))
        yield


@pytest.fixture(autouse=True)
def _warnings_are_heard() -> None:
    """The command line sets the log level of its process, which must not outlive its test."""
    if logging.getLogger().level != logging.WARNING:
        logging.getLogger().setLevel(logging.WARNING)


@pytest.fixture(autouse=True, scope="session")
def _busy_machine() -> Iterator[None]:
    """Let a request be taken in for as long as a machine full of tests may need.

    The product gives it two seconds, since Slack waits; what comes of one that is late has
    tests of its own, where the database is made to be late.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "ACCEPT_SECONDS", ACCEPT_SECONDS)
        patch.setattr(engine, "EngineTimes", partial(EngineTimes, accept_seconds=ACCEPT_SECONDS))
        yield
