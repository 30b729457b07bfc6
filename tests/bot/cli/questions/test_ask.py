import asyncio
from pathlib import Path

import pytest

from bot.cli.questions.ask import readable
from masis.domain import WorkspaceId
from storage.vectors.embedded_store import EdgeVectorStores
from tests.bot.program import Masis, lines, program

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
    "questions",
    "gaps",
    "searched_for",
    "citations",
    "critique",
    "evaluation",
    "trace",
    "metrics",
    "run_id",
    "error",
}
QUESTION = "How many days of annual leave does every employee have?"


def test_an_answer_is_cited_and_says_how_sure_it_is(filled: Masis) -> None:
    result = filled("ask", QUESTION, "--workspace", "handbook")
    assert result.exit_code == 0, result.output
    assert "26 days of annual leave" in result.stdout
    assert "[1]" in result.stdout
    assert " %" in result.stdout
    assert "claims cited" in result.stdout or "claim cited" in result.stdout
    assert "extractive" in result.stdout
    assert "Sources\n[1] leave.md" in result.stdout
    assert result.stderr.splitlines() == ["Search …", "Draft …", "Audit …", "Evaluate …"]


def test_where_to_look_is_said_by_options_and_stands_in_the_trail(filled: Masis) -> None:
    where = ("--file", "leave", "--type", "md")
    (found,) = lines(filled("ask", QUESTION, "-w", "handbook", "--json", *where))
    assert found["status"] == "success"
    assert found["trace"][0]["filters"] == '@"leave" type:md'
    assert {citation["document"] for citation in found["citations"]} == {"leave.md"}


def test_a_file_that_is_not_there_is_said_with_the_one_near_it(filled: Masis) -> None:
    (found,) = lines(filled("ask", f"{QUESTION} @leeve.md", "-w", "handbook", "--json"))
    assert found["status"] == "needs_clarification"
    said = "This workspace has no “leeve.md”. Did you mean “leave.md”?"
    assert found["clarification_question"] == said


def test_filters_that_leave_nothing_are_said_and_not_that_nothing_was_uploaded(
    filled: Masis,
) -> None:
    result = filled("ask", QUESTION, "-w", "handbook", "--type", "epub", "--json")
    (found,) = lines(result)
    assert found["clarification_question"].startswith(
        "No document of this workspace is within type:epub."
    )


def test_a_section_is_looked_into_alone(filled: Masis) -> None:
    asked = f"{QUESTION} section:nowhere"
    (found,) = lines(filled("ask", asked, "-w", "handbook", "--json"))
    assert "within section:nowhere, and no passage there" in found["clarification_question"]


def test_an_option_that_means_nothing_is_refused_with_what_would(filled: Masis) -> None:
    result = filled("ask", QUESTION, "-w", "handbook", "--after", "soon")
    assert result.exit_code == 2
    assert "after:2026-01-31" in " ".join(result.stderr.split())


def test_json_has_every_key_and_the_cited_text(filled: Masis) -> None:
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
        *("date", "date_source"),
    }
    assert citation["n"] == 1
    assert citation["chunk_id"].startswith("c_")
    assert "26 days" in citation["text"]
    assert [entry["node"] for entry in found["trace"]] == [
        "researcher",
        "synthesizer",
        "critic",
        "evaluator",
        "supervisor",
    ]
    assert result.stderr == ""


def test_a_question_back_has_its_own_exit_code_and_waits_for_nobody(filled: Masis) -> None:
    result = filled("ask", "What is the boiling point of tungsten?", "-w", "handbook")
    assert result.exit_code == 3
    assert result.stdout.startswith("? ")
    (found,) = lines(filled("ask", "Who won the cup final in 1966?", "-w", "handbook", "--json"))
    assert found["status"] == "needs_clarification"
    assert found["requires_human_review"] is True
    assert found["clarification_question"]
    assert set(found) == KEYS


def test_the_trace_shows_how_the_answer_came_about(filled: Masis) -> None:
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
def test_a_question_that_is_none_is_refused_in_a_line(
    filled: Masis, question: str, said: str
) -> None:
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


def test_an_empty_workspace_says_that_it_is_empty(data_dir: Path, handbook: Path) -> None:
    masis = program(data_dir, MASIS_EMBEDDER="none")
    masis("ingest", handbook / "prices.csv", "-w", "w")
    masis("delete", "prices.csv", "-w", "w")
    result = masis("ask", "What does a pump cost?", "-w", "w")
    assert result.exit_code == 3
    assert "holds no documents yet" in result.stdout


def test_an_unreachable_model_service_is_one_line_that_says_what_to_check(filled: Masis) -> None:
    service = {"MASIS_AGENTS": "model", "MASIS_MODEL_BASE_URL": "http://127.0.0.1:9/v1"}
    result = filled("ask", QUESTION, "-w", "handbook", **service)
    assert result.exit_code == 5
    assert result.stdout == ""
    (line,) = [line for line in result.stderr.splitlines() if not line.endswith(" …")]
    assert line.startswith("Failed: The model service at 127.0.0.1 could not be reached.")
    assert "MASIS_MODEL_BASE_URL" in line


def test_another_process_that_holds_the_store_is_named_as_the_reason(
    data_dir: Path, handbook: Path
) -> None:
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


def test_another_embedder_than_the_workspaces_is_told(filled: Masis) -> None:
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


def test_typed_text_without_a_character_of_its_own_becomes_readable() -> None:
    assert readable("caf\udce9?") == "caf??"
