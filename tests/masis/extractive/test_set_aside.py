from masis.domain import Choice, EvidenceChunk, Question
from masis.extractive.set_aside import in_force
from masis.questions.choice import statement_of
from tests.scripted_agents import chunk

ASKED = "How many days of leave does an apprentice have?"
OLD = "An apprentice has 24 days of leave."
NEW = "An apprentice has 27 days of leave."


def paper(number: int, *lines: str) -> EvidenceChunk:
    return chunk(number, text="\n\n".join(lines))


def chosen(kind: str, old: EvidenceChunk, new: EvidenceChunk) -> Question:
    statements = [statement_of(old, OLD), statement_of(new, NEW)]
    documents = [new.document_id] if kind == "documents" else []
    choice = Choice.model_validate({"kind": kind, "statements": statements, "documents": documents})
    return Question(text=ASKED, standalone=ASKED, choices=[choice])


def test_the_statement_goes_and_the_rest_stays() -> None:
    old = paper(0, "# Leave", OLD, "The manager approves it.", "The office closes on 24 December.")
    new = paper(1, NEW)
    left = in_force(chosen("documents", old, new), [old, new])

    assert [each.chunk_id for each in left] == [old.chunk_id, new.chunk_id]
    assert (
        left[0].text
        == "# Leave\n\n\n\nThe manager approves it.\n\nThe office closes on 24 December."
    )
    assert left[1] == new


def test_what_says_the_same_in_other_words_goes_too() -> None:
    old = paper(
        0, OLD, "Apprentices have 24 days of leave a year.", "- Leave: 24 days for an apprentice"
    )
    left = in_force(chosen("documents", old, paper(1, NEW)), [old])

    assert left == []


def test_the_same_words_in_the_document_chosen_stay() -> None:
    new = paper(1, NEW, "Until 2020 it was 24 days of leave for an apprentice.")

    assert in_force(chosen("documents", paper(0, OLD), new), [new]) == [new]


def test_a_row_goes_and_its_table_stays() -> None:
    old = paper(0, "Who: Apprentice | Leave: 24 days\nWho: Partner | Leave: 31 days")
    question = chosen("documents", old, paper(1, NEW))
    (left,) = in_force(question, [old])

    assert "24" not in left.text
    assert "Who: Partner | Leave: 31 days" in left.text


def test_a_third_document_does_not_bring_it_back() -> None:
    old, new = paper(0, OLD), paper(1, NEW)
    third = paper(
        2,
        "Days of leave of an apprentice: 24 days, as everybody knows who was one.",
        "Lessons begin after 24 days.",
        "A partner has 24 days of leave.",
    )
    left = in_force(chosen("documents", old, new), [old, third, new])

    assert [each.chunk_id for each in left] == [third.chunk_id, new.chunk_id]
    assert "apprentice" not in left[0].text
    assert "Lessons begin after 24 days." in left[0].text


def test_a_third_document_with_another_figure_stays() -> None:
    old, new = paper(0, OLD), paper(1, NEW)
    third = paper(2, "An apprentice has 30 days of leave.")

    assert third in in_force(chosen("documents", old, new), [old, third, new])


def test_neither_takes_both_and_both_takes_none() -> None:
    old, new = paper(0, OLD), paper(1, NEW)

    assert in_force(chosen("neither", old, new), [old, new]) == []
    for kind in ("both", "undecided", "unclear"):
        assert in_force(chosen(kind, old, new), [old, new]) == [old, new]


def test_without_a_choice_all_evidence_is_in_force() -> None:
    evidence = [paper(0, OLD), paper(1, NEW)]

    assert in_force(Question.plain(ASKED), evidence) == evidence


def test_a_statement_without_words_sets_nothing_aside() -> None:
    old, new = paper(0, OLD), paper(1, NEW)
    question = chosen("documents", old, new)
    (made,) = question.choices
    empty = [each.model_copy(update={"text": ""}) for each in made.statements]
    question = question.model_copy(
        update={"choices": [made.model_copy(update={"statements": empty})]}
    )

    assert in_force(question, [old, new]) == [old, new]
