from masis.domain import Choice
from masis.graphs.research.disagreement import by_choice, disagreeing, unsettled
from masis.questions.choice import statement_of
from tests.masis.graphs.research.test_decisions import draft
from tests.scripted_agents import chunk, chunk_id, critique

PAPERS = [
    chunk(0, text="# Hours\n\nThe shop opens at 8. It has two doors."),
    chunk(1, text="Bring a coat. The shop opens at 9."),
    chunk(2, text="The shop opens at 10."),
]
ONE = f"[{chunk_id(0)}] says that it opens at 8, [{chunk_id(1)}] that it opens at 9."
THIRD = f"[{chunk_id(1)}] says 9, [{chunk_id(2)}] says 10"


def choice(kind: str, *documents: str) -> Choice:
    statements = [statement_of(each) for each in PAPERS[:2]]
    return Choice.model_validate(
        {"kind": kind, "statements": statements, "documents": list(documents)}
    )


def test_model_conflict_is_shown_verbatim() -> None:
    """A models conflict is shown in the documents words."""
    found = draft(evidence=PAPERS, critique=critique(conflicting_evidence=[ONE]))

    assert [said.text for said in disagreeing(found)] == [
        "The shop opens at 8.",
        "The shop opens at 9.",
    ]


def test_settled_documents_no_longer_conflict() -> None:
    """A conflict between those that were settled is none."""
    for kind in ("documents", "both", "neither", "undecided"):
        assert unsettled([ONE, THIRD], PAPERS, [choice(kind, "d_0")]) == [THIRD]


def test_unsettled_conflicts_all_stand() -> None:
    """Until something is settled every conflict stands."""
    unnamed = "the documents disagree"

    assert unsettled([ONE, unnamed], PAPERS, []) == [ONE, unnamed]
    assert unsettled([ONE, unnamed], PAPERS, [choice("unclear")]) == [ONE, unnamed]
    assert unsettled([ONE, unnamed], PAPERS, [choice("both")]) == []


def test_draft_knows_the_choice_behind_it() -> None:
    """A draft knows by what choice it was written."""
    cited = [chunk_id(0)]

    assert by_choice([choice("both")], cited, PAPERS) == "both"
    assert by_choice([choice("documents", "d_0")], cited, PAPERS) == "documents"
    assert by_choice([choice("documents", "d_1")], cited, PAPERS) is None
    assert by_choice([choice("neither")], cited, PAPERS) is None
    assert by_choice([choice("unclear")], cited, PAPERS) is None
