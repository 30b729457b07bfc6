"""The parts of a question, and those that an answer leaves open."""

import pytest

from masis.questions.question_parts import Said, asking, parts, unanswered


def said(*statements: str, evidence: str = "") -> Said:
    return Said(statements, "\n".join([*statements, evidence]))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How long is the break, and why?", ["How long is the break", "why"]),
        (
            "how much is the lease and who signed it",
            ["how much is the lease", "who signed it"],
        ),
        ("Why did it fall, and what was it?", ["Why did it fall", "what was it"]),
        ("How long is the break?", []),
        ("Who owns bread and butter?", []),
        ("Our van broke down and we are late. Who do we ring?", []),
        ("The tap drips. Who mends it? What does it cost?", ["Who mends it", "What does it cost"]),
        ("", []),
    ],
)
def test_question_splits_at_new_questions(question: str, found: list[str]) -> None:
    """A question is parted where it asks anew."""
    assert parts(question) == found


def test_case_description_asks_nothing() -> None:
    """What tells a case does not ask."""
    assert asking("I lost my badge. What does a new one cost?") == ["What does a new one cost?"]
    assert asking("lost my badge") == ["lost my badge"]


@pytest.mark.parametrize(
    ("question", "statement", "found"),
    [
        ("How long is the break, and why?", "The break lasts 40 minutes.", ["why"]),
        (
            "how much is the lease and who signed it",
            "The lease is £4,000 a month.",
            ["who signed it"],
        ),
        (
            "who keeps the keys and whats her phone number",
            "The keys are kept by Ruth Hale.",
            ["whats her phone number"],
        ),
        (
            "How many beds are there and what do they cost?",
            "There are 6 beds on the ward.",
            ["what do they cost"],
        ),
    ],
)
def test_unanswered_part_is_found(question: str, statement: str, found: list[str]) -> None:
    """A part without an answer is found."""
    assert unanswered(question, said(statement)) == found


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("How long is the break, and why?", ["It lasts 40 minutes, to let the oven cool."]),
        ("How long is the break, and why?", ["40 minutes.", "This is because of the oven."]),
        ("how much is the lease and who signed it", ["£4,000, signed by Ruth Hale."]),
        ("What is the limit, and is it checked?", ["The limit is 40 kg."]),
        ("Who approves it, and when?", ["The manager approves it within two weeks."]),
        (
            "Where is it and what was their excuse?",
            ["It is in Hull.", "The lorry had broken down."],
        ),
    ],
)
def test_answered_part_is_not_reported(question: str, statements: list[str]) -> None:
    """A part with an answer is not."""
    assert unanswered(question, said(*statements)) == []


@pytest.mark.parametrize(
    ("question", "statement", "part"),
    [
        (
            "what is the pump's power, and what model is it?",
            "The pump takes 40 kW.",
            "what model is it",
        ),
        (
            "who mends the boiler, whats their email",
            "The boiler is mended by Ofen Ltd.",
            "whats their email",
        ),
        ("what does the lamp cost and who made it", "The lamp costs £40.", "who made it"),
        (
            "when is the fair? and which hall are we in",
            "The fair is on 3 May 2027.",
            "which hall are we in",
        ),
        (
            "how much is the club & what time does it start",
            "The club is £4 a day.",
            "what time does it start",
        ),
        (
            "where is the archive, how much is it per visit",
            "The archive is in Hull.",
            "how much is it per visit",
        ),
        (
            "when is the concert and how much are tickets",
            "The concert is on 3 May; a tea costs £2.",
            "how much are tickets",
        ),
        ("whos the warden, wheres her office", "The warden is Ola Brandt.", "wheres her office"),
        (
            "how long is the lease and how often is rent reviewed",
            "The lease is for 9 years.",
            "how often is rent reviewed",
        ),
        (
            "what did the roof cost and what colour is it",
            "The roof cost £9,000.",
            "what colour is it",
        ),
        (
            "how much is the lease and who signed it",
            "The lease was witnessed: £4,000.",
            "who signed it",
        ),
    ],
)
def test_unanswered_second_question_stays_open(question: str, statement: str, part: str) -> None:
    """A second question is seen and left open."""
    assert unanswered(question, said(statement, evidence="It was signed in 2019.")) == [part]


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("who mends the boiler, whats their email", ["Ofen Ltd mends it, boiler@ofen.example."]),
        (
            "who is the bursar and whats the extension",
            ["Role: Bursar | Name: Nia Rao | Extension: 205"],
        ),
        (
            "what does the lamp cost and who made it",
            ["The lamp costs £40.", "Manufacturer: Lumo AG"],
        ),
        (
            "when is the fair? and which hall are we in",
            ["The fair is on 3 May.", "We are in hall 4."],
        ),
        ("how much is the club & what time does it start", ["The club is £4 a day, from 15:30."]),
        (
            "how long is the lease and how often is rent reviewed",
            ["9 years; rent is reviewed every March."],
        ),
        ("what did the roof cost and what colour is it", ["The roof is grey and cost £9,000."]),
        ("whos the warden, wheres her office", ["The warden Ola Brandt has her office in room 4."]),
    ],
)
def test_answered_second_question_is_closed(question: str, statements: list[str]) -> None:
    """A second question with its answer is not."""
    assert unanswered(question, said(*statements)) == []


def test_wholly_unanswered_question_names_no_part() -> None:
    """Where no part is answered none is named."""
    assert unanswered("Why is it blue, and why is it round?", said("It hangs in the hall.")) == []
    assert unanswered("How long is it, and why?", said()) == []


@pytest.mark.parametrize(
    ("question", "statement", "found"),
    [
        (
            "how much is a piano hour and which pianos may we use",
            "Piano hour – Price (£): 19",
            "which pianos may we use",
        ),
        (
            "what does the polish cost and how long does it take",
            "Polish – Adult: £45\nPrice list, valid for the year 2026",
            "how long does it take",
        ),
        (
            "when is the next council meeting and who is taking the register",
            "The council meeting is on 9 March.\nRegister of the council meeting",
            "who is taking the register",
        ),
    ],
)
def test_a_heading_alone_gives_no_answer(question: str, statement: str, found: str) -> None:
    assert unanswered(question, said(statement)) == [found]


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        (
            "how much is a piano hour and which pianos may we use",
            "A piano hour is £19; you may use both grand pianos.",
        ),
        ("what does the polish cost and how long does it take", "It costs £45 and takes 2 hours."),
        (
            "when is the council meeting and who is taking the register",
            "Council meeting: 9 March; Taken by: Ola Brandt\nRegister",
        ),
    ],
)
def test_a_part_below_its_heading_is_answered(question: str, statement: str) -> None:
    assert unanswered(question, said(statement)) == []
