import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import EvidenceChunk, Place
from masis.phrases.held_roles import names_somebody
from masis.ports import Vectors
from masis.retrieval.extraction import (
    MAX_PASSAGES,
    MAX_UNIT_CHARS,
    Scored,
    asks_for_list,
    embedded_text,
    fits,
    holding_role,
    passages,
    score,
    wanted,
)
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


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("turned", [False, True])
def test_repeated_sentence_is_of_version_in_force(*, turned: bool) -> None:
    """What an older version says as well is that of the one in force, whichever was found first."""
    answer = "Your line manager should answer within 5 working days."
    old = chunk(2, text=f"{answer} Up to 3 days may be carried over.", replaced_by="d_3")
    new = chunk(3, text=f"Leave is asked for in the portal. {answer}")
    found = passages([new, old] if turned else [old, new])

    assert [p.chunk.document_id for p in found if p.text == answer] == ["d_3"]
    assert len(found) == 3


# --- the kind of question ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When does the office open?", "time"),
        ("How long is the notice period?", "time"),
        ("By what time must I call in sick?", "time"),
        ("How fast are requests decided?", "time"),
        ("ERP upgrade date?", "time"),
        ("How much does a Wharfe 60 cost?", "money"),
        ("What does the customer pay per skid?", "money"),
        ("What is the price of the pump?", "money"),
        ("what does moss want per lorry", "money"),
        ("what does moss want for each lorry", "money"),
        ("What do the nurses take for the night round?", "any"),
        ("How many people work in Deventer?", "number"),
        ("What percentage of orders was late?", "number"),
        ("Who approves expenses?", "person"),
        ("Where is the depot?", "place"),
        ("Why was the release delayed?", "reason"),
        ("Can I bring my dog?", "yes_no"),
        ("is travel time paid?", "yes_no"),
        ("Tell me about the roadmap", "any"),
        ("", "any"),
    ],
)
def test_question_form_determines_answer_kind(question: str, kind: str) -> None:
    """The form of a question tells what it wants."""
    assert wanted(question) == kind


def test_surrounding_blanks_keep_answer_kind() -> None:
    """Blanks around a question do not change what it wants."""
    assert wanted("  \n Can I bring my dog?  ") == "yes_no"


@pytest.mark.parametrize(
    ("question", "fitting", "other"),
    [
        ("When does it open?", "It opens at 08:30 on Mondays.", "It is a red brick house."),
        ("How many are there?", "There are 14 of them.", "They stand in the hall."),
        ("How much is it?", "It costs £40 a month.", "It is billed in advance."),
        ("Who approves it?", "Marta Jansen approves it.", "It must be approved in writing."),
        ("Why is it late?", "It is late because a part was missing.", "It is late by a lot."),
    ],
)
def test_text_with_asked_kind_fits(question: str, fitting: str, other: str) -> None:
    """A text fits when it holds what was asked for."""
    assert fits(wanted(question), fitting)
    assert not fits(wanted(question), other)


# --- passages ------------------------------------------------------------------------------


def test_headings_and_lead_ins_join_followers() -> None:
    """Headings and lead ins are no passages but stay with what follows."""
    text = (
        "## Visitors\n\nVisitors must bring:\n\n- a passport or an identity card\n- the invitation"
    )
    found = passages([chunk(0, text=text)])

    assert [passage.text for passage in found] == [
        "a passport or an identity card",
        "the invitation",
    ]
    assert {passage.lead for passage in found} == {"Visitors must bring:"}
    assert {passage.heading for passage in found} == {"Visitors"}


def test_chunk_without_headings_inherits_them() -> None:
    """A chunk without headings of its own has those of its place."""
    inside = chunk(0, text="It opens at noon every day.", place=Place(headings=["Site", "Canteen"]))

    assert passages([inside])[0].heading == "Canteen"


def test_lead_in_ends_with_its_list() -> None:
    """A lead in ends with its list."""
    text = "Bring these:\n\n- a passport or card\n\nThe office opens at nine in the morning."
    found = passages([chunk(0, text=text)])

    assert [passage.lead for passage in found] == ["Bring these:", ""]


def test_code_and_overlong_units_are_skipped() -> None:
    """Code and endless units are not quoted."""
    endless = "word " * MAX_UNIT_CHARS
    text = f"```\nmake test && make demo\n```\n\n{endless}.\n\nThe build takes four minutes on CI."

    assert [p.text for p in passages([chunk(0, text=text)])] == [
        "The build takes four minutes on CI."
    ]


def test_sentence_like_title_is_skipped() -> None:
    """A title that only looks like a sentence is not quoted."""
    found = passages([chunk(0, text="Fire safety on site\n\nThe assembly point is the car park.")])

    assert [passage.text for passage in found] == ["The assembly point is the car park."]


@pytest.mark.parametrize(
    "caption",
    ["Half-year count, 27-28 June 2026.", "Minutes, Kettering Site.", "Release 4 (2026)."],
)
def test_verbless_caption_is_skipped(caption: str) -> None:
    """A caption without a verb is not quoted."""
    found = passages([chunk(0, text=f"{caption}\n\nThe assembly point is the car park.")])

    assert [passage.text for passage in found] == ["The assembly point is the car park."]


@pytest.mark.parametrize(
    "text", ["Owner: Rohan Patel.", "Marta is ill.", "彼は庭にいます。そこは静かです。"]
)
def test_labelled_values_are_no_captions(text: str) -> None:
    """A labelled value and a short sentence are no captions."""
    assert passages([chunk(0, text=text)])[0].text


def test_numbered_capital_line_is_heading() -> None:
    """A numbered line in capitals is the heading of what follows."""
    found = passages([chunk(0, text="4. FORKLIFTS\n\nEleven people hold a licence for them.")])

    assert [(passage.heading, passage.text) for passage in found] == [
        ("FORKLIFTS", "Eleven people hold a licence for them.")
    ]


def test_capital_items_form_a_list() -> None:
    """Items in capitals are items where they make a list."""
    assert [p.text for p in passages([chunk(0, text="- HR\n- IT")])] == ["HR", "IT"]


def test_shared_text_is_one_better_passage() -> None:
    """What two chunks share is one passage of the better one."""
    overlap = "Unused leave lapses at the end of March."
    first = chunk(0, text=f"Annual leave is 26 days. {overlap}")
    second = chunk(1, text=f"{overlap.upper()} Sick leave does not count.")
    found = passages([first, second])

    shared = [passage for passage in found if passage.text.casefold() == overlap.casefold()]
    assert [passage.chunk.chunk_id for passage in shared] == [first.chunk_id]


def test_dangling_sentence_knows_its_antecedent() -> None:
    """A sentence that leans on the one before knows it."""
    found = passages([chunk(0, text="The pump is sealed. It must not be opened by the customer.")])

    assert [passage.dangling for passage in found if passage.text.startswith("It")] == [True]
    assert found[-1].before == "The pump is sealed."


def test_pronoun_chain_knows_its_antecedents() -> None:
    """What leans on a sentence that leans itself brings both along."""
    text = (
        "The scheme covers office staff. Leeds joins later.\n\n"
        "It does not apply to kiln crews. Those crews may ask for one day."
    )
    [crews] = [p for p in passages([chunk(0, text=text)]) if p.text.startswith("Those")]

    assert (*crews.led_by, crews.before) == (
        "The scheme covers office staff.",
        "It does not apply to kiln crews.",
    )


@pytest.mark.parametrize(
    "fallback", ["If you cannot reach her, ring HR.", "If that is not possible, ring HR."]
)
def test_fallback_brings_its_rule(fallback: str) -> None:
    """What is done where a rule cannot be kept comes with the rule, not with what stands between."""
    text = f"Ring your manager before 09:30. A text message is not enough. {fallback}"

    assert passages([chunk(0, text=text)])[-1].before == "Ring your manager before 09:30."


def test_version_sentence_covers_antecedent_subject() -> None:
    """A sentence about its version is about what the one before names."""
    text = "Orders are kept in Brightledger. Its version change is planned for 14 February 2027."
    question = "When does Brightledger change?"
    alone, leaning = (
        score(question, passages([chunk(0, text=each)]), None, None, {})[-1].coverage
        for each in ("Its version change is planned for 14 February 2027.", text)
    )

    assert leaning > alone


def test_passages_per_question_are_bounded() -> None:
    """The passages of one question are bounded."""
    many = [
        chunk(n, text="\n\n".join(f"Rule {n} of part {m} is written here." for m in range(20)))
        for n in range(20)
    ]
    found = passages(many)

    assert len(found) == MAX_PASSAGES
    assert found[0].chunk.chunk_id == many[0].chunk_id, "the best chunk's come first"


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


@settings(max_examples=60, deadline=None)
@given(st.lists(TEXTS, max_size=4))
def test_every_passage_is_verbatim(documents: list[str]) -> None:
    """Every passage is its documents own words."""
    evidence = [chunk(n, text=text or " ") for n, text in enumerate(documents)]
    found = passages(evidence)

    assert len({passage.key for passage in found}) == len(found)
    for passage in found:
        assert flat(passage.unit.text) in flat(passage.chunk.text)
        assert embedded_text(passage).strip()


# --- scores --------------------------------------------------------------------------------


def test_the_sentence_that_answers_scores_best() -> None:
    best = max(read(QUESTION, CANTEEN, LEAVE), key=lambda one: one.score)

    assert best.passage.text == "Every employee has 26 days of annual leave a year."


def test_vectors_decide_where_words_do_not() -> None:
    found = passages([chunk(0, text="Holiday runs to twenty-six days. The canteen sells soup.")])
    near, far = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    scored = score("time off", found, near, np.stack([near, far]), {})

    assert scored[0].score > scored[1].score
    assert [one.cosine for one in scored] == [1.0, 0.0]


def test_sentence_near_good_one_scores_higher() -> None:
    """A sentence beside a near one scores more than one far from it."""
    text = (
        "The probe drifts in the cold. It is then left for a while. The lab is on the first floor."
    )
    found = passages([chunk(0, text=text)])
    vectors: Vectors = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], dtype=np.float32)
    asked: Vectors = np.array([1.0, 0.0], dtype=np.float32)

    near, beside, far = score("", found, asked, vectors, {})

    assert near.score > beside.score > far.score
    assert beside.cosine == far.cosine == 0.0


def test_rare_term_weighs_more() -> None:
    """A term that is rare weighs more."""
    evidence = [chunk(0, text="The pump is sold in Deventer. The valve is sold in Kettering.")]
    weights = {"valv": 5.0, "sold": 0.1}
    by_text = {
        one.passage.text: one.coverage
        for one in score("Which valve is sold?", passages(evidence), None, None, weights)
    }

    assert by_text["The valve is sold in Kettering."] > 2 * by_text["The pump is sold in Deventer."]


def test_heading_covers_its_section() -> None:
    """A heading speaks for what stands under it."""
    under = chunk(0, text="It takes four weeks from the signed order.", context="Delivery times")
    other = chunk(1, text="It takes four weeks from the signed order on.", context="Refunds")
    scored = read("How long is delivery?", under, other)

    assert scored[0].coverage > scored[1].coverage


def test_torn_sentence_scores_lower() -> None:
    """A sentence torn in the middle scores less than a whole one."""
    torn, whole = read(
        QUESTION,
        chunk(0, text="employees have 26 days of annual leave in every year."),
        chunk(1, text="Employees have 26 days of annual leave in each year."),
    )

    assert torn.score < whole.score


def test_first_person_remark_scores_lower() -> None:
    """A remark in the first person scores less."""
    remark, fact = read(
        QUESTION,
        chunk(0, text="I think employees have enough days of annual leave."),
        chunk(1, text="All employees have enough days of annual leave."),
    )

    assert remark.score < fact.score


def test_passage_with_figure_scores_higher() -> None:
    """A passage with a figure scores more."""
    with_one, without = read(
        "May we park here?",
        chunk(0, text="You may park here for 2 hours."),
        chunk(1, text="You may park here for a while."),
    )

    assert with_one.score > without.score


def test_match_by_column_name_scores_lower() -> None:
    """A row that only its columns connect to the question scores less."""
    rows = "Revenue with Northmoor: 2024 | Total: 1,161\n\nCustomer: Northmoor | Total: 1,161"
    by_column, by_value = read("What about Northmoor?", chunk(0, text=rows))

    assert by_column.passage.text.startswith("Revenue")
    assert by_column.score < by_value.score


def test_coverage_is_share_of_question() -> None:
    """What a passage covers are shares of the question."""
    [leave] = read("How many days of leave in 2031?", chunk(0, text="Leave is 26 days a year."))

    assert set(leave.covers) == {"day", "leav"}
    assert sum(leave.covers.values()) == pytest.approx(2 / 3)


def test_scores_keep_passage_order() -> None:
    """Scores stand in the place of their passages."""
    found = passages([LEAVE, CANTEEN])
    scored = score(QUESTION, found, None, None, {})

    assert [one.passage for one in scored] == found
    assert [one.vector for one in scored] == list(range(len(found)))
    assert score(QUESTION, [], None, None, {}) == []


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200), TEXTS)
def test_scores_are_finite_whatever_is_asked(question: str, document: str) -> None:
    for one in read(question, chunk(0, text=document or " ")):
        assert np.isfinite(one.score)
        assert 0.0 <= one.coverage <= 1.0 + 1e-9


@pytest.mark.parametrize(
    "question",
    [
        "how do i mount a tx40",
        "steps for a refund",
        "what are the main risks?",
        "which trips does Ms Tolland lead?",
        "list all suppliers",
        "what do we need to bring",
    ],
)
def test_lists_and_steps_are_asked_for(question: str) -> None:
    assert asks_for_list(question)


@pytest.mark.parametrize(
    "question",
    ["how long is my leave", "what is the address?", "which bus goes there", "who signs it"],
)
def test_one_thing_is_no_list(question: str) -> None:
    assert not asks_for_list(question)


def test_line_above_text_is_heading() -> None:
    """Read the headings that a chunk of several small sections holds, whatever their words."""
    text = (
        "Parking\n- Twelve spaces in York.\n\nRegistering as a new patient\n- Fill in the form.\n\n"
        "Reporting a lost or a stolen laptop to the desk\nStaff tell the desk within one hour."
    )
    found = passages([chunk(0, text=text)])

    assert [(one.heading, one.text) for one in found] == [
        ("Parking", "Twelve spaces in York."),
        ("Registering as a new patient", "Fill in the form."),
        (
            "Reporting a lost or a stolen laptop to the desk",
            "Staff tell the desk within one hour.",
        ),
    ]


def test_a_title_is_not_brought_along() -> None:
    """Bring no heading along for a sentence that leans on what stands before it."""
    found = passages([chunk(0, text="1 Principle\n\nThis rule holds for all staff in the office.")])

    assert [one.before for one in found] == [""]


def test_numbered_line_above_items_is_heading() -> None:
    """Take "5. Sharps" above its clauses for a heading, and a numbered item for an item."""
    text = "5. Sharps\n- 5.1 A bin is closed when it is full.\n- 6. Lids are kept with the bins."
    found = passages([chunk(0, text=text)])

    assert [(one.heading, one.text) for one in found] == [
        ("Sharps", "5.1 A bin is closed when it is full."),
        ("Sharps", "6. Lids are kept with the bins."),
    ]


# --- what the question asks for ------------------------------------------------------------


def first(question: str, text: str) -> str:
    return max(read(question, chunk(0, text=text)), key=lambda s: s.score).passage.text


def test_cross_reference_alone_is_no_answer() -> None:
    """A sentence that only points elsewhere is no answer."""
    pointing = "The rules on mooring fees for guests are in the Harbour Fees Policy."
    telling = "Guests pay £12 a night for a mooring."

    assert first("what are the mooring fees for guests", f"{pointing} {telling}") == telling


def test_who_question_wants_a_name() -> None:
    """Who somebody is is answered by a name."""
    title = "The Harbour Master signs every permit of the Harbour Office."
    named = "Ada Finch, Harbour Master"

    assert first("who is the harbour master", f"- {title}\n- {named}") == named


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ada Finch, Harbour Master", True),
        ("Managing Director: above 18%", False),
        ("The Harbour Office opens on Monday", False),
        ("signed by Bo van Lund-Marsh and Cy Marsh", True),
    ],
)
def test_a_job_title_is_no_name(text: str, *, names: bool) -> None:
    assert names_somebody(text, {"harbour"}) is names


def test_when_question_prefers_day() -> None:
    """When is answered by a day and not by a year."""
    year = "The regatta of 2031 was the regatta with most boats."
    day = "The next regatta is on 4 June."

    assert first("when is the regatta", f"{year} {day}") == day


def test_sentence_of_other_year_ranks_last() -> None:
    """What tells of another year stands behind."""
    other = "For 2032 the income forecast is an income of £9m, more income than ever."
    asked = "Income was £7m in 2031."

    assert first("income in 2031", f"{other} {asked}") == asked


def test_steps_rank_before_glossary_entries() -> None:
    """Steps stand before the words they are explained with."""
    words = "# Words\n\n- Return: what comes back"
    steps = (
        "# Bringing it back in three steps\n\n- Tie it up\n- Hand in the key\n- Sign the boat book"
    )

    assert first("how do I return a boat", f"{words}\n\n{steps}") == "Sign the boat book"


def test_rule_ranks_before_mere_mention() -> None:
    """A rule stands before what only speaks of the matter."""
    talk = "Barbecues on the pier were popular with guests last summer on the pier."
    rule = "Barbecues are not allowed on the pier."

    assert first("can I have barbecues on the pier", f"{talk} {rule}") == rule


def test_table_title_states_nothing() -> None:
    """The title of a table states nothing."""
    title = "Quarterly mooring income by pier and by month, 2031 to 2033"
    stated = "Mooring income by pier was £7m."

    assert first("mooring income by pier", f"{title}\n\n{stated}") == stated


@pytest.mark.parametrize("opening", ["Before that, the", "After that the", "Both", "Others"])
def test_sentence_with_back_reference_is_dangling(opening: str) -> None:
    """A sentence that leans on another is dangling."""
    [_, leaning] = passages([chunk(0, text=f"The fee is £12 a night. {opening} fees differ.")])

    assert leaning.dangling


def test_row_mentioning_role_names_nobody() -> None:
    """A row that only mentions a role names nobody in it."""
    task = "Action: Report to the Harbour Master's meeting | Owner: Cy Marsh"
    person = "Name: Ada Finch | Role: Harbour Master"

    assert first("who is the harbour master", f"{task}\n{person}") == person


def test_steps_of_something_else_stand_behind() -> None:
    other = "# Painting in two steps\n\n- Scrape the boat\n- Paint the boat"
    asked = "Hire a boat at the kiosk with your card."

    assert first("how do I hire a boat at the kiosk", f"{other}\n\n# Hire\n\n{asked}") == asked


FAQ = """Q. Something is broken. A. Tell the desk.

Q. Boiler inspection? A. Thursdays 6:40. If it hisses, leave.

Where do I leave my bicycle?

Behind the boiler house. Not at the rail.

The boiler house is of 1931."""


def test_question_is_heading_of_its_answer() -> None:
    """A question is the heading of its answer."""
    found = {p.text: p.heading for p in passages([chunk(0, text=FAQ)])}

    assert found["A. Thursdays 6:40."] == "Boiler inspection?"
    assert found["If it hisses, leave."] == "Boiler inspection?"
    assert found["Not at the rail."] == "Where do I leave my bicycle?"
    assert found["The boiler house is of 1931."] == ""


def test_question_inside_paragraph_is_no_heading() -> None:
    """A question inside a paragraph is no heading."""
    text = "We asked the maker. Will it last? He thinks so, until the spring."

    assert {p.heading for p in passages([chunk(0, text=text)])} == {""}


HOTELS = "Hotel, Norway outside Bergen: £120 a night.\n\nHotel, Bergen: £160 a night, at most."


@pytest.mark.parametrize(
    ("question", "price"),
    [
        ("most for a hotel in Bergen, Norway", "£160"),
        ("most for a hotel in Norway outside Bergen", "£120"),
    ],
)
def test_what_is_for_elsewhere_stands_behind(question: str, price: str) -> None:
    assert price in first(question, HOTELS)


def test_exact_role_ends_the_search() -> None:
    """Where a row names who has the role, what else speaks of it is left out."""
    staff = chunk(
        0,
        text="| Name: Ada Lund | Role: Kiln Master |\n| Action: Report to the Kiln Master | Who: Bo Day |",
    )
    question = "who is the kiln master"

    assert [s.passage.text for s in holding_role(question, read(question, staff))] == [
        "| Name: Ada Lund | Role: Kiln Master |"
    ]


def test_passage_under_the_asked_name_leads() -> None:
    """What stands under a heading that is asked about word for word comes first."""
    one, other = (
        chunk(n, text=f"The full week has {n + 36} hours.", place=Place(headings=[heading]))
        for n, heading in enumerate(("Working hours of drivers", "3 Working hours"))
    )
    best = max(read("what are the working hours", one, other), key=lambda s: s.score)
    assert best.passage.chunk.chunk_id == other.chunk_id
