"""What a draft leaves open of its question."""

from collections.abc import Iterable

import pytest

from masis.domain import Question, WorkspaceId
from masis.questions.question_audit import (
    QuestionAudit,
    absent,
    audit,
    latest,
    names_absent,
    not_found,
)
from masis.text.lexical import terms
from tests.scripted_agents import chunk, chunk_id

SCOPE = WorkspaceId("w")
BROKER = chunk(0, text="The broker for the UK is Harrow and Pike.", context="Insurance")
DRAFT = f"The broker for the UK is Harrow and Pike [{chunk_id(0)}]."


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ("Who is the broker for the UK?", "Who is the broker for the UK?"),
        ("how long is it valid", "how long is it valid"),
        ("the UK one", "Who is it?\nthe UK one"),
        ("York?", "Who is it?\nYork?"),
        ("", "Who is it?"),
    ],
)
def test_reply_asking_anew_replaces_question(reply: str, asked: str) -> None:
    """A reply that asks anew is what is asked."""
    standalone = f"Who is it?\n{reply}".strip()

    assert latest(Question(text="Who is it?", standalone=standalone, reply=reply)) == asked


def test_last_question_line_counts() -> None:
    """Of several lines that ask the last counts."""
    asked = "Who won in Reykjavik last year?\nHow long is the lease of the yard?"

    assert latest(Question.plain(asked)) == "How long is the lease of the yard?"


class Words:
    """Documents of these words."""

    def __init__(self, text: str) -> None:
        self._known = frozenset(terms(text))

    async def known(self, workspace_id: WorkspaceId, words: Iterable[str]) -> frozenset[str]:
        assert workspace_id == SCOPE
        return self._known.intersection(words)


async def found(question: str, documents: str | None = None, draft: str = DRAFT) -> QuestionAudit:
    words = Words(documents) if documents is not None else None
    return await audit(question, draft, [BROKER], words, SCOPE)


async def test_country_mentioned_elsewhere_is_not_nowhere() -> None:
    """A country without mention is told from one that stands elsewhere."""
    nowhere = await found("which broker covers people in brazil?", "the broker covers people")
    elsewhere = await found("which broker covers people in brazil?", "broker covers people brazil")

    assert (nowhere.unmentioned, nowhere.nowhere) == (["brazil"], ["brazil"])
    assert (elsewhere.unmentioned, elsewhere.nowhere) == (["brazil"], [])


async def test_thing_of_no_document_is_absent() -> None:
    """Where the words of the documents are known; the evidence counts as one of them."""
    words = Words("the broker covers people")

    assert await names_absent("who insures the zeppelin?", [BROKER], words, SCOPE)
    assert not await names_absent("which broker covers people?", [BROKER], words, SCOPE)
    assert not await names_absent("who insures the zeppelin?", [BROKER], None, SCOPE)


async def test_known_synonyms_are_not_absent() -> None:
    """What documents call otherwise is there."""
    words = Words("The refrigerator is emptied on Mondays.")
    assert not await names_absent("when do they clear the fridge?", [BROKER], words, SCOPE)
    assert await names_absent("when do they clear the aquarium?", [BROKER], words, SCOPE)


async def test_unknown_document_words_make_nothing_absent() -> None:
    """Without the words of the documents nothing is absent."""
    result = await found("which broker covers people in brazil?")

    assert (result.unmentioned, result.nowhere, result.absent) == (["brazil"], [], [])


async def test_a_clear_answer_leaves_nothing_open() -> None:
    result = await found("Who is the broker for the UK?", "broker uk harrow pike")

    assert result == QuestionAudit(nearest=[0], nearest_share=1.0)


async def test_draft_statements_separate_question_parts() -> None:
    """Parts are told apart by what the draft states."""
    result = await found("Who is the broker for the UK, and why?", "broker uk")

    assert (result.answered, result.unanswered) == (["Who is the broker for the UK"], ["why"])


async def test_bare_figures_are_no_choice() -> None:
    rows = chunk(
        0, text="Line: Pumps | Change: +125\nLine: Skids | Change: -33\nLine: Kilns | Change: +9"
    )
    left = await audit("what was the change in the first quarter", DRAFT, [rows], None, SCOPE)
    assert left.readings.options == []


async def test_quoted_open_point_is_told() -> None:
    point = chunk(0, text="# Open points\n\n- Who is the broker for Peru? Ada asks.")
    draft = f"- Who is the broker for Peru? Ada asks [{chunk_id(0)}]."

    asked = await audit("who is the broker for peru", draft, [point], None, SCOPE)
    listed = await audit("what are the open points", draft, [point], None, SCOPE)
    assert (asked.open_point, listed.open_point) == (True, False)


async def test_a_hedge_answers_no_part() -> None:
    hedged = f"{DRAFT} The reason for that is not provided [{chunk_id(0)}]."

    result = await found("Who is the broker for the UK, and why?", "broker", hedged)

    assert result.unanswered == ["why"]


async def test_calculation_finding_follows_cited_figures() -> None:
    """A calculation is asked of what is cited."""
    draft = f"Leeds has 40 desks, Hull has 32 [{chunk_id(0)}]. In total that is 72 desks."

    assert (await found("How many desks in total?", draft=draft)).calculation


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("What is the stock price?", ["stock price"]),
        ("does the firm have a whistleblowing hotline", ["whistleblowing hotline"]),
        ("What is Crowther's fee?", ["Crowther"]),
        ("Who greenlights the budget?", []),
        ("Can we waive the fee?", []),
        ("How loud is the van?", []),
        ("Thanks! Whats the max fee please?", []),
        ("My sister rang from Oslo. What is the fee?", []),
        ("What is the budgte?", []),
        ("How much higher is the fee than the budget, both combined?", []),
        ("What is the van rate?", []),
        ("Is the van heavier than the budget?", []),
        ("How long does the van take?", []),
        ("What is the R&D budget?", []),
        ("where does the van gather if somebody dies", []),
        ("somebodys nicked the van", []),
        ("How many days of annual leave are there?", ["annual leave"]),
        ("can I get 800 euros of the budget", []),
        ("Hiya, can I drive the van myself?", []),
        ("duration and fee of the van?", []),
        ("unused budget until when", []),
        ("Good morning everyone, is there parking for the van?", ["parking"]),
    ],
)
def test_absent_things_keep_question_spelling(question: str, things: list[str]) -> None:
    """Absent things are named as the question writes them."""
    evidence = "The fee for the van. The budget for research and development."

    assert absent(question, frozenset(terms("fee budget van")), evidence) == things


def test_long_unknown_question_is_named_briefly() -> None:
    """A question of unknown words alone is told in short."""
    things = absent("What is " + "zorgle " * 490, frozenset())

    assert things
    assert all(len(thing) < 60 for thing in things)


async def test_nothing_found_names_absent_words() -> None:
    """Where nothing was found what no document has is said."""
    result = await not_found("Is there a pool in Brazil?", Words("office desk"), SCOPE)

    assert (result.nowhere, result.absent) == (["Brazil"], ["pool", "Brazil"])
    assert await not_found("Is there a pool in Brazil?", None, SCOPE) == QuestionAudit()
