import datetime as dt
import io
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from bot.chat.shown.badge_shown import badge_shown
from bot.chat.shown.source_shown import source_shown
from bot.chat.words.badge_words import percent
from bot.rendering import show
from masis.answering.outcome_texts import NOTHING_STATED
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
from masis.values.coded import Coded
from tests.examples import examples

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


def test_file_date_is_labelled() -> None:
    """A files date is said to be that."""
    noted = SOURCE.model_copy(update={"date_source": "file"})
    assert "· file dated 5 Jan 2026" in show.sources([source_shown(noted)])[-1].plain
    assert "file" not in show.sources([source_shown(SOURCE)])[-1].plain


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


def test_answer_shows_badge_and_sources() -> None:
    """An answer shows its text its badge and its sources."""
    assert printed(show.outcome(answered())) == (
        "Annual leave is 26 days [1].\n"
        "\n"
        "High 86 % · 1 of 1 claim cited · 1 document · extractive\n"
        "\n"
        "Sources\n"
        "[1] handbook/leave.md · p. 4 · Leave › Annual leave · 5 Jan 2026\n"
    )


def test_open_points_precede_the_badge() -> None:
    """What stays open stands above the badge."""
    shown = printed(show.outcome(answered(gaps=["The documents do not mention Brazil."])))

    assert "\n\nThe documents do not mention Brazil.\nHigh 86 %" in shown


def test_clarification_lists_alternative_questions() -> None:
    """A question back lists what can be asked instead."""
    value = asked_back(kind="low_confidence", questions=["What is the notice period?"])

    shown = printed(show.outcome(value))

    assert "What the documents do answer:\n  - What is the notice period?\n" in shown


def test_search_terms_follow_the_badge() -> None:
    """What was searched for stands by the badge."""
    shown = printed(show.outcome(answered(searched_for=["mileage"])))

    assert "extractive · searched for “mileage”\n" in shown
    told = show.finished_json(finished(answered(searched_for=["mileage"])))
    assert told["searched_for"] == ["mileage"]


def test_clarification_lists_nearest_documents() -> None:
    """A question back lists its options and the nearest."""
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


def test_fuller_draft_follows_nearest_statement() -> None:
    """A draft that says more follows the nearest."""
    value = asked_back(
        kind="low_confidence", nearest="It is 10. [1]", answer="It is 10 [1]. Or 12 [1]."
    )

    assert "\n\nBest draft so far\nIt is 10 [1]. Or 12 [1].\n" in printed(show.outcome(value))
    assert "Best draft" not in printed(
        show.outcome(value.model_copy(update={"answer": "It is 10 [1]."}))
    )


def test_unsupported_question_shows_no_draft() -> None:
    """No draft stands beside what nothing speaks of."""
    shown = printed(show.outcome(asked_back(kind="not_covered")))

    assert shown == "? The sources disagree: a.md and b.md. Which one counts?\n"


def test_badge_line_counts_claims_and_documents() -> None:
    """The badge line counts claims and documents."""
    other = SOURCE.model_copy(update={"n": 2, "document_id": "d2"})
    value = answered(
        citations=[SOURCE, other],
        audit=CitationAudit(claims=5, cited_claims=5),
        extractive=False,
    )
    assert (
        show.badge_line(badge_shown(value)).plain == "High 86 % · 5 of 5 claims cited · 2 documents"
    )


def test_draft_without_statements_is_unbadged() -> None:
    """A draft that states nothing shows no badge."""
    shown = printed(show.outcome(asked_back(badge=None, audit=CitationAudit())))
    assert NOTHING_STATED in shown
    assert "0 of 0" not in shown
    assert "%" not in shown


def test_suggestions_follow_the_badge() -> None:
    """What would help stands below the badge."""
    shown = printed(
        show.outcome(answered(improvement="Better with\na document that mentions “Brazil”."))
    )
    assert "Better with a document that mentions “Brazil”" in shown


def test_badge_line_names_failed_claims() -> None:
    """The badge line names what did not hold."""
    audit = CitationAudit(
        claims=4,
        cited_claims=2,
        invalid=["c_zzzzzzzzzzzz"],
        unsupported=[UnsupportedClaim(sentence="It is 9.", missing=["9"])],
    )
    badge = Badge(level="Low", confidence=0.2, note="faithfulness was clamped")
    shown = show.badge_line(badge_shown(answered(audit=audit, badge=badge, extractive=False))).plain
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
def test_lowered_badge_hides_higher_number(level: str, confidence: float, shown: str) -> None:
    """A lowered badge shows no number that would have earned a better word."""
    badge = Badge.model_validate({"level": level, "confidence": confidence})
    assert show.badge_line(badge_shown(answered(badge=badge))).plain.split(" · ")[0] == shown


def test_failed_sentences_follow_the_badge() -> None:
    """Sentences that did not hold stand under the badge."""
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
            "+2 more",
        ]


def test_badge_line_notes_keyword_search() -> None:
    """The badge line says when words alone were searched by."""
    value = answered(lexical_only=True)
    assert show.badge_line(badge_shown(value)).plain.endswith(
        "1 document · extractive · words only"
    )


def test_badge_line_counts_no_missing_claims() -> None:
    """What claims nothing, as a table of coded rows, has no count of claims."""
    shown = show.badge_line(badge_shown(answered(audit=CitationAudit(), citations=[]))).plain
    assert "claim" not in shown
    assert shown.startswith("High 86 %")


def test_options_are_counted_once() -> None:
    """A question that counts up its options itself is not followed by them again."""
    asked = "Which is it?\n1. Pump leaks: a hose\n2. Roof leaks"
    told = asked_back(clarification_question=asked, options=["Pump leaks", "Roof leaks"])
    assert printed(show.outcome(told)).count("Pump leaks") == 1
    other = asked_back(clarification_question="Which is it?", options=["Pump leaks"])
    assert printed(show.outcome(other)).count("Pump leaks") == 1


def test_codes_stand_out_in_a_terminal() -> None:
    code = Coded(code="PR21", title="Pump leaks")
    shown = printed(show.outcome(answered(answer="**PR21** Pump leaks [1]", code=code)))
    assert shown.startswith("PR21 Pump leaks [1]")


def test_unaudited_answer_shows_no_percentage() -> None:
    """What was not audited shows no percentage."""
    badge = Badge(level="Not audited", confidence=0.0)
    assert show.badge_line(badge_shown(answered(badge=badge))).plain.startswith(
        "Not audited · 1 of 1"
    )


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
def test_percentages_are_truncated_below_thresholds(share: float, text: str) -> None:
    """Percentages are cut so that none looks like a mark it missed."""
    assert percent(share) == text


def test_clarification_precedes_best_draft() -> None:
    """A question back stands before the best draft."""
    shown = printed(show.outcome(asked_back()))
    assert shown.startswith("? The sources disagree: a.md and b.md. Which one counts?\n")
    assert "Best draft so far\nIt is 10 [1].\n\nLow 50 % · 1 of 2 claims cited" in shown
    assert "[1] handbook/leave.md" in shown


def test_draftless_clarification_has_no_badge() -> None:
    """A question back without a draft shows no badge."""
    value = asked_back(kind="below_threshold", audit=None, citations=[])
    assert printed(show.outcome(value)).splitlines() == [
        "? The sources disagree: a.md and b.md. Which one counts?"
    ]


def test_nearest_statement_alone_has_sources() -> None:
    """A nearest statement without a draft has its sources."""
    value = asked_back(kind="below_threshold", audit=None, nearest="It is 10 [1].")
    shown = printed(show.outcome(value))
    assert shown.startswith("The nearest that the documents say:\nIt is 10 [1].\n\n? ")
    assert "[1] handbook/leave.md" in shown
    assert "Best draft so far" not in shown


def test_unlinked_outcome_shows_instructions() -> None:
    """Where nothing is linked the instructions are shown."""
    value = NotLinked(run_id="r", question="q", instructions="Link it.")
    assert printed(show.outcome(value)) == "Link it.\n"


def test_uncited_answer_lists_no_sources() -> None:
    """An answer without citations has no list of sources."""
    assert "Sources" not in printed(show.outcome(answered(citations=[])))


HOSTILE = "[bold red]x[/] [link=file:///etc]y[/link] :bomb: \x1b]8;;http://evil\x07z\x1b[2J\x9b31m"


def test_foreign_text_is_shown_inert() -> None:
    """Text of others is neither markup nor a terminal command."""
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
@settings(max_examples=examples(200), deadline=None)
def test_safe_text_strips_control_characters(text: str) -> None:
    """Safe text has no control characters and stays as it is."""
    once = show.safe(text)
    assert not any(ord(character) < 32 and character not in "\n\t" for character in once)
    assert not any(0x7F <= ord(character) <= 0x9F for character in once)
    assert show.safe(once) == once
    once.encode("utf-8")
    assert len(show.line(text).splitlines()) <= 1


@given(st.text(st.characters(codec=None), max_size=200))
@settings(max_examples=examples(200), deadline=None)
def test_json_is_terminal_safe(text: str) -> None:
    """Json is safe on a terminal and reads back the same."""
    written = show.as_json({"text": text})
    assert json.loads(written) == {"text": text}
    assert len(written.splitlines()) == 1
    assert show.safe(written) == written


def test_json_keeps_letters_and_refuses_nan() -> None:
    """Json keeps letters readable and refuses numbers that are none."""
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


def test_trail_shows_scores_and_cost() -> None:
    """The trail shows passes scores chunks clamps cost and the run."""
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


def test_trail_shows_critic_findings() -> None:
    """The trail shows what the critic found and why it was tried again."""
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
        "  gap: +1 more",
        "  conflict: a.md and b.md",
    ]


def test_ask_json_rounds_only_scores() -> None:
    """Ask json rounds scores and leaves costs."""
    found = show.finished_json(finished(answered(confidence=0.86912345)))
    assert found["confidence"] == 0.8691
    assert found["trace"][0]["avg_score"] == 0.7123
    assert found["metrics"]["retry_reasons"][0]["confidence"] == 0.5123
    assert found["metrics"]["cost_usd"] == 0.0000123


def test_ask_json_has_suggestions() -> None:
    """Ask json says what would help and no badge where there is none."""
    end = finished(answered(improvement="Better with more.", badge=None, confidence=0.0))
    found = show.finished_json(end)
    assert (found["badge"], found["improvement"]) == (None, "Better with more.")
    assert show.finished_json(finished(answered()))["improvement"] is None


def test_ask_json_has_all_keys() -> None:
    """Ask json has every key of an answer."""
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
            "attached": False,
        }
    ]
    assert found["critique"]["confidence"] == 0.9
    assert found["run_id"] == "r1"
    assert found["error"] is None


def test_ask_json_covers_other_outcomes() -> None:
    """Ask json of a question back of a refusal and of a failure."""
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
