from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import EvidenceChunk
from masis.extractive.selection import (
    ANSWER_CHARS,
    MAX_ITEMS,
    MAX_STATEMENTS,
    choose,
    of_a_kind,
    of_the_month,
    readable,
)
from masis.ports import Vectors
from masis.retrieval.extraction import Scored, kinds_asked_for, passages, score
from tests.examples import examples
from tests.scripted_agents import chunk

LEAVE = chunk(
    0,
    text="Every employee has 26 days of annual leave a year. Up to 4 days may be carried over.",
    rank_score=0.9,
)
CANTEEN = chunk(
    1, text="The canteen on the ground floor opens at noon on weekdays.", rank_score=0.3
)
QUESTION = "How many days of annual leave does an employee have?"


def read(question: str, *evidence: EvidenceChunk) -> list[Scored]:
    """The passages scored by words alone, every term weighing the same."""
    return score(question, passages(evidence), None, None, {})


def quoted(question: str, *documents: str) -> list[str]:
    """What is chosen of these texts, by words alone."""
    evidence = [chunk(n, text=text) for n, text in enumerate(documents)]
    return texts(choose(read(question, *evidence), None))


def texts(scored: list[Scored]) -> list[str]:
    return [one.passage.text for one in scored]


TEXTS = st.lists(
    st.sampled_from(
        [
            "The office opens at 08:30.",
            "# Opening hours",
            "- bring a passport",
            "Bring these:",
            "Product: pump | Price: 40",
            "| a | b |\n|---|---|\n| 1 | 2 |",
            "```\ncode [c_aaaaaaaaaaaa]\n```",
            "> quoted words stand here.",
            "“Never open it.”",
            "It is late. However it came.",
            "\n",
            "漢字と仮名。二番目の文。",
            "a" * 900,
            "…",
            "\x00\ufeff",
        ]
    )
    | st.text(max_size=80),
    max_size=12,
).map("\n".join)


def test_best_is_chosen_without_inferior_ones() -> None:
    """The best is chosen and what is far below it is not."""
    chosen = texts(choose(read(QUESTION, LEAVE, CANTEEN), None))

    assert "Every employee has 26 days of annual leave a year." in chosen
    assert CANTEEN.text not in chosen


def test_nothing_to_choose_from_gives_nothing() -> None:
    assert choose([], None) == []


def test_sentence_within_chosen_one_is_skipped() -> None:
    """A sentence inside a chosen one is not chosen too."""
    whole = "Every employee has 26 days of annual leave a year, and part-time staff pro rata."
    inside = "Every employee has 26 days of annual leave a year"
    chosen = texts(choose(read(QUESTION, chunk(0, text=whole), chunk(1, text=inside)), None))

    assert len([text for text in chosen if "26 days" in text]) == 1


def same_direction(count: int) -> Vectors:
    return np.stack([np.array([1.0, 0.0], dtype=np.float32)] * count)


def test_sentence_replaces_title_it_repeats() -> None:
    """A sentence takes the place of a title that it repeats."""
    text = "- Gloves\n\nNitrile gloves of 0.4 mm are worn for all work with acid."
    scored = read("gloves", chunk(0, text=text))

    assert texts(choose(scored, None)) == [
        "Nitrile gloves of 0.4 mm are worn for all work with acid."
    ]


def test_paraphrase_with_other_figures_is_kept() -> None:
    """The same said in other words is chosen once but other figures stay."""

    def chosen(second: str) -> list[str]:
        first = "Every employee has 26 days of annual leave a year."
        found = passages([chunk(0, text=first), chunk(1, text=second)])
        vectors = same_direction(len(found))
        return texts(choose(score(QUESTION, found, vectors[0], vectors, {}), vectors))

    assert len(chosen("An employee gets 26 days of annual leave each year.")) == 1
    assert len(chosen("An employee gets 30 days of annual leave each year.")) == 2


ITEMS = ["a passport for the visit", "a letter for the visit", "a photo for the visit"]


def test_short_list_mostly_chosen_is_completed() -> None:
    """A short list is shown whole once most of it was chosen."""
    items = "\n".join(f"- {item}" for item in [*ITEMS, "one pound in coins"])
    evidence = chunk(0, text=f"For the visit bring:\n\n{items}")
    chosen = texts(choose(read("What must I bring for the visit?", evidence), None))

    assert set(chosen) == {*ITEMS, "one pound in coins"}


def test_rows_of_two_tables_stay_separate() -> None:
    """Rows of two tables are not taken for one list."""
    prices = "\n".join(f"Pump: W{n} | Price: {n}00" for n in range(3))
    weights = "\n".join(f"Valve: V{n} | Weight: {n} kg" for n in range(3))
    evidence = chunk(0, text=f"{prices}\n\n{weights}")
    chosen = texts(choose(read("What is the price of each pump?", evidence), None))

    assert chosen
    assert all(text.startswith("Pump:") for text in chosen)


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4), st.sampled_from([QUESTION, "Price?", "x", "漢字"]))
def test_choice_is_bounded_distinct_and_nonempty(documents: list[str], question: str) -> None:
    """The choice is bounded distinct and holds the best."""
    scored = read(question, *(chunk(n, text=text or " ") for n, text in enumerate(documents)))
    chosen = choose(scored, None)

    keys = Counter(one.passage.key for one in chosen)
    assert set(keys) <= {one.passage.key for one in scored}
    assert all(count == 1 for count in keys.values())
    assert len(chosen) <= MAX_STATEMENTS * MAX_ITEMS
    assert bool(chosen) == bool(scored)


# --- what is left out ----------------------------------------------------------------------


def test_redundant_passage_is_left_out() -> None:
    """What adds nothing to the chosen is left out."""
    chosen = quoted(
        "Which gloves are worn for acid?",
        "Nitrile gloves of 0.4 mm are worn for acid.\n\n# Store\n\nGloves lie in the store.",
    )

    assert chosen == ["Nitrile gloves of 0.4 mm are worn for acid."]


def test_passage_covering_another_word_is_added() -> None:
    """What covers another word of the question is added."""
    chosen = quoted(
        "Which gloves are worn, and where is the eyewash?",
        "Gloves of nitrile are worn.\n\n# Size\n\nMost gloves are large.\n\n"
        "# Places\n\nThe eyewash is beside the gloves.",
    )

    assert chosen == ["Gloves of nitrile are worn.", "The eyewash is beside the gloves."]


def test_passage_improving_similarity_is_added() -> None:
    """What brings the vectors nearer to the question is added."""
    said = ["The left one is on the shelf.", "It is on the left.", "The right one is in a drawer."]
    found = passages([chunk(n, text=text, document_id="d") for n, text in enumerate(said)])
    asked: Vectors = np.array([0.8, 0.6, 0.0], dtype=np.float32)
    vectors: Vectors = np.array([[1, 0, 0], [0.75, 0, 0.66], [0, 1, 0]], dtype=np.float32)
    scored = score("", found, asked, vectors, {})

    assert [round(one.cosine, 2) for one in scored] == [0.8, 0.6, 0.6]
    assert texts(choose(scored, vectors)) == [said[0], said[2]]


def test_answer_has_at_most_four_sentences() -> None:
    """An answer has four sentences at most."""
    many = " ".join(f"The pump of line {n} may run for {n} hours." for n in range(2, 12))

    assert len(quoted("How long may the pump run?", many)) == MAX_STATEMENTS


def test_sentence_with_antecedent_counts_twice() -> None:
    """A sentence that brings another along counts twice."""
    text = "\n\n".join(
        f"# {n}\n\nLine {n} is old. It has a pump that may run for {n} hours." for n in range(2, 9)
    )
    chosen = choose(read("How long may the pump run?", chunk(0, text=text)), None)

    brought = {one.passage.before for one in chosen if one.passage.dangling}
    assert len(set(texts(chosen)) | brought) <= MAX_STATEMENTS


def test_question_in_document_is_no_answer() -> None:
    """A question in a document is no answer."""
    text = "How many days of annual leave does an employee have? It is 26 days of annual leave."

    assert quoted(QUESTION, text) == ["It is 26 days of annual leave."]
    assert quoted(QUESTION, "How many days of leave are there?") == [
        "How many days of leave are there?"
    ], "better than nothing"


def test_row_of_another_code_is_excluded() -> None:
    """A row with another code is about another thing."""
    rows = "\n".join(f"Item: {n} diaphragm | Counted: {n % 97}" for n in range(4466, 4473))

    assert quoted("What was the count of the 4471 diaphragm?", rows) == [
        "Item: 4471 diaphragm | Counted: 9"
    ]


def test_each_asked_code_gets_its_row() -> None:
    """Of two codes asked for each has its row."""
    rows = "\n".join(f"Item: {n} diaphragm | Counted: {n % 97}" for n in range(4466, 4473))

    assert quoted("What were the counts of the 4471 and the 4468 diaphragm?", rows) == [
        "Item: 4468 diaphragm | Counted: 6",
        "Item: 4471 diaphragm | Counted: 9",
    ]


def test_item_of_another_number_is_excluded() -> None:
    """An item with another number is about another thing."""
    plays = "\n".join(f"- Play {n} - Learn about matter number x{n}x" for n in range(1, 9))

    assert quoted("What is play 7 about?", plays) == ["Play 7 - Learn about matter number x7x"]


def test_document_name_completes_its_items() -> None:
    """An item lacks nothing that its documents name says."""
    items = (
        "- Scrap 2.9%, chiefly first pieces from moulds\n- Board date: Q2 2026 figures, see below"
    )
    pack = chunk(0, text=items, document="board-pack-2026-Q2.pptx")

    assert "Scrap 2.9%, chiefly first pieces from moulds" in texts(
        choose(read("scrap of first pieces from moulds Q2 2026?", pack), None)
    )


def test_second_document_must_score_nearly_alike() -> None:
    """Another document must be nearly as good."""
    other = "Leave of an employee is booked in the portal, days ahead."

    assert quoted(QUESTION, LEAVE.text, other)[0] == texts(read(QUESTION, LEAVE))[0]
    assert other not in quoted(QUESTION, LEAVE.text, other)


# --- questions in parts --------------------------------------------------------------------


@pytest.mark.parametrize(("cosine", "is_quoted"), [(0.9, True), (0.3, False)])
def test_question_part_gets_its_nearest_passage(cosine: float, *, is_quoted: bool) -> None:
    """A part of the question gets the passage near to it."""
    scored = read(QUESTION, LEAVE, CANTEEN)
    near = [cosine if one.passage.text == CANTEEN.text else -1.0 for one in scored]

    assert (CANTEEN.text in texts(choose(scored, None, [near]))) is is_quoted


def test_answer_to_part_replaces_weakest_passage() -> None:
    """The answer to a part takes the place of the weakest."""
    many = chunk(0, text=" ".join(f"The pump {n} may run for {n} hours." for n in range(2, 12)))
    scored = read("How long may the pump run?", many, CANTEEN)
    near = [0.9 if one.passage.text == CANTEEN.text else 0.0 for one in scored]
    chosen = texts(choose(scored, None, [near]))

    assert CANTEEN.text in chosen
    assert len(chosen) == MAX_STATEMENTS


# --- what belongs to the answer, and what does not -------------------------------------------

LEAVE_RULE = "- for US staff five days of carers leave\n- others have ten days a year"


def test_a_short_list_keeps_its_exceptions() -> None:
    """Show the other items of a list of three at most: one alone would say something else."""
    evidence = f"Carers leave:\n\n{LEAVE_RULE}"

    assert quoted("How many days of carers leave has US staff?", evidence) == [
        "for US staff five days of carers leave",
        "others have ten days a year",
    ]


def test_a_sentence_that_takes_back_stays() -> None:
    """Show the sentence behind the best one that limits it, however little it shares with it."""
    rule = "Staff may carry over four days of annual leave."
    limit = "However, nobody in probation may."

    assert limit in quoted("How many days of annual leave may staff carry over?", f"{rule} {limit}")


def test_requested_steps_are_quoted_whole() -> None:
    """Show every step of the list that answers how something is done, in the list's order."""
    steps = [
        "Release the pressure.",
        "Fit the ring.",
        "Screw the gauge in by hand to mount it.",
        "Connect the cable.",
        "Wait two minutes.",
    ]
    evidence = [chunk(0, text="Mounting\n" + "\n".join(f"- {step}" for step in steps))]
    scored = read("How do I mount the gauge by hand?", *evidence)

    assert set(texts(choose(scored, None, wants_list=True))) == set(steps)
    assert len(choose(scored, None)) < len(steps)


def test_an_answer_fits_into_its_characters() -> None:
    """Leave out the weakest sentences of an answer that would be read by nobody."""
    rows = [
        f"The annual leave of grade {n} in days is {n}, {'as agreed with all of the staff, ' * 8}."
        for n in range(4)
    ]
    chosen = quoted("What is the annual leave in days of a grade?", *rows)

    assert chosen
    assert sum(map(len, chosen)) <= ANSWER_CHARS


@pytest.mark.parametrize(
    "line",
    [
        "[TEAMMATE NAME] has requested 26 days of annual leave for an employee.",
        "{{name}} has 26 days of annual leave, an employee says.",
        "Employee ________ has 26 days of annual leave.",
        "Version: 2 Owner: Priya Raman, days of annual leave of an employee.",
        "This policy replaces the annual leave days an employee had before.",
    ],
)
def test_forms_are_not_quoted_as_facts(line: str) -> None:
    """Pass over placeholders of templates and a document's head where something else is there."""
    assert quoted(QUESTION, line, LEAVE.text) == quoted(QUESTION, LEAVE.text)


def test_requested_heading_is_quoted() -> None:
    """Quote who owns a document where that is the question."""
    line = "Owner: Priya Raman keeps the price list."

    assert line in quoted("Who is the owner of the price list?", line, CANTEEN.text)


def test_row_starting_with_date_is_content() -> None:
    """Quote rows of a table whose first column is named as a document's head names things."""
    rows = "Date: 9 October | Trip: Whitby Abbey | Cost: 38\nDate: 3 December | Trip: Pantomime | Cost: 14"

    assert (
        quoted("What does the trip to Whitby Abbey cost?", rows, CANTEEN.text)[0]
        == (rows.splitlines()[0])
    )


def test_item_without_figures_is_kept() -> None:
    """Drop an item for the question's code only where it has a figure of its own."""
    items = (
        "- Year 7 pupils arrive early\n- Pupils bring a pencil case\n- Year 8 pupils arrive late"
    )

    chosen = quoted("What do year 7 pupils bring?", f"The first day\n{items}")

    assert "Pupils bring a pencil case" in chosen
    assert "Year 8 pupils arrive late" not in chosen


# --- what was named ------------------------------------------------------------------------

FEES = "Berth: Summer | Fee: £30\nBerth: Winter | Fee: £12\nBerth: Day | Fee: £9"


def test_rows_of_unnamed_things_are_dropped() -> None:
    """Rows of other things than the named one go."""
    assert quoted("fee of a winter berth", FEES) == ["Berth: Winter | Fee: £12"]


def test_question_without_row_keeps_tiers() -> None:
    """Where the question names no row the tiers stay."""
    assert len(quoted("fee of a berth", FEES)) == 3


def test_row_for_all_covers_named_one() -> None:
    """A row for all holds for the named one."""
    rows = "Work: Cleaning | Pier: North | By: Finch\nWork: Cleaning | Pier: South | By: Lund"
    chosen = quoted(
        "who does the cleaning of the north pier", f"{rows}\nWork: Bins | Pier: All | By: Marsh"
    )

    assert not any("Lund" in text for text in chosen)


def test_one_compared_name_may_be_misspelt() -> None:
    """Of two that are compared one may be misspelt."""
    scored = read("differnce in fee of a winter and sumer berth", chunk(0, text=FEES))

    assert len(readable(scored, compares=True)) == 3
    assert len(readable(scored)) == 1


def test_equally_near_rule_is_kept() -> None:
    """A rule that is as near as the best stays."""
    rules = "North crew have 26 free days a year. South crew have 27 free days a year."

    assert len(quoted("how many free days do I have", f"{rules} The crew meet on the pier.")) == 2


def test_question_for_all_gets_whole_table() -> None:
    """All of a kind are the whole table."""
    rows = "\n".join(f"Boat: Boat {n}{n} | Berth: {n}" for n in "ABCDEFGHIJ")
    scored = read("list all boats", chunk(0, text=rows))

    assert len(choose(scored, None, wants_list=True, shape="all")) == 10


def test_a_short_section_of_steps_is_whole() -> None:
    steps = "Bring the green form to the office. The clerk signs it. It takes four days."
    evidence = chunk(0, text=f"# Badges\n\n{steps}\n\n# Lockers\n\nThe key hangs in the office.")

    chosen = choose(read("how do I get badges with the green form?", evidence), None, shape="steps")

    assert " ".join(texts(chosen)) == steps


def test_only_steps_continue_into_next_chunk() -> None:
    """Steps go on in the next chunk and nothing else does."""
    lead = "Tying up in six steps:"
    one = chunk(
        0, document_id="d", position=0, text=f"{lead}\n\n- Turn\n- Slow down\n- Throw the rope"
    )
    two = chunk(
        1,
        document_id="d",
        position=1,
        text=f"{lead}\n\n- Pull in\n- Make fast\n- Stop the engine\n\n# Knots\n\nA knot for tying up holds.",
    )
    scored = read("steps for tying up", one, two)
    chosen = texts(choose(scored, None, wants_list=True, shape="steps"))

    assert sorted(chosen) == sorted(
        ["Turn", "Slow down", "Throw the rope", "Pull in", "Make fast", "Stop the engine"]
    )


def test_name_is_quoted_without_its_list() -> None:
    """A name stands without the rest of its list."""
    slide = "- Ada Finch, Harbour Master\n- Bo Lund, Purser\n- Board of 3 May · Restricted"
    scored = read("who is the harbour master", chunk(0, text=slide))

    assert texts(choose(scored, None, shape="name")) == ["Ada Finch, Harbour Master"]


@pytest.mark.parametrize(
    "line",
    [
        "The plan sets out the berth fees for guests at the pier.",
        "It replaces the berth fees for guests of last year.",
        "Version 3.1 – valid from 1 May 2031 – berth fees for guests",
    ],
)
def test_document_self_description_is_no_answer(line: str) -> None:
    """What a document says of itself is no answer."""
    rule = "Guests pay £12 a night."

    assert quoted("berth fees for guests", f"{line}\n\n{rule}") == [rule]


def test_unit_after_row_name_is_ignored() -> None:
    """A unit behind a name does not hide it."""
    rows = "Revenue, £ million | 2031: 7\nProfit, £ million | 2031: 2"

    assert quoted("revenue 2031", rows) == ["Revenue, £ million | 2031: 7"]


def test_cell_text_after_name_still_counts() -> None:
    """What follows a name in its cell still counts."""
    rows = "Line: Berth, summer | Fee: £30\nLine: Storage, winter | Fee: £12"

    assert "Line: Storage, winter | Fee: £12" in quoted("berth fee in winter", rows)


def test_sentence_leaning_on_preamble_is_dropped() -> None:
    """What leans on a documents head goes with it."""
    report = (
        "This report describes what happened at the lock. It does not look for somebody to blame. "
        "At the lock the upper gate jammed at 05:10."
    )

    assert quoted("what happened at the lock gate", report) == [
        "At the lock the upper gate jammed at 05:10."
    ]


BERTHS = (
    "# Berth classes\n\nEvery boat lies at one of them.\n\n"
    "Class: A | Length: to 6 m\nClass: B | Length: to 9 m\nClass: C | Length: longer"
)


def of_this_kind(question: str, text: str) -> list[str]:
    found = of_a_kind(kinds_asked_for(question), read(question, chunk(0, text=text)))
    return texts(choose(found, None, wants_list=True, shape="all")) if found else []


def test_table_of_asked_kind_is_quoted() -> None:
    """The table of what is asked for is the answer."""
    assert of_this_kind("berth classes", BERTHS) == [
        "Class: A | Length: to 6 m",
        "Class: B | Length: to 9 m",
        "Class: C | Length: longer",
    ]


@pytest.mark.parametrize("question", ["berth class of my boat", "lengths of boats"])
def test_other_questions_skip_the_whole_table(question: str) -> None:
    """Another question is not for the whole table."""
    assert of_this_kind(question, BERTHS) == []


def test_distant_table_is_no_answer() -> None:
    """A table far from the question is not the answer."""
    text = f"{BERTHS}\n\nSailing classes for children are on Saturdays in the harbour school."

    assert of_this_kind("sailing classes for children in the harbour school", text) == []


SHIFTS = (
    "# Shifts\n\n"
    "From: 7 Jul 2026 | Name: Ada Lund\nFrom: 4 Aug 2026 | Name: Bo Quist\nFrom: later | Name: Cy Vane"
)


def test_rows_of_another_month_are_left_out() -> None:
    """Where a table has some of the month that is asked for; else all stay."""
    found = read("shifts", chunk(0, text=SHIFTS))

    kept = texts(of_the_month("who has the shifts starting in july?", found))
    assert len(found) - len(kept) == 1
    assert not any("Bo Quist" in text for text in kept)
    assert of_the_month("who has the shifts starting in may?", found) == found
    assert of_the_month("who has shifts?", found) == found
