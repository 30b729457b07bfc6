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


def test_good_vote_makes_complete_case() -> None:
    """A good vote makes a whole case and invents no phrase."""
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


def test_liked_clarification_leaves_answerable_open() -> None:
    """A question back that was liked is right to be asked."""
    [case] = cases([voted(status="needs_clarification")]).cases
    assert case["answerable"] is None


def test_bad_vote_names_missing_parts() -> None:
    """A bad vote says what a person has to complete."""
    made = cases([voted(good=False, reason="It is 28.")])
    [case] = made.cases
    assert (case["kind"], case["must_include"], case["gold"]) == (NOT_GOOD, [], [])
    assert "answer" not in case, "a bad answer is no reference"
    assert (case["given"], case["cited"]) == ("26 days [1].", ["leave.md", "faq.md"])
    assert case["reasons"] == ["It is 28."]
    assert case["note"].startswith("To be completed")
    assert made.to_complete == 1


def test_run_is_one_case_despite_votes() -> None:
    """A run is one case and one bad vote is enough."""
    made = cases([voted(), voted("r2"), voted(good=False, reason="No.")])
    assert [(case["id"], case["kind"]) for case in made.cases] == [("r1", NOT_GOOD), ("r2", GOOD)]


def test_deleted_runs_are_only_counted() -> None:
    """What is not kept any more is left out and counted."""
    made = cases([voted(question=""), voted("r2", blanked=True), voted("r3")])
    assert [case["id"] for case in made.cases] == ["r3"]
    assert made.left_out == 2


def test_every_exported_case_loads_again() -> None:
    """Every case is read back whatever was asked."""
    asked = "One\u2028two\x85three\x0cfour \ud800 “five”\n six"
    made = cases([voted(question=asked), voted("r2", good=False, question=asked)])
    written = "".join(f"{as_json(case)}\n" for case in made.cases)
    good, bad = evaluation.load(written, "cases.jsonl")
    assert good.question == bad.question == asked
    assert [gold.doc for gold in good.gold] == ["leave.md", "faq.md"]
