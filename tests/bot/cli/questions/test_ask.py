import asyncio
from pathlib import Path

import pytest

from bot.cli.questions.ask import readable
from masis.domain import WorkspaceId
from storage.vectors.embedded_store import EdgeVectorStores
from tests.bot.program import Masis, lines, program, searched

KEYS = {
    "status",
    "question",
    "reply",
    "statements",
    "answer",
    "confidence",
    "badge",
    "improvement",
    "requires_human_review",
    "clarification_question",
    "clarification_kind",
    "options",
    "nearest",
    "code",
    "calculations",
    "charts",
    "tables",
    "questions",
    "gaps",
    "unread",
    "searched_for",
    "small_talk",
    "thread",
    "understood",
    "citations",
    "critique",
    "evaluation",
    "trace",
    "metrics",
    "run_id",
    "error",
}
QUESTION = "How many days of annual leave does every employee have?"


def test_answer_has_citations_and_badge(filled: Masis) -> None:
    """An answer is cited and says how sure it is."""
    result = filled("ask", QUESTION, "--workspace", "handbook")
    assert result.exit_code == 0, result.output
    assert "26 days of annual leave" in result.stdout
    assert "[1]" in result.stdout
    assert " %" in result.stdout
    assert "claims cited" in result.stdout or "claim cited" in result.stdout
    assert "extractive" in result.stdout
    assert "Sources\n[1] leave.md" in result.stdout
    assert result.stderr.splitlines() == [
        f"{step} …" for step in ("Understand", "Search", "Draft", "Audit", "Evaluate")
    ]


def test_attached_files_answer_this_question(filled: Masis, tmp_path: Path) -> None:
    """A file that is attached answers this question alone; one that cannot be read is named."""
    parking, broken = tmp_path / "parking.md", tmp_path / "broken.bin"
    parking.write_text("# Parking\n\nA visitor's parking costs 2 euros an hour.\n")
    broken.write_bytes(bytes(range(256)))
    asked = ("ask", "What does a visitor's parking cost?", "-w", "handbook", "--json")

    (found,) = lines(filled(*asked, "--attach", str(parking), "--attach", str(broken)))
    (after,) = lines(filled(*asked))

    assert [(each["document"], each["attached"]) for each in found["citations"]] == [
        ("parking.md", True)
    ]
    assert found["badge"] != "High"
    assert [said.split(" was not read")[0] for said in found["unread"]] == ["“broken.bin”"]
    assert (after["status"], after["unread"]) == ("needs_clarification", [])


def test_search_options_appear_in_trail(filled: Masis) -> None:
    """Where to look is said by options and stands in the trail."""
    where = ("--file", "leave", "--type", "md")
    (found,) = lines(filled("ask", QUESTION, "-w", "handbook", "--json", *where))
    assert found["status"] == "success"
    assert searched(found["trace"])["filters"] == '@"leave" type:md'
    assert {citation["document"] for citation in found["citations"]} == {"leave.md"}


def test_missing_file_suggests_another(filled: Masis) -> None:
    """A file that is not there is said with the one near it."""
    (found,) = lines(filled("ask", f"{QUESTION} @leeve.md", "-w", "handbook", "--json"))
    assert found["status"] == "needs_clarification"
    said = "This workspace has no “leeve.md”. Did you mean “leave.md”?"
    assert found["clarification_question"] == said


def test_filters_matching_nothing_are_reported(
    filled: Masis,
) -> None:
    """Filters that leave nothing are said and not that nothing was uploaded."""
    result = filled("ask", QUESTION, "-w", "handbook", "--type", "epub", "--json")
    (found,) = lines(result)
    assert found["clarification_question"].startswith(
        "No document of this workspace is within type:epub."
    )


def test_a_section_is_looked_into_alone(filled: Masis) -> None:
    asked = f"{QUESTION} section:nowhere"
    (found,) = lines(filled("ask", asked, "-w", "handbook", "--json"))
    assert "within section:nowhere, and no passage there" in found["clarification_question"]


def test_invalid_option_suggests_alternatives(filled: Masis) -> None:
    """An option that means nothing is refused with what would."""
    result = filled("ask", QUESTION, "-w", "handbook", "--after", "soon")
    assert result.exit_code == 2
    assert "after:2026-01-31" in " ".join(result.stderr.split())


def test_json_has_keys_and_cited_text(filled: Masis) -> None:
    """Json has every key and the cited text."""
    result = filled("ask", QUESTION, "-w", "handbook", "--json")
    (found,) = lines(result)
    assert set(found) == KEYS
    assert found["status"] == "success"
    assert found["requires_human_review"] is False
    assert 0 < found["confidence"] <= 1
    assert found["badge"] in {"High", "Medium"}
    citation = found["citations"][0]
    assert set(citation) == {
        *("n", "chunk_id", "document", "place", "text"),
        *("date", "date_source", "attached"),
    }
    assert citation["n"] == 1
    assert citation["chunk_id"].startswith("c_")
    assert "26 days" in citation["text"]
    assert [entry["node"] for entry in found["trace"]] == [
        "router",
        "rewriter",
        "planner",
        "researcher",
        "synthesizer",
        "critic",
        "evaluator",
        "supervisor",
    ]
    assert result.stderr == ""


def test_clarification_has_own_exit_code(filled: Masis) -> None:
    """A question back has its own exit code and waits for nobody."""
    result = filled("ask", "What is the boiling point of tungsten?", "-w", "handbook")
    assert result.exit_code == 3
    assert result.stdout.startswith("? ")
    (found,) = lines(filled("ask", "Who won the cup final in 1966?", "-w", "handbook", "--json"))
    assert found["status"] == "needs_clarification"
    assert found["requires_human_review"] is True
    assert found["clarification_question"]
    assert set(found) == KEYS


def test_trace_shows_each_step(filled: Masis) -> None:
    """The trace shows how the answer came about."""
    shown = filled("ask", QUESTION, "-w", "handbook", "--trace").stdout
    for part in ("How I got this", "pass 1 researcher", "threshold 0.60", "kept", "run "):
        assert part in shown


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "The question is empty"),
        ("  \n ", "The question is empty"),
        ("x" * 50_000, "The question has 50,000 characters, the limit is 4,000"),
    ],
    ids=["empty", "blank", "endless"],
)
def test_invalid_question_is_one_line(filled: Masis, question: str, said: str) -> None:
    """A question that is none is refused in a line."""
    result = filled("ask", question, "-w", "handbook")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {said}")
    assert len(result.stderr.splitlines()) == 1
    (found,) = lines(filled("ask", question, "-w", "handbook", "--json"))
    assert set(found) == KEYS
    assert found["status"] == "failed"
    assert found["error"].startswith(said)


def test_retries_are_0_to_5(filled: Masis) -> None:
    for wrong in ("-1", "6"):
        result = filled("ask", QUESTION, "-w", "handbook", "--max-retries", wrong)
        assert result.exit_code == 2
        assert f"0 to 5, not {wrong}" in result.stderr
    assert filled("ask", QUESTION, "-w", "handbook", "--max-retries", "0").exit_code == 0


def test_empty_workspace_is_reported(data_dir: Path, handbook: Path) -> None:
    """An empty workspace says that it is empty."""
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook / "prices.csv", "-w", "w")
    masis("delete", "prices.csv", "-w", "w")
    result = masis("ask", "What does a pump cost?", "-w", "w")
    assert result.exit_code == 3
    assert "holds no documents yet" in result.stdout


def test_unreachable_model_service_is_one_line(filled: Masis) -> None:
    """An unreachable model service is one line that says what to check."""
    service = {"MASIS_AGENTS": "model", "MASIS_MODEL_BASE_URL": "http://127.0.0.1:9/v1"}
    result = filled("ask", QUESTION, "-w", "handbook", **service)
    assert result.exit_code == 5
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if not line.endswith(" …")]
    assert line.startswith("Failed: The model service at 127.0.0.1 could not be reached.")
    assert "MASIS_MODEL_BASE_URL" in line


def test_locked_store_is_named(data_dir: Path, handbook: Path) -> None:
    """Another process that holds the store is named as the reason."""
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook, "-w", "hb")
    (workspace,) = lines(masis("workspaces", "--json"))
    other = EdgeVectorStores(data_dir / "vectors")

    async def hold() -> None:
        await other.open(WorkspaceId(workspace["id"]), None)

    asyncio.run(hold())
    try:
        result = masis("ask", QUESTION, "-w", "hb")
        assert result.exit_code == 5
        assert "Another process holds" in result.output
        assert "Traceback" not in result.output
        assert masis("docs", "-w", "hb").exit_code == 0, "the database is no one's alone"
    finally:
        asyncio.run(other.close())


def test_embedder_mismatch_is_reported(filled: Masis) -> None:
    """Another embedder than the workspaces is told."""
    service = {
        "MASIS_EMBEDDING_MODEL": "text-embedding-ada-002",
        "MASIS_EMBEDDING_BASE_URL": "http://127.0.0.1:9/v1",
    }
    result = filled("ask", QUESTION, "-w", "handbook", **service)
    assert result.exit_code == 1
    assert "Use the embedder it was ingested" in result.output


def test_a_damaged_database_is_one_line(data_dir: Path) -> None:
    data_dir.mkdir()
    (data_dir / "masis.db").write_bytes(b"not a database at all" * 500)
    result = program(data_dir)("docs", "-w", "w")
    assert result.exit_code == 5
    assert len(result.stderr.splitlines()) == 1
    assert "masis.db" in result.stderr


def test_malformed_typed_text_becomes_readable() -> None:
    """Typed text without a character of its own becomes readable."""
    assert readable("caf\udce9?") == "caf??"


def test_two_named_files_give_evidence(filled: Masis) -> None:
    """Of two documents that are named both are searched, cited, and no third one."""
    asked = "How many days of annual leave are there, and how often are laptops replaced?"
    (both,) = lines(filled("ask", f"@leave.md @laptops.txt {asked}", "-w", "handbook", "--json"))
    (one,) = lines(filled("ask", f"@leave.md {asked}", "-w", "handbook", "--json"))

    assert {cited["document"] for cited in both["citations"]} == {"leave.md", "it/laptops.txt"}
    assert searched(both["trace"])["documents"] == 2
    assert {cited["document"] for cited in one["citations"]} == {"leave.md"}
