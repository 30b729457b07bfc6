import pytest

from masis.extractive.namesakes import namesakes, of_other_parts, options, pairs
from masis.retrieval.extraction import Scored, passages, score
from tests.scripted_agents import chunk


def told_apart(question: str, *texts: str) -> list[set[int]]:
    """Which texts introduce different things."""
    return [
        {int(one.passage.chunk.document[6]), int(other.passage.chunk.document[6])}
        for one, other in pairs(question, read(question, *texts))
    ]


def read(question: str, *texts: str) -> list[Scored]:
    evidence = [chunk(n, text=text, rank_score=0.9) for n, text in enumerate(texts)]
    return score(question, passages(evidence), None, None, {})


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        (
            "What is the profession of Mona Reed?",
            "Mona Reed (born 4 May 1951) is a British actress from Hull.",
            "Mona Alice Reed (12 June 1902 – 1980) was a British actress and singer.",
        ),
        (
            'When was "Grey Harbour" released?',
            "Grey Harbour (Tilda Voss album) Grey Harbour is the second album of the singer.",
            "Grey Harbour (film) Grey Harbour is a film about a port in winter.",
        ),
        (
            "What is the population of Orley Township?",
            "Orley Township, Dane County Orley Township is a township of 400 people.",
            "Orley Township, Cass County Orley Township is a township of 900 people.",
        ),
        (
            "Where is Orley located?",
            "Orley is a village in Dane County in the south.",
            "Orley is a village near Port Stephens in the north.",
        ),
        (
            "What does Senator Brack do?",
            "Ivo Brack (born 1950) is a politician from the north.",
            "Anna Brack (born 1971) is a politician from the south.",
        ),
        (
            "What is Tarn Optics known for?",
            "Tarn Optics is a maker of lenses for cameras and telescopes.",
            "Tarn Optics is a charity for blind people in the north.",
        ),
    ],
)
def test_two_namesakes_are_told_apart(question: str, one: str, other: str) -> None:
    """Two things of one name are told apart."""
    assert told_apart(question, one, other) == [{0, 1}]


@pytest.mark.parametrize(
    ("reason", "question", "one", "other"),
    [
        (
            "born in one year",
            "Who is Mona Reed?",
            "Mona Reed (born 4 May 1951) is a British actress from Hull.",
            "Mona Reed (1951–2020) was a painter in her late years in Hull.",
        ),
        (
            "one says more of the same",
            "Who is Mona Reed?",
            "Mona Reed (actress) Mona Reed lives in Hull today with two dogs.",
            "Mona Reed (British actress) Mona Reed lives in Hull today with two dogs.",
        ),
        (
            "an abbreviation tells nothing",
            "Who heads the Tax Office?",
            "Tax Office (TXO) The Tax Office is the office for taxes in the country.",
            "Tax Office (film) The Tax Office is the office for taxes in the country.",
        ),
        (
            "each says somewhere what the other says",
            "What is Tarn Optics?",
            "Tarn Optics is a maker of lenses. It is the supplier of the navy.",
            "Tarn Optics is a supplier of the navy. It is known as a maker of lenses.",
        ),
        (
            "no name in the question",
            "How many days of leave are there?",
            "Leave (holiday) is granted for 25 days in each year of work.",
            "Leave (illness) is granted for 20 days in each year of work.",
        ),
    ],
)
def test_two_descriptions_of_one_thing_match(
    reason: str, question: str, one: str, other: str
) -> None:
    """One thing told in two ways is one."""
    assert told_apart(question, one, other) == [], reason


def test_each_option_names_its_thing() -> None:
    """Each option says which thing it is."""
    question = 'When was "Grey Harbour" released?'
    scored = read(
        question,
        "Grey Harbour (Tilda Voss album) Grey Harbour is the second album of the singer.",
        "Grey Harbour (film) Grey Harbour is a film about a port in winter.",
        "Grey Harbour (film) is a film about a port that was shot in a hall.",
    )

    assert options(question, scored) == ["Grey Harbour (Tilda Voss album)", "Grey Harbour (film)"]
    assert len(namesakes(question, scored)) == 2


def test_lifespan_and_description_make_options() -> None:
    """A life and a description are options too."""
    question = "What is the profession of Mona Reed?"
    scored = read(
        question,
        "Mona Reed (born 4 May 1951) is a British actress from Hull.",
        "Mona Reed (1902–1980) was a painter of ships.",
    )

    assert options(question, scored) == [
        "Mona Reed (born 1951), British actress",
        "Mona Reed (born 1902), painter",
    ]


def test_repeated_name_takes_bounded_time() -> None:
    """A name written many times is read in bounded time."""
    question = "Who is A A A A A A A A?"

    assert told_apart(question, "A " * 3000, "A b " * 3000) == []


def test_a_relative_of_the_name_is_nobody_else() -> None:
    one = "Mona Reed (12 June 1902 – 1980) was a British singer."
    other = "She was born in Hull as a daughter of the actress Mona Reed (1871–1940)."
    assert told_apart("When was Mona Reed born?", one, other) == []
    assert told_apart("When was Mona Reed born?", one, "Mona Reed (1871–1940) was an actress.")


def test_town_called_city_is_no_namesake() -> None:
    """A town that is called a city is one."""
    question = "What is the population of Orley?"
    town = "Orley is a market town in Dane County."
    assert told_apart(question, town, "Orley is a city and a parish in Dane County.") == []
    assert told_apart(question, town, "Orley is a city in Cass County.")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (
            "Part: Main board | Fits: X-200 | Price: £486",
            "Part: Fan | Fits: X-200 | Price: £9",
            True,
        ),
        ("The Quill 200 costs £90.", "The Quill 200C costs £75.", True),
        ("The Quill 200 costs £90.", "The Quill 200 costs £75.", False),
        ("The Quill 200 spare kit costs £9.", "The Quill 200 costs £75.", True),
        ("The Quill 200 spare kit costs £9.", "Part: Fan | Fits: Quill 200 | Price: £9", True),
    ],
)
def test_parts_of_a_named_thing(one: str, other: str, apart: bool) -> None:
    """What only belongs to a thing, and one of a longer code, is another thing."""
    assert of_other_parts("price of the Quill 200", one, other) is apart


def test_called_so_around_is_no_part() -> None:
    texts = ("The Quill 200 pump costs £9.", "The Quill 200 costs £75.")
    assert not of_other_parts("price of the Quill 200", *texts, ("", "Data sheet: Quill pump"))


def test_year_has_no_parts() -> None:
    """Words behind a year are of the statement: two figures of one budget stay a conflict."""
    texts = (
        "The tooling budget for 2026 is £74,500.",
        "The tooling budget for 2026 stands at £68,000.",
    )
    assert not of_other_parts("What is the tooling budget for 2026?", *texts)
