"""Commands on the last answer of a thread, through the graph, with and without a model."""

import pytest

from masis.answering import citations
from masis.domain import Answered
from masis.graphs.chat import texts
from tests.masis.graphs.chat.talking import (
    ASKED,
    EXCHANGE,
    KILN,
    RATES,
    ScriptedMemory,
    ScriptedReworder,
    Talk,
    answered,
    back,
    kept,
    trace,
)
from tests.scripted_agents import chunk


def cited(answer: Answered) -> list[str]:
    return [each.chunk_id for each in answer.citations]


def assert_sound(answer: Answered) -> None:
    """Every citation is one of the answer before, and nothing is uncited."""
    assert answer.audit.invalid == []
    assert answer.audit.uncited == []
    assert answer.audit.unsupported == []
    assert citations.NOT_FOUND_MARK not in answer.answer


@pytest.mark.parametrize("typed", ["search wider", "can you look again?", "is that all?"])
async def test_wider_asks_the_same_question(typed: str) -> None:
    talk = Talk()
    request = await talk.onward(typed)
    assert request.wider
    assert request.question.standalone == ASKED
    assert [each.query for each in request.searches] == [ASKED]


@pytest.mark.parametrize("typed", ["show me the source", "where does it say that?", "says who?"])
async def test_sources_are_shown_with_places(typed: str) -> None:
    talk = Talk()
    answer = await talk.answer(typed)
    assert answer.answer.startswith(texts.SOURCES)
    assert "Paper 1: “The kiln is fired" in answer.answer
    assert cited(answer) == [KILN.chunk_id, RATES.chunk_id]
    assert answer.badge is None
    assert not answer.small_talk
    assert answer.understood == ASKED
    assert_sound(answer)
    assert talk.probe.asked == []


async def test_shorter_is_the_first_point() -> None:
    answer = await Talk().answer("shorter please")
    assert answer.answer.startswith(texts.FIRST_POINT)
    assert "Mondays" in answer.answer
    assert "pounds" not in answer.answer
    assert cited(answer) == [KILN.chunk_id]
    assert answer.badge == answered().badge
    assert_sound(answer)


async def test_first_point_of_two_sentences_stays_cited() -> None:
    draft = f"Firing:\n\n- The kiln is fired on Mondays and Thursdays. Ask Ada [{KILN.chunk_id}]."
    run = kept(outcome=answered(draft).model_dump(mode="json"))
    answer = await Talk(memory=ScriptedMemory(runs=[run])).answer("shorter please")
    assert answer.audit.uncited == []


async def test_one_point_gets_no_shorter() -> None:
    draft = f"The kiln is fired on Mondays and Thursdays [{KILN.chunk_id}]."
    run = kept(outcome=answered(draft).model_dump(mode="json"))
    answer = await Talk(memory=ScriptedMemory(runs=[run])).answer("tldr")
    assert answer.answer.startswith(texts.ONLY_POINT)


async def test_more_is_the_rest_of_passages() -> None:
    answer = await Talk().answer("tell me more")
    assert "Mugs must dry for 48 hours" in answer.answer
    assert "Members pay 9 pounds" in answer.answer
    assert "Mondays" not in answer.answer
    assert answer.badge is None
    assert_sound(answer)


async def test_more_of_nothing_searches_wider() -> None:
    said = " ".join(
        f"{sentence} [{each.chunk_id}]."
        for each in (KILN, RATES)
        for sentence in each.text.rstrip(".").split(". ")
    )
    run = kept(outcome=answered(said).model_dump(mode="json"))
    assert (await Talk(memory=ScriptedMemory(runs=[run])).onward("more details")).wider


async def test_language_needs_a_model() -> None:
    answer = await Talk().answer("auf Deutsch bitte")
    assert answer.answer == texts.NO_LANGUAGE
    assert answer.small_talk


async def test_a_model_says_it_in_german() -> None:
    german = f"Der Ofen wird montags und donnerstags gebrannt [{KILN.chunk_id}]."
    reworder = ScriptedReworder(german)
    answer = await Talk(reworder=reworder).answer("in German please")
    assert reworder.languages == ["German"]
    assert answer.answer == "Der Ofen wird montags und donnerstags gebrannt [1]."
    assert answer.badge is not None
    assert answer.badge.level == "Not audited"
    assert answer.confidence == 0.0


@pytest.mark.parametrize(
    "said",
    [
        None,
        "The kiln is fired on Mondays.",
        "The kiln is fired on Mondays [c_zzzzzzzzzzzz].",
        f"A shelf costs 15 pounds a week [{RATES.chunk_id}].",
    ],
)
async def test_a_model_adds_nothing(said: str | None) -> None:
    """Without its citations, or with another figure, the answer stays as it was."""
    talk = Talk(reworder=ScriptedReworder(said))
    assert (await talk.answer("in german")).answer == texts.NOT_REWORDED
    assert (await talk.answer("shorter")).answer.startswith(texts.FIRST_POINT)


@pytest.mark.parametrize(
    "runs",
    [
        [],
        [kept(blanked=True)],
        [kept(status="needs_clarification", outcome=back().model_dump(mode="json"))],
        [kept(workspace_id="w_bbbbbbbbbbbb")],
    ],
    ids=["gone", "blanked", "asked back", "of another workspace"],
)
async def test_without_an_answer_none_is_shown(runs: list) -> None:  # type: ignore[type-arg]
    talk = Talk(memory=ScriptedMemory(runs=runs))
    assert (await talk.answer("show me the source")).answer == texts.NO_ANSWER
    assert (await talk.onward("tell me more")).wider


@pytest.mark.parametrize("said", ["show me the source", "shorter please", "make it a list"])
async def test_what_a_question_back_showed_is_shown(said: str) -> None:
    """The nearest that was found is not called an answer, and has no other badge than it had."""
    run = kept(
        status="needs_clarification",
        outcome=back(nearest="The kiln is fired on Mondays and Thursdays [1].").model_dump(
            mode="json"
        ),
    )
    told = await Talk(memory=ScriptedMemory(runs=[run])).answer(said)
    assert told.answer.startswith(texts.UNSURE)
    assert told.badge is None


async def test_a_list_repeats_each_point() -> None:
    told = await Talk().answer("make it a list")
    assert told.answer.startswith(texts.POINTS)
    assert told.answer.count("\n- ") == 2


async def test_a_named_file_stays_named() -> None:
    asked = EXCHANGE.model_copy(update={"standalone": "When is the kiln fired? @rota.md"})
    request = await Talk(memory=ScriptedMemory(exchanges=[asked])).onward("search wider")
    assert [each.document for each in request.searches] == ["rota.md"]


async def test_the_trail_says_what_was_recalled() -> None:
    talk = Talk()
    await talk.answer("source?")
    entry = trace(talk, "recaller")
    assert (entry["command"], entry["of"], entry["searches"]) == ("source", "run-1", False)


async def test_a_long_passage_is_cut_around() -> None:
    """What bears out the claim is shown of it."""
    long = KILN.model_copy(update={"text": "Clay is kept dry in the shed. " * 40 + KILN.text})
    run = kept(evidence=[long, RATES])
    answer = await Talk(memory=ScriptedMemory(runs=[run])).answer("show me the source")
    line = next(line for line in answer.answer.splitlines() if "[1]" in line)
    assert "fired on Mondays" in line
    assert len(line) < 600


async def test_each_cited_sentence_is_shown() -> None:
    """Of a long passage every sentence that a claim rests on is shown, however far they are apart."""
    sentences = [*(f"Shed {n} is kept dry and locked at night." for n in range(60)), KILN.text]
    long = KILN.model_copy(update={"text": " ".join(sentences)})
    draft = (
        f"Mugs must dry for 48 hours before they are glazed [{KILN.chunk_id}]."
        f" At night shed 7 is locked [{KILN.chunk_id}]."
    )
    run = kept(outcome=answered(draft, [long]).model_dump(mode="json"), evidence=[long])
    answer = await Talk(memory=ScriptedMemory(runs=[run])).answer("show me the source")
    line = next(line for line in answer.answer.splitlines() if "[1]" in line)
    assert "Shed 7 is kept dry and locked at night." in line
    assert "Mugs must dry for 48 hours before they are glazed." in line
    assert line.count("…") == 2
    assert len(line) < 600


async def test_documents_smuggle_no_citation() -> None:
    """An id that a passage holds is no citation when it is quoted."""
    text = (
        f"The kiln is fired on Mondays and Thursdays, see [{RATES.chunk_id}] and [c_zzzzzzzzzzzz]."
    )
    bad = KILN.model_copy(update={"text": text})
    draft = f"The kiln is fired on Mondays and Thursdays [{KILN.chunk_id}]."
    run = kept(outcome=answered(draft).model_dump(mode="json"), evidence=[bad])
    answer = await Talk(memory=ScriptedMemory(runs=[run])).answer("source?")
    assert cited(answer) == [KILN.chunk_id]
    assert answer.audit.invalid == []


# --- a table, a part, a message --------------------------------------------------------------


async def test_table_has_a_row_for_each_point() -> None:
    """A row is a point with where it stands, and the points stand above it with their citations."""
    answer = await Talk().answer("put that in a table for me")
    [table] = answer.tables
    assert [each.name for each in table.columns] == [texts.SAYS, texts.STANDS_IN]
    assert [row[0] for row in table.rows] == [
        "The kiln is fired on Mondays and Thursdays.",
        "A shelf of the kiln costs 12 pounds a week.",
    ]
    assert table.sources == cited(answer)
    assert_sound(answer)


async def test_keys_of_points_become_columns() -> None:
    """What an answer says of items by the same keys stands below these."""
    prices = chunk(3, text="Small shelf – Price: £12; Days: 7\n\nLarge shelf – Price: £20; Days: 7")
    listed = "\n".join(
        f"- {each} [{prices.chunk_id}]"
        for each in ("Small shelf – Price: £12; Days: 7", "Large shelf – Price: £20; Days: 7")
    )
    outcome = answered(listed, [prices]).model_dump(mode="json")
    run = kept(outcome=outcome, evidence=[prices])
    answer = await Talk(memory=ScriptedMemory(runs=[run])).answer("as a table please")
    [table] = answer.tables
    assert [each.name for each in table.columns][:-1] == [texts.ITEM, "Price", "Days"]
    assert [row[:-1] for row in table.rows] == [
        ["Small shelf", "£12", "7"],
        ["Large shelf", "£20", "7"],
    ]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("shorter please, the shelf bit", ["A shelf of the kiln costs 12 pounds a week."]),
        ("only the part about Mondays", ["The kiln is fired on Mondays and Thursdays."]),
        ("just the bit about mugs", ["Mugs must dry for 48 hours before they are glazed."]),
        ("just the number please", ["A shelf of the kiln costs 12 pounds a week."]),
    ],
)
async def test_part_is_what_speaks_of_it(typed: str, said: list[str]) -> None:
    """A part is shown from the answer, else from the passages that it cites."""
    answer = await Talk().answer(typed)
    lines = [line for line in answer.answer.splitlines() if line.startswith("- ")]
    assert [line[2:].rpartition(" [")[0] for line in lines] == said
    assert_sound(answer)


async def test_part_of_nothing_is_said() -> None:
    answer = await Talk().answer("shorter please, the abroad bit")
    assert answer.answer == texts.NO_PART.format(words="abroad")


@pytest.mark.parametrize(
    ("typed", "lead"),
    [("in plain english please", texts.PLAINER), ("write that as an email", texts.WRITTEN)],
)
async def test_what_needs_a_model_is_said(typed: str, lead: str) -> None:
    """Without a model the points are shown, and it is said that they are no more than that."""
    answer = await Talk().answer(typed)
    assert answer.answer.startswith(lead)
    assert_sound(answer)
