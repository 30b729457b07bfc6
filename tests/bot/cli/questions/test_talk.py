"""Conversations as they are piped in, and as somebody at a terminal has them."""

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner, Result

from bot.cli.program import app
from bot.cli.questions.terminal_thread import TERMINAL, TerminalThread
from bot.cli.session import Session
from bot.settings import load
from masis.conversation import LOCAL_TENANT
from storage.chat.requests import ChatRuns
from storage.privacy.retention import Retention
from tests.bot.cli.spoken import on
from tests.bot.program import HANDBOOK, lines, program, write
from tests.memory import copy_folder
from tests.storage.beside import occurrences

Talk = Callable[..., Result]
LEAVE: Final = "How many days of annual leave does every employee have?"
MONTHS: Final = dt.timedelta(days=31)


@pytest.fixture(scope="session")
def read_handbook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the handbook, searched by words alone; tests copy it."""
    root = tmp_path_factory.mktemp("read")
    masis = program(root / "data", MASIS_EMBEDDER="none", MASIS_PARSER_PROCESSES="1")
    result = masis("ingest", write(root / "handbook", HANDBOOK), "-w", "handbook")
    assert result.exit_code == 0, result.output
    return root / "data"


@pytest.fixture
def data_dir(read_handbook: Path, tmp_path: Path) -> Path:
    """A data folder with the handbook, which a test may write to."""
    return copy_folder(read_handbook, tmp_path / "data")


@pytest.fixture
def talk(data_dir: Path) -> Talk:
    """Pipes lines into a conversation with the handbook."""

    def piped(*said: str, options: tuple[str, ...] = ()) -> Result:
        return CliRunner().invoke(
            app,
            ["chat", "--workspace", "handbook", *options],
            input="".join(f"{line}\n" for line in said),
            env={"MASIS_DATA_DIR": str(data_dir), "MASIS_EMBEDDER": "none"},
            obj=Session(load=load),
            prog_name="masis",
            catch_exceptions=False,
        )

    return piped


def _thread(result: Result) -> str:
    return str(lines(result)[0]["thread"])


# --- piped in ------------------------------------------------------------------------------


def test_attached_file_answers_a_whole_conversation(talk: Talk, tmp_path: Path) -> None:
    """A file that comes with a conversation answers its questions, and no other conversation's."""
    parking = tmp_path / "parking.md"
    parking.write_text("# Parking\n\nA visitor's parking costs 2 euros an hour.\n")
    asked = "What does a visitor's parking cost?"

    found = lines(talk(asked, LEAVE, "thanks!", options=("--json", "--attach", str(parking))))
    assert [[each["document"] for each in line["citations"]] for line in found] == [
        ["parking.md"],
        ["leave.md"],
        [],
    ]
    (after,) = lines(talk(asked, options=("--json",)))
    assert after["status"] == "needs_clarification"


def test_each_line_is_a_turn(talk: Talk) -> None:
    """Each line is a turn, and the end says how to go on."""
    result = talk(LEAVE, "", "thanks!")
    assert result.exit_code == 0, result.output
    assert "26 days of annual leave" in result.stdout
    assert "Sources\n[1] leave.md" in result.stdout
    assert result.stdout.rstrip().endswith("You are welcome.")
    assert "> " not in result.stdout
    assert "--workspace handbook --thread " in result.stderr


def test_json_has_an_outcome_a_line(talk: Talk) -> None:
    """A program reads one outcome a line, all of one thread."""
    result = talk("hi", LEAVE, "/sources", "and sick leave?", options=("--json",))
    hello, answer, follow_up = lines(result)
    assert result.stderr == ""
    assert hello["small_talk"]
    assert hello["badge"] is None
    assert answer["status"] == "success"
    assert follow_up["understood"]
    assert "sick" in follow_up["understood"]
    assert "leave" in follow_up["understood"]
    assert len({each["thread"] for each in (hello, answer, follow_up)}) == 1


def test_follow_up_shows_how_understood(talk: Talk) -> None:
    """What a follow-up was understood as stands above its answer."""
    result = talk(LEAVE, "and sick leave?")
    assert "Understood as: " in result.stdout


def test_conversation_goes_on_later(talk: Talk) -> None:
    """An earlier conversation is gone on with by its id."""
    thread = _thread(talk(LEAVE, options=("--json",)))
    (found,) = lines(talk("and sick leave?", options=("--json", "--thread", thread)))
    assert found["thread"] == thread
    assert "leave" in found["understood"]


def test_unknown_thread_is_refused(talk: Talk) -> None:
    result = talk("hi", options=("--thread", "nowhere"))
    assert result.exit_code == 2
    assert "There is no conversation nowhere" in result.stderr


def test_new_forgets_what_was_before(talk: Talk) -> None:
    """A new conversation knows nothing of the one before."""
    first, second = lines(talk(LEAVE, "/new", "and carried over?", options=("--json",)))
    assert first["thread"] != second["thread"]
    assert second["understood"] is None


def test_wider_searches_the_question_again(talk: Talk) -> None:
    """Searching wider, as a command and in words, asks the last question again."""
    first, wider, worded = lines(talk(LEAVE, "/wider", "search wider", options=("--json",)))
    assert wider["question"] == LEAVE
    assert wider["run_id"] != first["run_id"]
    assert worded["question"] == "search wider"
    assert worded["understood"] == LEAVE


def test_wider_without_question_is_refused(talk: Talk) -> None:
    result = talk("/wider")
    assert result.exit_code == 2
    assert "Nothing was answered yet." in result.stderr


def test_sources_show_the_cited_passage(talk: Talk) -> None:
    """The cited passages stand there as they are."""
    result = talk(LEAVE, "/sources")
    assert "Up to 4 days may be carried over" in result.stdout


def test_retold_answer_is_no_question(talk: Talk) -> None:
    """Commands act on the last answer, whatever was shown of it meanwhile."""
    said = (LEAVE, "show me the source", "shorter please", "and sick leave?")
    _, source, shorter, follow_up = lines(talk(*said, options=("--json",)))
    assert source["answer"].startswith("My last answer rests on")
    assert "26 days" in shorter["answer"]
    assert "rests on" not in shorter["answer"]
    assert "leave" in follow_up["understood"]
    assert talk(*said).stdout.count("Understood as") == 1


def test_bare_pronoun_is_asked_back(talk: Talk) -> None:
    """Who says no more than "it" is asked what it is, and says it in the next line."""
    back, answer = lines(talk("how many days is it?", "annual leave", options=("--json",)))
    assert back["clarification_kind"] == "ambiguous"
    assert back["clarification_question"].startswith("What do you mean by “it”: ")
    assert len(back["options"]) > 1
    assert "annual leave" in answer["understood"]
    assert "26 days" in answer["answer"]


def test_number_chooses_what_is_offered(talk: Talk) -> None:
    """A number stands for what was offered under it."""
    back, answer = lines(talk("how many days is it?", "2", options=("--json",)))
    assert back["options"][1].lower() in answer["understood"].lower()


def test_refused_line_does_not_end_it(talk: Talk) -> None:
    """A line that is too long is refused, and the next one is answered."""
    result = talk("x" * 5000, LEAVE)
    assert result.exit_code == 2
    assert "the limit is 4,000" in result.stderr
    assert "26 days" in result.stdout


# --- at a terminal -------------------------------------------------------------------------


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch, talk: Talk) -> Callable[..., Result]:
    """Somebody types the lines at a terminal; an exception is a key that was pressed."""

    def typed(*said: str | type[BaseException]) -> Result:
        left: Iterator[str | type[BaseException]] = iter((*said, EOFError))

        def read(_: str = "") -> str:
            each = next(left)
            if isinstance(each, str):
                return each
            raise each

        monkeypatch.setattr("builtins.input", read)
        monkeypatch.setattr(Session, "can_ask", property(lambda _: True))
        return talk()

    return typed


def test_terminal_is_told_what_there_is(at_terminal: Callable[..., Result]) -> None:
    """Help stands at the beginning and for what is no command; Ctrl-D ends."""
    result = at_terminal("/what", LEAVE, "/quit", "never asked")
    assert result.exit_code == 0
    assert result.stderr.count("/wider searches wider") == 2
    assert "26 days" in result.stdout


def test_interrupt_leaves_line_not_session(at_terminal: Callable[..., Result]) -> None:
    result = at_terminal(KeyboardInterrupt, LEAVE)
    assert result.exit_code == 0
    assert "26 days" in result.stdout


def test_interrupt_cancels_question_alone(
    at_terminal: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, data_dir: Path
) -> None:
    """Ctrl-C ends the question under way, keeps nothing of it, and the next one is answered."""
    say = TerminalThread.say

    async def slow(self: Any, text: str, on_step: Any = None) -> Any:
        if text == "too slow":
            raise KeyboardInterrupt
        return await say(self, text, on_step)

    monkeypatch.setattr(TerminalThread, "say", slow)
    result = at_terminal("too slow", LEAVE)
    assert result.exit_code == 0
    assert "Cancelled." in result.stderr
    assert "26 days" in result.stdout
    kept = on(data_dir, lambda database: ChatRuns(database).recent(LOCAL_TENANT, 9))
    assert [run.question for run in kept] == [LEAVE]


# --- kept and forgotten --------------------------------------------------------------------


def test_runs_are_kept_in_thread(talk: Talk, data_dir: Path) -> None:
    """Each run is kept in its thread, as one that ended, and once."""
    thread = _thread(talk(LEAVE, "thanks", options=("--json",)))
    kept = on(data_dir, lambda database: ChatRuns(database).recent(LOCAL_TENANT, 9))
    assert {(run.channel, run.surface, run.thread) for run in kept} == {
        (TERMINAL, TERMINAL, thread)
    }
    assert {run.status for run in kept} == {"finished"}
    assert [run.kind for run in kept] == ["follow_up", "ask"]
    assert all(run.finished_at for run in kept)


def test_retention_removes_conversations(talk: Talk, data_dir: Path) -> None:
    """A conversation goes after thirty days, to the last byte."""
    talk("flamingo4711?")
    later = dt.datetime.now(dt.UTC) + MONTHS
    assert occurrences(str(data_dir / "masis.db"), "flamingo4711")
    swept = on(data_dir, lambda database: Retention(database).sweep(later))
    assert swept.runs == 1
    assert not occurrences(str(data_dir / "masis.db"), "flamingo4711")


def test_person_is_forgotten_with_conversations(talk: Talk, data_dir: Path) -> None:
    """What an account asked goes with it, to the last byte."""
    talk("flamingo4711?", "and pelican4711?")
    (run, _) = on(data_dir, lambda database: ChatRuns(database).recent(LOCAL_TENANT, 9))
    result = program(data_dir)("purge", "--user", run.asker, "--yes")
    assert result.exit_code == 0, result.output
    assert "2 requests" in result.stdout
    for word in ("flamingo4711", "pelican4711"):
        assert not occurrences(str(data_dir / "masis.db"), word)


def test_workspace_takes_conversations_along(talk: Talk, data_dir: Path) -> None:
    talk("flamingo4711?")
    assert program(data_dir)("purge", "--workspace", "handbook", "--yes").exit_code == 0
    assert not occurrences(str(data_dir / "masis.db"), "flamingo4711")


def test_other_workspace_has_no_thread(talk: Talk, data_dir: Path, tmp_path: Path) -> None:
    """A thread of one workspace is none of another."""
    thread = _thread(talk(LEAVE, options=("--json",)))
    other = write(tmp_path / "other", {"a.md": "# A\n\nThe bell rings at noon.\n"})
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", other, "-w", "other")
    result = masis("chat", "-w", "other", "--thread", thread)
    assert result.exit_code == 2
