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


def test_only_the_rejected_statement_is_removed() -> None:
    """The statement goes and the rest stays."""
    old = paper(0, "# Leave", OLD, "The manager approves it.", "The office closes on 24 December.")
    new = paper(1, NEW)
    left = in_force(chosen("documents", old, new), [old, new])

    assert [each.chunk_id for each in left] == [old.chunk_id, new.chunk_id]
    assert (
        left[0].text
        == "# Leave\n\n\n\nThe manager approves it.\n\nThe office closes on 24 December."
    )
    assert left[1] == new


def test_paraphrase_of_rejected_statement_is_removed() -> None:
    """What says the same in other words goes too."""
    old = paper(
        0, OLD, "Apprentices have 24 days of leave a year.", "- Leave: 24 days for an apprentice"
    )
    left = in_force(chosen("documents", old, paper(1, NEW)), [old])

    assert left == []


def test_same_words_in_chosen_document_stay() -> None:
    """The same words in the document chosen stay."""
    new = paper(1, NEW, "Until 2020 it was 24 days of leave for an apprentice.")

    assert in_force(chosen("documents", paper(0, OLD), new), [new]) == [new]


def test_only_the_rejected_row_is_removed() -> None:
    """A row goes and its table stays."""
    old = paper(0, "Who: Apprentice | Leave: 24 days\nWho: Partner | Leave: 31 days")
    question = chosen("documents", old, paper(1, NEW))
    (left,) = in_force(question, [old])

    assert "24" not in left.text
    assert "Who: Partner | Leave: 31 days" in left.text


def test_third_document_restores_nothing_rejected() -> None:
    """A third document does not bring it back."""
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


def test_third_document_with_other_figure_stays() -> None:
    """A third document with another figure stays."""
    old, new = paper(0, OLD), paper(1, NEW)
    third = paper(2, "An apprentice has 30 days of leave.")

    assert third in in_force(chosen("documents", old, new), [old, third, new])


def test_neither_rejects_both_documents() -> None:
    """Neither takes both and both takes none."""
    old, new = paper(0, OLD), paper(1, NEW)

    assert in_force(chosen("neither", old, new), [old, new]) == []
    for kind in ("both", "undecided", "unclear"):
        assert in_force(chosen(kind, old, new), [old, new]) == [old, new]


def test_without_choice_all_evidence_stays() -> None:
    """Without a choice all evidence is in force."""
    evidence = [paper(0, OLD), paper(1, NEW)]

    assert in_force(Question.plain(ASKED), evidence) == evidence


def test_empty_statement_rejects_nothing() -> None:
    """A statement without words sets nothing aside."""
    old, new = paper(0, OLD), paper(1, NEW)
    question = chosen("documents", old, new)
    (made,) = question.choices
    empty = [each.model_copy(update={"text": ""}) for each in made.statements]
    question = question.model_copy(
        update={"choices": [made.model_copy(update={"statements": empty})]}
    )

    assert in_force(question, [old, new]) == [old, new]
