from masis.domain import EvidenceChunk
from masis.extractive.summary import MOST_POINTS, points
from masis.retrieval.extraction import passages, score
from tests.scripted_agents import chunk

QUESTION = "summarise the harbour report"


def report(*sections: str) -> list[EvidenceChunk]:
    return [
        chunk(
            at,
            text=text,
            title="Harbour report 2031",
            position=at,
            document_id="d",
            document="harbour-report-2031.md",
        )
        for at, text in enumerate(sections)
    ]


def of(question: str, *evidence: EvidenceChunk) -> list[str]:
    found = points(question, score(question, passages(evidence), None, None, {}))
    return [s.passage.text for s in found]


def test_summary_takes_first_sentence_per_section() -> None:
    """A summary is the first sentence of each section in order."""
    sections = report(
        "# Berths\n\nForty berths were let all year. The rest stood empty in winter.",
        "# Staff\n\n- Two wardens left\n\nThe crew grew to nine people. They work in pairs.",
    )

    assert of(QUESTION, *reversed(sections)) == [
        "Forty berths were let all year.",
        "The crew grew to nine people.",
    ]


def test_section_titled_summary_is_the_summary() -> None:
    """A section that promises a summary is the summary."""
    sections = report(
        "# Berths\n\nForty berths were let all year.",
        "# The year in short\n\nThe harbour made a small profit. The pier was mended in May.",
    )

    assert of(QUESTION, *sections) == [
        "The harbour made a small profit.",
        "The pier was mended in May.",
    ]


def test_attendees_and_titles_are_no_points() -> None:
    """Who was there and titles are no points."""
    sections = report(
        "Present: Ada Finch, Bo Lund and Cy Marsh of the harbour board.",
        "# Berths\n\nForty berths were let all year.",
        "# Staff\n\nThe crew grew to nine people.",
    )

    assert of(QUESTION, *sections) == [
        "Forty berths were let all year.",
        "The crew grew to nine people.",
    ]


def test_summary_has_few_points() -> None:
    """A summary has a handful of points."""
    sections = report(*(f"# Part {n}\n\nPier number {n} was mended in May." for n in range(9)))

    assert len(of(QUESTION, *sections)) == MOST_POINTS


def test_other_questions_get_no_summary() -> None:
    """Another question or document has no summary."""
    sections = report(
        "# Berths\n\nForty berths were let all year.", "# Staff\n\nThe crew grew to nine people."
    )

    assert of("how many berths were let", *sections) == []
    assert of("summarise the crane manual", *sections) == []
