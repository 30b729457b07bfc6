import datetime as dt
import io
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from bot.rendering import show
from masis.assistant import Finished
from masis.domain import (
    Answered,
    AnyOutcome,
    Badge,
    Citation,
    CitationAudit,
    Critique,
    Document,
    Evaluation,
    Failed,
    NeedsClarification,
    NotLinked,
    Place,
    Refused,
    Scores,
    UnsupportedClaim,
    Workspace,
    workspace_id,
)
from masis.graphs.research.texts import NOTHING_STATED

SOURCE = Citation(
    n=1,
    chunk_id="c_aaaaaaaaaaaa",
    document_id="d1",
    version_id="v1",
    document="handbook/leave.md",
    title="Leave",
    place=Place(page=4, headings=["Leave", "Annual leave"]),
    date=dt.date(2026, 1, 5),
    text="Annual leave is 26 days.",
)


def test_a_files_date_is_said_to_be_that() -> None:
    noted = SOURCE.model_copy(update={"date_source": "file"})
    assert "· file dated 5 Jan 2026" in show.sources([noted])[-1].plain
    assert "file" not in show.sources([SOURCE])[-1].plain


def answered(**changes: object) -> Answered:
    values: dict[str, object] = {
        "run_id": "r1",
        "question": "How much leave?",
        "answer": "Annual leave is 26 days [1].",
        "confidence": 0.869,
        "badge": Badge(level="High", confidence=0.869),
        "citations": [SOURCE],
        "critique": Critique(confidence=0.9),
        "evaluation": None,
        "audit": CitationAudit(citations=["c_aaaaaaaaaaaa"], claims=1, cited_claims=1),
        "extractive": True,
    }
    return Answered.model_validate({**values, **changes})


def asked_back(**changes: object) -> NeedsClarification:
    values: dict[str, object] = {
        "run_id": "r1",
        "question": "Which target?",
        "kind": "conflict",
        "clarification_question": "The sources disagree: a.md and b.md. Which one counts?",
        "answer": "It is 10 [1].",
        "confidence": 0.5,
        "badge": Badge(level="Low", confidence=0.5),
        "citations": [SOURCE],
        "audit": CitationAudit(claims=2, cited_claims=1),
    }
    return NeedsClarification.model_validate({**values, **changes})


def printed(shown: RenderableType, *, terminal: bool = False) -> str:
    stream = io.StringIO()
    console = Console(
        file=stream, width=200, force_terminal=terminal, markup=False, highlight=False, emoji=False
    )
    console.print(shown)
    return stream.getvalue()


def test_an_answer_shows_its_text_its_badge_and_its_sources() -> None:
    assert printed(show.outcome(answered())) == (
        "Annual leave is 26 days [1].\n"
        "\n"
        "High 86 % · 1 of 1 claim cited · 1 document · extractive\n"
        "\n"
        "Sources\n"
        "[1] handbook/leave.md · p. 4 · Leave › Annual leave · 5 Jan 2026\n"
    )


def test_what_stays_open_stands_above_the_badge() -> None:
    shown = printed(show.outcome(answered(gaps=["The documents do not mention Brazil."])))

    assert "\n\nThe documents do not mention Brazil.\nHigh 86 %" in shown


def test_a_question_back_lists_what_can_be_asked_instead() -> None:
    value = asked_back(kind="low_confidence", questions=["What is the notice period?"])

    shown = printed(show.outcome(value))

    assert "What the documents do answer:\n  - What is the notice period?\n" in shown


def test_what_was_searched_for_stands_by_the_badge() -> None:
    shown = printed(show.outcome(answered(searched_for=["mileage"])))

    assert "extractive · searched for “mileage”\n" in shown
    told = show.finished_json(finished(answered(searched_for=["mileage"])))
    assert told["searched_for"] == ["mileage"]


def test_a_question_back_lists_its_options_and_the_nearest() -> None:
    value = asked_back(kind="low_confidence", options=["Leeds", "York"], nearest="It is 10 [1].")

    assert printed(show.outcome(value)).startswith(
        "The nearest that the documents say:\n"
        "It is 10 [1].\n"
        "\n"
        "? The sources disagree: a.md and b.md. Which one counts?\n"
        "  - Leeds\n"
        "  - York\n"
        "\n"
        "Low 50 %"
    )


def test_a_draft_that_says_more_follows_the_nearest() -> None:
    value = asked_back(
        kind="low_confidence", nearest="It is 10. [1]", answer="It is 10 [1]. Or 12 [1]."
    )

    assert "\n\nBest draft so far\nIt is 10 [1]. Or 12 [1].\n" in printed(show.outcome(value))
    assert "Best draft" not in printed(
        show.outcome(value.model_copy(update={"answer": "It is 10 [1]."}))
    )


def test_no_draft_stands_beside_what_nothing_speaks_of() -> None:
    shown = printed(show.outcome(asked_back(kind="not_covered")))

    assert shown == "? The sources disagree: a.md and b.md. Which one counts?\n"


def test_the_badge_line_counts_claims_and_documents() -> None:
    other = SOURCE.model_copy(update={"n": 2, "document_id": "d2"})
    value = answered(
        citations=[SOURCE, other],
        audit=CitationAudit(claims=5, cited_claims=5),
        extractive=False,
    )
    assert show.badge_line(value).plain == "High 86 % · 5 of 5 claims cited · 2 documents"


def test_a_draft_that_states_nothing_shows_no_badge() -> None:
    shown = printed(show.asked_back(asked_back(badge=None, audit=CitationAudit())))
    assert NOTHING_STATED in shown
    assert "0 of 0" not in shown
    assert "%" not in shown


def test_what_would_help_stands_below_the_badge() -> None:
    shown = printed(
        show.answered(answered(improvement="Better with\na document that mentions “Brazil”."))
    )
    assert "Better with a document that mentions “Brazil”" in shown


def test_the_badge_line_names_what_did_not_hold() -> None:
    audit = CitationAudit(
        claims=4,
        cited_claims=2,
        invalid=["c_zzzzzzzzzzzz"],
        unsupported=[UnsupportedClaim(sentence="It is 9.", missing=["9"])],
    )
    badge = Badge(level="Low", confidence=0.2, note="faithfulness was clamped")
    shown = show.badge_line(answered(audit=audit, badge=badge, extractive=False)).plain
    assert shown == (
        "Low 20 % · 2 of 4 claims cited · 1 made-up citation · 1 claim not in the source"
        " · 1 document · faithfulness was clamped"
    )


@pytest.mark.parametrize(
    ("level", "confidence", "shown"),
    [
        ("High", 0.8, "High 80 %"),
        ("Medium", 0.79, "Medium 79 %"),
        ("Medium", 0.8, "Medium"),
        ("Low", 0.64, "Low 64 %"),
        ("Low", 0.65, "Low"),
    ],
)
def test_a_lowered_badge_shows_no_number_that_would_have_earned_a_better_word(
    level: str, confidence: float, shown: str
) -> None:
    badge = Badge.model_validate({"level": level, "confidence": confidence})
    assert show.badge_line(answered(badge=badge)).plain.split(" · ")[0] == shown


def test_sentences_that_did_not_hold_stand_under_the_badge() -> None:
    audit = CitationAudit(
        claims=9,
        cited_claims=2,
        unsupported=[UnsupportedClaim(sentence="It ends\x1b on 31 May.", missing=["31 May"])],
        uncited=[f"Claim {number}." for number in range(7)],
    )
    for value in (answered(audit=audit), asked_back(audit=audit)):
        shown = printed(show.outcome(value)).partition("1 claim not in the source")[2]
        assert shown.splitlines()[1:-3] == [
            "Not in its source: “It ends on 31 May.” (31 May)",
            *(f"Without a source: “Claim {number}.”" for number in range(5)),
            "and 2 more",
        ]


def test_the_badge_line_says_when_words_alone_were_searched_by() -> None:
    value = answered(lexical_only=True)
    assert show.badge_line(value).plain.endswith("1 document · extractive · words only")


def test_what_was_not_audited_shows_no_percentage() -> None:
    badge = Badge(level="Not audited", confidence=0.0)
    assert show.badge_line(answered(badge=badge)).plain.startswith("Not audited · 1 of 1")


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (0.6499, "64 %"),
        (0.65, "65 %"),
        (0.29, "29 %"),
        (0.58, "58 %"),
        (1.0, "100 %"),
    ],
)
def test_percentages_are_cut_so_that_none_looks_like_a_mark_it_missed(
    share: float, text: str
) -> None:
    assert show.percent(share) == text


def test_a_question_back_stands_before_the_best_draft() -> None:
    shown = printed(show.outcome(asked_back()))
    assert shown.startswith("? The sources disagree: a.md and b.md. Which one counts?\n")
    assert "Best draft so far\nIt is 10 [1].\n\nLow 50 % · 1 of 2 claims cited" in shown
    assert "[1] handbook/leave.md" in shown


def test_a_question_back_without_a_draft_shows_no_badge() -> None:
    value = asked_back(kind="below_threshold", audit=None, citations=[])
    assert printed(show.outcome(value)).splitlines() == [
        "? The sources disagree: a.md and b.md. Which one counts?"
    ]


def test_a_nearest_statement_without_a_draft_has_its_sources() -> None:
    value = asked_back(kind="below_threshold", audit=None, nearest="It is 10 [1].")
    shown = printed(show.outcome(value))
    assert shown.startswith("The nearest that the documents say:\nIt is 10 [1].\n\n? ")
    assert "[1] handbook/leave.md" in shown
    assert "Best draft so far" not in shown


def test_where_nothing_is_linked_the_instructions_are_shown() -> None:
    value = NotLinked(run_id="r", question="q", instructions="Link it.")
    assert printed(show.outcome(value)) == "Link it.\n"


def test_an_answer_without_citations_has_no_list_of_sources() -> None:
    assert "Sources" not in printed(show.outcome(answered(citations=[])))


HOSTILE = "[bold red]x[/] [link=file:///etc]y[/link] :bomb: \x1b]8;;http://evil\x07z\x1b[2J\x9b31m"


def test_text_of_others_is_neither_markup_nor_a_terminal_command() -> None:
    value = answered(
        answer=HOSTILE,
        citations=[SOURCE.model_copy(update={"document": HOSTILE})],
        badge=Badge(level="High", confidence=0.9, note=HOSTILE),
    )
    shown = printed(show.outcome(value))
    assert shown.count("[bold red]x[/] [link=file:///etc]y[/link] :bomb:") == 3
    for character in ("\x1b", "\x07", "\x9b"):
        assert character not in shown
    on_terminal = printed(show.outcome(value), terminal=True)
    assert "\x1b]8" not in on_terminal
    assert "\x1b[2J" not in on_terminal


@given(st.text(st.characters(codec=None), max_size=200))
@settings(max_examples=200, deadline=None)
def test_safe_text_has_no_control_characters_and_stays_as_it_is(text: str) -> None:
    once = show.safe(text)
    assert not any(ord(character) < 32 and character not in "\n\t" for character in once)
    assert not any(0x7F <= ord(character) <= 0x9F for character in once)
    assert show.safe(once) == once
    once.encode("utf-8")
    assert len(show.line(text).splitlines()) <= 1


@given(st.text(st.characters(codec=None), max_size=200))
@settings(max_examples=200, deadline=None)
def test_json_is_safe_on_a_terminal_and_reads_back_the_same(text: str) -> None:
    written = show.as_json({"text": text})
    assert json.loads(written) == {"text": text}
    assert len(written.splitlines()) == 1
    assert show.safe(written) == written


def test_json_keeps_letters_readable_and_refuses_numbers_that_are_none() -> None:
    assert show.as_json({"price": "£130 – Müller"}) == '{"price": "£130 – Müller"}'
    with pytest.raises(ValueError, match="JSON compliant"):
        show.as_json({"confidence": math.nan})


def finished(value: AnyOutcome) -> Finished:
    return Finished(
        outcome=value,
        trace=[
            {
                "node": "researcher",
                "pass": 1,
                "chunks": 2,
                "avg_score": 0.71234,
                "duration_ms": 3.1,
            },
            {"node": "supervisor", "pass": 1, "decision": "finalize", "reason": None},
        ],
        figures={
            "retrieval_scores": [
                {
                    "threshold": 0.6,
                    "candidates": [
                        {
                            "chunk_id": "c_a",
                            "document": "a.md",
                            "score": 0.81,
                            "kept": True,
                            "coverage": 1.0,
                        },
                        {
                            "chunk_id": "c_b",
                            "document": "b\x1b.md",
                            "score": 0.41,
                            "kept": False,
                            "coverage": 0.125,
                            "because": "far_behind_nearest",
                        },
                    ],
                }
            ],
            "retry_reasons": [{"iteration": 0, "confidence": 0.512345, "reason": "gaps"}],
            "cost_usd": 0.0000123,
            "model_calls": 3,
            "prompt_tokens": 1200,
        },
        evidence=[],
        seconds=1.234,
    )


def test_the_trail_shows_passes_scores_chunks_clamps_cost_and_the_run() -> None:
    scores = Scores(faithfulness=0.9, relevance=0.8, completeness=0.7, reasoning_quality=0.6)
    evaluation = Evaluation(
        **scores.model_dump() | {"faithfulness": 0.4},
        overall_score=0.6,
        clamps=["hallucination"],
        raw=scores,
    )
    shown = printed(show.trail(finished(answered(evaluation=evaluation))))
    for part in (
        "pass 1 researcher  chunks=2  avg_score=0.7123  duration_ms=3.1",
        "pass 1 supervisor  decision=finalize  reason=-",
        "pass 1 looked at, threshold 0.60:",
        "kept    0.81  coverage 1.00  c_a  a.md",
        "dropped 0.41  coverage 0.12  c_b  b.md",
        "scores faithfulness=0.4  relevance=0.8",
        "clamps hallucination",
        "model_calls=3  prompt_tokens=1200  cost_usd=1.23e-05  seconds=1.23",
        "run r1",
    ):
        assert part in shown, part


def test_the_trail_shows_what_the_critic_found_and_why_it_was_tried_again() -> None:
    critique = Critique(
        confidence=0.4,
        unsupported_claims=["It is 9."],
        logical_gaps=[f"gap {number}\x1b" for number in range(6)],
        conflicting_evidence=["a.md and b.md"],
    )
    shown = printed(show.trail(finished(answered(critique=critique)))).splitlines()
    at = shown.index("  retry iteration=0  confidence=0.5123  reason=gaps")
    assert shown[at + 1 : at + 9] == [
        "  unsupported: It is 9.",
        *(f"  gap: gap {number}" for number in range(5)),
        "  gap: and 1 more",
        "  conflict: a.md and b.md",
    ]


def test_ask_json_rounds_scores_and_leaves_costs() -> None:
    found = show.finished_json(finished(answered(confidence=0.86912345)))
    assert found["confidence"] == 0.8691
    assert found["trace"][0]["avg_score"] == 0.7123
    assert found["metrics"]["retry_reasons"][0]["confidence"] == 0.5123
    assert found["metrics"]["cost_usd"] == 0.0000123


def test_ask_json_says_what_would_help_and_no_badge_where_there_is_none() -> None:
    end = finished(answered(improvement="Better with more.", badge=None, confidence=0.0))
    found = show.finished_json(end)
    assert (found["badge"], found["improvement"]) == (None, "Better with more.")
    assert show.finished_json(finished(answered()))["improvement"] is None


def test_ask_json_has_every_key_of_an_answer() -> None:
    found = show.finished_json(finished(answered()))
    assert set(found) == set(show.unasked_json("x")), "the keys do not depend on the outcome"
    assert found["status"] == "success"
    assert found["answer"] == "Annual leave is 26 days [1]."
    assert found["badge"] == "High"
    assert found["requires_human_review"] is False
    assert found["clarification_question"] is None
    assert found["citations"] == [
        {
            "n": 1,
            "chunk_id": "c_aaaaaaaaaaaa",
            "document": "handbook/leave.md",
            "place": "p. 4 · Leave › Annual leave",
            "date": "2026-01-05",
            "date_source": None,
            "text": "Annual leave is 26 days.",
        }
    ]
    assert found["critique"]["confidence"] == 0.9
    assert found["run_id"] == "r1"
    assert found["error"] is None


def test_ask_json_of_a_question_back_of_a_refusal_and_of_a_failure() -> None:
    back = show.finished_json(finished(asked_back()))
    assert back["status"] == "needs_clarification"
    assert back["requires_human_review"] is True
    assert back["clarification_kind"] == "conflict"
    asked = asked_back(options=["Leeds"], nearest="It is 10 [1].", gaps=["Nothing was calculated."])
    told = show.finished_json(finished(asked))
    assert told["options"] == ["Leeds"]
    assert told["nearest"] == "It is 10 [1]."
    assert told["gaps"] == ["Nothing was calculated."]
    assert back["clarification_question"].startswith("The sources disagree")
    for value, status, error in (
        (Refused(run_id="r", question="q", reason="Over quota."), "refused", "Over quota."),
        (Failed(run_id="r", question="q", error="No service."), "failed", "No service."),
        (
            Failed(run_id="r", question="q", error="It is away.", detail="http://q:6333 is away."),
            "failed",
            "http://q:6333 is away.",  # a terminal is the operator's
        ),
    ):
        found = show.finished_json(finished(value))
        assert (found["status"], found["error"], found["answer"]) == (status, error, None)


def test_documents_are_listed_with_what_matters() -> None:
    document = Document(
        id="d1",
        workspace_id=workspace_id("w1"),
        name="handbook/leave\x1b.md",
        title="Leave",
        format="md",
        version_id="v1",
        version_number=2,
        content_hash="h",
        size_bytes=4100,
        chunks=7,
        date=None,
        ingested_at=dt.datetime(2026, 10, 2, tzinfo=dt.UTC),
    )
    shown = printed(show.documents([document]))
    assert "handbook/leave.md" in shown
    assert "4.1 kB" in shown
    assert "Passages" in shown
    assert "2 Oct 2026" in shown
    found = show.document_json(document)
    assert found["name"] == document.name
    assert "workspace_id" not in found


def test_workspaces_are_listed_with_their_counts() -> None:
    one = Workspace(id=workspace_id("w1"), owner="local", name="demo", documents=3, chunks=40)
    assert printed(show.workspaces([one])).split() == [
        *("Workspace", "Documents", "Passages", "Vectors"),
        *("demo", "3", "40", "words", "only"),
    ]
    bound = one.model_copy(update={"embedding_profile": "minilm/384/1"})
    assert printed(show.workspaces([bound])).split()[-1] == "minilm/384/1"
    empty = one.model_copy(update={"documents": 0, "chunks": 0})
    assert printed(show.workspaces([empty])).split()[-1] == "-"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (25_000_000, "25.0 MB")]
)
def test_sizes_are_readable(number: int, text: str) -> None:
    assert show.size(number) == text
