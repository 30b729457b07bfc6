from bot.cli.questions.cases import GOOD, NOT_GOOD, cases
from bot.evaluation import evaluation
from bot.rendering.show import as_json
from masis.conversation import Vote
from masis.domain import workspace_id
from storage.chat.votes import VotedRun
from tests.bot.cli.spoken import TEAM
from tests.storage.chat.samples import NOON


def voted(run_id: str = "r1", *, good: bool = True, reason: str = "", **other: object) -> VotedRun:
    vote = Vote(tenant=TEAM, run_id=run_id, user="U1", good=good, reason=reason, at=NOON)
    values = {
        "question": "How many days?",
        "status": "success",
        "answer": "26 days [1].",
        "documents": ["leave.md", "faq.md"],
    }
    return VotedRun.model_validate(
        {"vote": vote, "workspace_id": workspace_id("w_1"), **values, **other}
    )


def test_a_good_vote_makes_a_whole_case_and_invents_no_phrase() -> None:
    made = cases([voted()])
    assert made.cases == [
        {
            "id": "r1",
            "question": "How many days?",
            "kind": GOOD,
            "answerable": True,
            "answer": "26 days [1].",
            "must_include": [],
            "gold": [{"doc": "leave.md"}, {"doc": "faq.md"}],
        }
    ]
    assert (made.to_complete, made.left_out) == (0, 0)


def test_a_question_back_that_was_liked_is_right_to_be_asked() -> None:
    [case] = cases([voted(status="needs_clarification")]).cases
    assert case["answerable"] is None


def test_a_bad_vote_says_what_a_person_has_to_complete() -> None:
    made = cases([voted(good=False, reason="It is 28.")])
    [case] = made.cases
    assert (case["kind"], case["must_include"], case["gold"]) == (NOT_GOOD, [], [])
    assert "answer" not in case, "a bad answer is no reference"
    assert (case["given"], case["cited"]) == ("26 days [1].", ["leave.md", "faq.md"])
    assert case["reasons"] == ["It is 28."]
    assert case["note"].startswith("To be completed")
    assert made.to_complete == 1


def test_a_run_is_one_case_and_one_bad_vote_is_enough() -> None:
    made = cases([voted(), voted("r2"), voted(good=False, reason="No.")])
    assert [(case["id"], case["kind"]) for case in made.cases] == [("r1", NOT_GOOD), ("r2", GOOD)]


def test_what_is_not_kept_any_more_is_left_out_and_counted() -> None:
    made = cases([voted(question=""), voted("r2", blanked=True), voted("r3")])
    assert [case["id"] for case in made.cases] == ["r3"]
    assert made.left_out == 2


def test_every_case_is_read_back_whatever_was_asked() -> None:
    asked = "One\u2028two\x85three\x0cfour \ud800 “five”\n six"
    made = cases([voted(question=asked), voted("r2", good=False, question=asked)])
    written = "".join(f"{as_json(case)}\n" for case in made.cases)
    good, bad = evaluation.load(written, "cases.jsonl")
    assert good.question == bad.question == asked
    assert [gold.doc for gold in good.gold] == ["leave.md", "faq.md"]
