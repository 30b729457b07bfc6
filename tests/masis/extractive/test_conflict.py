from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import EvidenceChunk
from masis.extractive.conflict import NEAR_ENOUGH, conflicts, doubts
from masis.retrieval.extraction import passages, score
from tests.examples import examples
from tests.scripted_agents import chunk

QUESTION = "How many days of annual leave does an employee have?"


def named_apart(question: str, *evidence: EvidenceChunk) -> list[set[str]]:
    """Which documents disagree, by words alone."""
    scored = score(question, passages(evidence), None, None, {})
    return [
        {one.passage.chunk.document, other.passage.chunk.document}
        for one, other in conflicts(question, scored)
    ]


def papers(*texts: str) -> list[EvidenceChunk]:
    return [chunk(n, text=text, rank_score=0.9) for n, text in enumerate(texts)]


BOTH = {"paper-0.md", "paper-1.md"}


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            QUESTION,
            "An employee has 25 days of annual leave a year.",
            "An employee has 28 days of annual leave a year.",
        ),
        (
            "How much is the tooling budget?",
            "The tooling budget is £1.2 million.",
            "The tooling budget is £1.5 million.",
        ),
        (
            "How long is the notice period?",
            "The notice period is 4 weeks.",
            "The notice period is 6 weeks for everyone.",
        ),
        (
            "When does the Leeds depot open?",
            "The Leeds depot opens on 3 May 2027.",
            "The Leeds depot opens on 14 June 2027, after the works.",
        ),
        (
            "When does the canteen open?",
            "The canteen opens at 11:30.",
            "The canteen opens at 12:15.",
        ),
        (
            "When is the library open?",
            "The library is open from 13:00 – 17:00.",
            "The library is open from 2pm – 5pm.",
        ),
        (
            "What are the opening hours of the library on Saturday?",
            "Library opening hours | Monday to Friday: 09:00 to 18:00 | Saturday: 09:00 to 13:00",
            "On Saturday the opening hours of the library are 9am to 2pm.",
        ),
        (
            "when does the hull library close on a saturday",
            "Library: Hull (2 Quay Row) | Monday to Friday: 08:00 to 18:30 | Saturday: 09:00 to 13:00 | Sunday: closed",
            "Our Hull library is open on Saturdays from 9am to 2pm.",
        ),
        (
            'Who directed the film "Long Quay"?',
            "Long Quay is an American film based on a play by Ira Poole and directed by Ruth Oslo.",
            "The film Long Quay is an American silent film directed by Peter Lund.",
        ),
        (
            "What year was the Leeds depot founded?",
            "The Leeds depot was founded in 1987.",
            "The Leeds depot was founded in 1991, say others.",
        ),
        (
            "Who approves annual leave?",
            "All annual leave is approved by Marta Jansen.",
            "Annual leave is approved by Tom Hesketh in writing.",
        ),
        (
            "Who is the director of the film about the mill?",
            "The film about the mill was directed by Eric Bross.",
            "The film about the mill was directed by Marc Forster.",
        ),
        (
            "Where is the archive located?",
            "The archive is located in Leeds.",
            "The archive is located in York, beside the works.",
        ),
    ],
)
def test_two_papers_that_answer_otherwise_disagree(question: str, one: str, other: str) -> None:
    assert named_apart(question, *papers(one, other)) == [BOTH]
    assert named_apart(question, *papers(other, one)) == [BOTH]


@pytest.mark.parametrize(
    ("reason", "one", "other"),
    [
        (
            "the same figure",
            "An employee has 25 days of annual leave a year.",
            "Annual leave of an employee is 25 days.",
        ),
        (
            "figures of different years",
            "In 2024 an employee had 25 days of annual leave.",
            "In 2025 an employee had 28 days of annual leave.",
        ),
        (
            "figures of different units",
            "An employee has 25 days of annual leave a year.",
            "An employee has annual leave; days off are agreed 3 weeks before.",
        ),
        (
            "another subject",
            "An employee has 25 days of annual leave a year.",
            "Visitors park for 3 days.",
        ),
        (
            "no figure in one of them",
            "An employee has 25 days of annual leave a year.",
            "An employee has many days of annual leave a year.",
        ),
        (
            "one of them gives several figures",
            "An employee has 25 days of annual leave a year.",
            "An employee has 25 days of annual leave, 28 days after ten years.",
        ),
    ],
)
def test_agreeing_papers_raise_no_conflict(reason: str, one: str, other: str) -> None:
    """No disagreement is seen where there is none."""
    assert named_apart(QUESTION, *papers(one, other)) == [], reason


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "How much is the tooling budget?",
            "The tooling budget is £1.2 million.",
            "The tooling budget is £1,200,000.",
        ),
    ],
)
def test_two_spellings_of_amount_agree(question: str, one: str, other: str) -> None:
    """One amount written in two ways is no conflict."""
    assert named_apart(question, *papers(one, other)) == []


@pytest.mark.parametrize(
    ("reason", "question", "one", "other"),
    [
        (
            "a date given less exactly",
            "When does the Leeds depot open?",
            "The Leeds depot opens in May 2027.",
            "The Leeds depot opens on 3 May 2027.",
        ),
        (
            "the same time of day",
            "When does the canteen open?",
            "The canteen opens at 1 p.m.",
            "The canteen opens at 13:00.",
        ),
        (
            "a name in short",
            "Who approves annual leave?",
            "All annual leave is approved by Marta Jansen.",
            "Annual leave is approved by Jansen in writing.",
        ),
        (
            "the same name beside another",
            "Who approves annual leave?",
            "All annual leave is approved by Marta Jansen.",
            "Annual leave is approved by Tom Hesketh or Marta Jansen.",
        ),
        (
            "a name of the question",
            "Who approves the leave of Marta Jansen?",
            "The leave of Marta Jansen is approved by Tom Hesketh.",
            "The leave of Marta Jansen is approved by the board.",
        ),
        (
            "a date far from what was asked",
            "When does the Leeds depot open?",
            "The Leeds depot opens on 3 May 2027.",
            "The Leeds depot opens late: the contractor, promised for the spring, had no time, and came on 14 June 2027.",
        ),
        (
            "words where a length is asked for",
            "What is the notice period?",
            "Notice is in writing; a contract may give a longer period, and then the contract applies.",
            "Notice of a fault is given at once, within the warranty period.",
        ),
        (
            "how a rule holds, not what something is",
            "What is the yellow gate that everyone passes?",
            "Helmets are worn behind the yellow gate, without exception.",
            "Helmets are worn behind the yellow gate by everybody, including visitors.",
        ),
        (
            "whether, not what",
            "Does the Leeds depot open on 3 May 2027?",
            "The Leeds depot opens on 3 May 2027.",
            "The Leeds depot opens on 14 June 2027.",
        ),
    ],
)
def test_compatible_statements_do_not_conflict(
    reason: str, question: str, one: str, other: str
) -> None:
    """What can both be true is no conflict."""
    assert named_apart(question, *papers(one, other)) == [], reason


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "What is the language of the audit report?",
            "The audit report is written in German.",
            "The audit report is written in English and bound.",
        ),
        (
            "What sport does Ola Brenn play?",
            "Ola Brenn is a Norwegian handball goalkeeper.",
            "Ola Brenn is a Norwegian cricketer.",
        ),
        (
            "What is the nationality of the pilot?",
            "The nationality of the pilot is Danish.",
            "The nationality of the pilot is Swiss.",
        ),
        (
            "Which language is the film Tidewater in?",
            "Tidewater is a Welsh-language film about a harbour.",
            "Tidewater is an Irish-language film about a harbour.",
        ),
        (
            "Which company owns the ferry Solveig?",
            "The ferry Solveig is owned by Brackley Lines.",
            "The ferry Solveig is owned by Norholm Shipping.",
        ),
        (
            "When was Edda Lund born?",
            "Edda Lund (12 March 1931 – 4 July 2002) was an engineer.",
            "Edda Lund (born 12 March 1934) was an engineer.",
        ),
        (
            "When did Edda Lund die?",
            "Edda Lund (1931–2002) was an engineer.",
            "Edda Lund (1931–2004) was an engineer.",
        ),
        (
            "Are employees allowed to bring dogs to the office?",
            "Employees are allowed to bring dogs to the office.",
            "Employees are not allowed to bring dogs to the office.",
        ),
        (
            "Can expenses be claimed without a receipt?",
            "Expenses can be claimed without a receipt below £10.",
            "Expenses cannot be claimed without a receipt.",
        ),
        (
            "For how long are recordings kept?",
            "Recordings are kept for 30 days.",
            "Recordings are kept for six weeks.",
        ),
        (
            "What was the revenue in Q3 FY2025?",
            "Revenue in Q3 FY2025 was £28.4 million (Q3 FY2024: £24.9 million).",
            "Revenue, £ million in FY2025 | Q2: 26.1 | Q3: 27.9 | Q4: 30.6",
        ),
        (
            "How much is a swimming lesson?",
            "A swimming lesson costs £12.50 from March.",
            "Item: Swimming lesson | Price (GBP): 11.75 | Per: lesson",
        ),
        (
            "When does the spring recess start?",
            "The spring recess starts on 12 April 2027.",
            "The spring recess starts on 19 April 2027.\n\nRecess: Spring 2027 | Starts: late | Weeks: 2",
        ),
    ],
)
def test_papers_disagree_about_more_than_figures(question: str, one: str, other: str) -> None:
    assert named_apart(question, *papers(one, other)) == [BOTH]
    assert named_apart(question, *papers(other, one)) == [BOTH]


@pytest.mark.parametrize(
    ("reason", "question", "one", "other"),
    [
        (
            "a quarter against a year",
            "What was the revenue in FY2023?",
            "Revenue in FY2023 was $420 million.",
            "Revenue in Q3 FY2023 was $108 million.",
        ),
        (
            "as of another date",
            "How many employees does the works have?",
            "As of 31 March 2024 the works has 1,240 employees.",
            "As of 30 September 2024 the works has 1,385 employees.",
        ),
        (
            "a forecast against an actual",
            "How much was spent on marketing in 2024?",
            "In 2024 spending on marketing is forecast at £640,000.",
            "In 2024 £702,000 was spent on marketing.",
        ),
        (
            "a range that allows the figure",
            "How long does delivery to Ireland take?",
            "Delivery to Ireland takes 3 to 5 days.",
            "Delivery to Ireland takes 4 days.",
        ),
        (
            "up to, against about",
            "How many guests can the roof terrace hold?",
            "The roof terrace can hold up to 120 guests.",
            "The roof terrace can hold about 110 guests.",
        ),
        (
            "another product",
            "What is the maximum pressure of the Wharfe 60 pump?",
            "The Wharfe 60 pump has a maximum pressure of 12 bar.",
            "The Wharfe 80 pump has a maximum pressure of 16 bar.",
        ),
        (
            "another country, and none in the question",
            "How many days of annual leave do employees have?",
            "All employees in Spain have 23 days of annual leave.",
            "All employees in Portugal have 22 days of annual leave.",
        ),
        (
            "a code that neither speaks of",
            "What is the accuracy of the TX50 sensor?",
            "The accuracy of the TX40 sensor is 0.25 %.",
            "The accuracy of the TX40 sensor is 0.1 % below zero.",
        ),
        (
            "another model, whose table happens to hold the other's number",
            "Who is the product owner for the DR30?",
            "The product owner for the DR30 is Tomas Lind.",
            "Range: 0 to 30 bar. The product owner for the DR35 is Aino Berg.",
        ),
        (
            "one amount in two units",
            "How far is the depot from the port?",
            "The depot is 2.5 km from the port.",
            "The depot is 2,500 m from the port.",
        ),
        (
            "one span in two units",
            "How long is the probation period?",
            "The probation period is six months.",
            "The probation period is half a year.",
        ),
        (
            "another word for the same, which the first paper uses too",
            "What is the profession of Amara Nkem?",
            "Amara Nkem is a Nigerian lawyer.",
            "Amara Nkem is an attorney. She was a lawyer of the court.",
        ),
        (
            "an exception to the rule",
            "Are employees allowed to bring dogs to the office?",
            "Employees are allowed to bring dogs to the office.",
            "Employees are not allowed to bring dogs to the office unless asked.",
        ),
    ],
)
def test_statements_of_another_scope_agree(
    reason: str, question: str, one: str, other: str
) -> None:
    """Statements of another scope do not disagree."""
    assert named_apart(question, *papers(one, other)) == [], reason
    assert named_apart(question, *papers(other, one)) == [], reason


def test_other_figures_are_no_prices() -> None:
    """Where a sum is asked for and told, what another paper counts or measures is no other sum."""
    room = "Room: The Moss Loft | Holds: 140 | Day: £520"
    heat = "Heat: the Moss Loft reached 29 degrees. Two coolers to be hired for June."

    assert named_apart("how much is it to hire the moss loft", *papers(room, heat)) == []


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "How much notice must I give?",
            "Staff must give four weeks of notice.",
            "Staff must give two weeks of notice or pay £100.",
        ),
        (
            "How much is it to hire the Moss Loft?",
            "To hire the Moss Loft is 520 Euro a day.",
            "To hire the Moss Loft is 480 euros a day.",
        ),
    ],
)
def test_sums_hide_no_rival(question: str, one: str, other: str) -> None:
    """A sum beside an answer is no ground to pass over another, nor is another way to write it."""
    assert named_apart(question, *papers(one, other)) == [BOTH]


def test_forecast_is_no_rival_of_actuals() -> None:
    """The rivals are shown and no forecast."""
    texts = papers(
        "For FY2024 we expect revenue of $112–115 million.",
        "In FY2024 revenue was $114 million.",
        "Revenue in FY2024 was $111 million.",
    )
    rivals = {"paper-1.md", "paper-2.md"}

    assert named_apart("What was revenue in FY2024?", *texts) == [rivals]


def test_two_holders_of_one_name_conflict() -> None:
    """Two people of one name are in conflict."""
    texts = papers(
        "Mona Reed (born 4 May 1951) is a British actress from Hull.",
        "Mona Reed (1902–1980) was a painter of ships and harbours.",
    )

    assert named_apart("Where did Mona Reed live?", *texts) == [BOTH]


def test_distant_sentence_conflicts_with_twin() -> None:
    """Under a heading that asks the question one is near to it; the other stands in a list."""
    question = "Who runs technical support?"
    texts = papers(
        "The head of technical support is Ivo Marsh.",
        "The head of technical support is Nell Quayle.",
        "The head of internal sales is Per Olsen.",
    )
    near = (0.60, 0.48, 0.48)
    scored = [
        replace(one, cosine=near[int(one.passage.chunk.document[6])])
        for one in score(question, passages(texts), None, None, {})
    ]
    pairs = [
        {one.passage.chunk.document, other.passage.chunk.document}
        for one, other in conflicts(question, scored)
    ]

    assert pairs == [BOTH]


def test_document_with_both_answers_agrees() -> None:
    """A document that gives both answers does not disagree."""
    one, other = papers(
        "Annual leave is approved by Marta Jansen.",
        "Annual leave is approved by Tom Hesketh. Annual leave is also approved by Marta Jansen.",
    )

    assert named_apart("Who approves annual leave?", one, other) == []


def test_subject_may_stand_elsewhere_in_chunk() -> None:
    """The subject may stand elsewhere in the chunk."""
    texts = papers(
        "Leeds has two sites and a railway. The population was 4,411 in spring.",
        "Leeds has a market, a mill and a school. The population was 5,200 in spring.",
    )

    assert named_apart("What is the population of Leeds?", *texts) == [BOTH]


def test_twins_may_differ_in_unasked_words() -> None:
    """Twin sentences disagree in words that the question does not use."""
    texts = papers(
        "Gold: Priority 1 on-site response within 8 hours.",
        "For Gold customers the Supplier attends a Priority 1 call on site within 6 hours.",
    )
    question = "Northmoor is on Gold. How fast do we have to be on site for a P1 there?"

    assert named_apart(question, *texts) == [BOTH]


def test_very_long_sentence_is_not_compared() -> None:
    """A very long sentence is not compared."""
    texts = papers(
        f"The tooling budget is £1.2 million {'and so on ' * 40}.",
        "The tooling budget is £1.5 million.",
    )

    assert named_apart("How much is the tooling budget?", *texts) == []


@pytest.mark.xfail(strict=True, reason="whose figure it is would take a reader to see")
def test_figures_of_two_places_agree() -> None:
    """Figures of two places are no conflict."""
    one, other = papers("Kettering has 120 staff.", "Deventer has 80 staff; Kettering is bigger.")

    assert named_apart("How many staff are in Kettering?", one, other) == []


def test_document_does_not_contradict_itself() -> None:
    """A document does not disagree with itself."""
    one, other = papers(
        "An employee has 25 days of annual leave.", "An employee has 28 days of annual leave."
    )
    same = other.model_copy(update={"document_id": one.document_id})

    assert named_apart(QUESTION, one, same) == []


def test_non_figure_question_ignores_figures() -> None:
    """A question that wants no figure has no conflict of figures."""
    texts = papers(
        "The manager approves annual leave within 2 days.",
        "The manager approves annual leave within 3 days.",
    )

    assert named_apart("Who approves annual leave?", *texts) == []


def test_figure_in_question_raises_no_conflict() -> None:
    """A figure of the question itself is not what papers disagree about."""
    texts = papers(
        "After 5 years an employee has 28 days of annual leave.",
        "After 5 years an employee has 28 days of annual leave, says the handbook.",
    )

    assert named_apart("How many days of annual leave are there after 5 years?", *texts) == []


@pytest.mark.parametrize("which", ["next", "last"])
def test_dates_of_a_row_do_not_disagree(which: str) -> None:
    texts = papers(
        f"The {which} regatta meeting is held on 4 June 2031.",
        f"The {which} regatta meeting is held on 9 July 2031.",
    )

    assert named_apart(f"When is the {which} regatta meeting?", *texts) == []
    assert named_apart("When is the regatta meeting held?", *texts) != []


def test_nothing_disagrees_about_nothing() -> None:
    assert conflicts(QUESTION, []) == []


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(2, 400), st.integers(2, 400))
def test_papers_conflict_iff_single_figures_differ(one: int, other: int) -> None:
    """Papers disagree exactly when their one figure differs."""
    texts = papers(*(f"An employee has {n} days of annual leave a year." for n in (one, other)))

    assert bool(named_apart(QUESTION, *texts)) == (one != other)


@settings(max_examples=examples(40), deadline=None)
@given(
    st.text(max_size=100),
    st.lists(st.text(alphabet="25 days ofleave.|-\n#%£", min_size=1, max_size=80), max_size=4),
)
def test_looking_for_conflicts_never_raises(question: str, texts: list[str]) -> None:
    for pair in named_apart(question, *papers(*texts)):
        assert len(pair) == 2


@pytest.mark.parametrize(("cosine", "disagree"), [(NEAR_ENOUGH - 0.05, False), (0.9, True)])
def test_only_names_near_question_are_compared(cosine: float, *, disagree: bool) -> None:
    """Names are compared where both sentences are near to the question."""
    question = "Who approves annual leave?"
    evidence = papers(
        "All annual leave is approved by Marta Jansen.",
        "Annual leave is approved by Tom Hesketh in writing.",
    )
    scored = score(question, passages(evidence), None, None, {})
    near = [replace(one, cosine=cosine) for one in scored]
    assert bool(conflicts(question, near)) is disagree


def test_likely_rival_is_doubt_not_conflict() -> None:
    """A likely rival is a doubt and no conflict."""
    question = "When was Dunville incorporated as a town?"
    evidence = papers(
        "Dunville was incorporated as a town on 11 June 1963.",
        "Dunnville was incorporated as a village in 1860 and as a town in 1900.",
    )
    scored = score(question, passages(evidence), None, None, {})

    assert conflicts(question, scored) == []
    [(best, other)] = doubts(question, scored)
    assert (best.passage.chunk.document, other.passage.chunk.document) == (
        "paper-0.md",
        "paper-1.md",
    )


@pytest.mark.parametrize(
    ("reason", "question", "other"),
    [
        (
            "it says the same",
            "When was Dunville founded?",
            "Dunville, it is said, dates from 1963.",
        ),
        ("nothing is named", "When was the town founded?", "The town was founded in 1900."),
        ("why, not when", "Why was Dunville founded?", "Dunville was founded in 1900."),
    ],
)
def test_no_rival_means_no_doubt(reason: str, question: str, other: str) -> None:
    """There is no doubt without a rival."""
    evidence = papers("Dunville was founded in 1963.", other)
    scored = score(question, passages(evidence), None, None, {})

    assert doubts(question, scored) == [], reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The library is open from 14:00 to 17:00.", "The library is open from 2pm to 5pm."),
        (
            "On Monday the library is open from 9:00 to 17:00.",
            "On Friday the library is open from 9:00 to 15:00.",
        ),
        ("The library is open from 9:00 to 17:00.", "The library is open at 11:00 as well."),
    ],
)
def test_compatible_times_do_not_conflict(one: str, other: str) -> None:
    """Times that can both be true are no conflict."""
    assert named_apart("When is the library open?", *papers(one, other)) == []


@pytest.mark.parametrize(
    ("other", "doubted"),
    [
        ("Dunville was founded in 1900, its mayor says.", True),
        ("The mill on the river was founded in 1900.", False),
    ],
)
def test_omitted_rival_about_name_is_doubted(other: str, *, doubted: bool) -> None:
    """What was left out is doubted where it is about the name."""
    question = "When was Dunville founded?"
    evidence = papers("Dunville was founded in 1963.", other)
    scored = score(question, passages(evidence), None, None, {})

    assert bool(doubts(question, scored, {evidence[0].chunk_id})) is doubted


def test_a_doubt_begins_with_what_answers() -> None:
    question = "When was Dunville founded?"
    evidence = papers("Dunville was founded in 1963.", "It was in 1900 that Dunville was founded.")
    scored = score(question, passages(evidence), None, None, {})

    [(best, other)] = doubts(question, scored, {evidence[1].chunk_id})
    assert best.passage.chunk == evidence[1]
    assert other.passage.chunk == evidence[0]
    assert doubts(question, scored, set()) == []


def test_operands_of_calculation_do_not_conflict() -> None:
    """Take two figures for what is to be added up, where neither statement gives the sum."""
    found = papers("The jumper of the school is £21.", "The jumper of the school is £13.")

    assert named_apart("How much is the jumper of the school?", *found) == [BOTH]
    assert (
        named_apart("What is the jumper of the school in total for both, added up?", *found) == []
    )


def test_two_stated_totals_disagree() -> None:
    """Take two figures for a conflict where both statements give the sum that is asked for."""
    found = papers(
        "The total revenue of Leeds was £9 million.", "The total revenue of Leeds was £8 million."
    )

    assert named_apart("What was the total revenue of Leeds?", *found) == [BOTH]


@pytest.mark.parametrize(
    ("first", "second", "disagree"),
    [
        ("Remote Working Policy", "Hybrid Working Policy", [BOTH]),
        ("Oslo Working Policy", "Bergen Working Policy", []),
    ],
)
def test_capitals_of_titles_are_no_names(first: str, second: str, disagree: list[set[str]]) -> None:
    """A word that a document writes in small letters, too, names no other place or product."""
    one = chunk(0, text="Core hours are 10:00–15:00. Remote work is voluntary.", rank_score=0.9)
    other = chunk(1, text="Core hours are 09:30–15:30, for remote work too.", rank_score=0.9)
    evidence = [
        one.model_copy(update={"title": first}),
        other.model_copy(update={"title": second}),
    ]

    assert named_apart("What are the core hours?", *evidence) == disagree


def test_words_apart_are_no_name() -> None:
    """A sentence that has the two words of a name apart speaks of something else."""
    question = "what are the working hours"
    told = "The working hours are 09:00 to 17:00."
    assert not named_apart(question, *papers(told, "Each hour of night work is 22:00 to 06:00."))
    assert named_apart(question, *papers(told, "Our working hours are 08:00 to 16:00.")) == [BOTH]


def test_what_a_code_is_has_no_other_figures() -> None:
    """Where it is asked what a thing of a code is, other figures of it are no rivals."""
    texts = papers("TX-50 firmware 2.6 is on the bench.", "The TX-50 boards number 118.")
    assert not named_apart("what is the TX-50", *texts)


def test_hours_of_unnamed_things_agree() -> None:
    """When one has to come is told by neither of two rooms that are open on that day."""
    rooms = papers(
        "The kiln room is open 07:00–18:30, Monday to Friday.",
        "The shop is open 08:00–17:00, Monday to Friday.",
    )

    asked = "i'm starting on monday, where do i have to be and when"
    assert named_apart(asked, *rooms) == []
    assert named_apart("When is the room open on Monday?", *rooms[:1], *papers_of_room()) == [BOTH]


def papers_of_room() -> list[EvidenceChunk]:
    return papers("", "The kiln room is open 09:00–18:30, Monday to Friday.")[1:]
