import pytest

from masis.domain import CitationAudit, Evaluation
from masis.graphs.research import badge_caps, texts
from masis.graphs.research.state import AuditedDraft
from tests.scripted_agents import GOOD_SCORES, chunk, chunk_id, cited, critique

PAIR = [f"“One” [{chunk_id(0)}] against “Two” [{chunk_id(1)}]"]


@pytest.mark.parametrize(
    ("found", "level", "note"),
    [
        ({}, "High", ""),
        ({"possible_conflicts": PAIR}, "Medium", texts.SOURCES_MAY_DISAGREE),
        ({"conflicting_evidence": PAIR}, "Low", texts.SOURCES_DISAGREE),
        (
            {"conflicting_evidence": PAIR, "possible_conflicts": PAIR},
            "Low",
            texts.SOURCES_DISAGREE,
        ),
    ],
)
def test_possible_conflict_caps_the_badge(
    found: dict[str, list[str]], level: str, note: str
) -> None:
    """Sources that may disagree cap the badge."""
    draft = AuditedDraft(
        answer=cited(0),
        evidence=[chunk(0)],
        critique=critique(0.95, **found),
        audit=CitationAudit(citations=[chunk_id(0)], claims=1, cited_claims=1),
        number=1,
        confidence_raw=0.95,
        penalty_factor=1.0,
        confidence=0.95,
        evaluation=Evaluation(**GOOD_SCORES.model_dump(), overall_score=0.9, raw=GOOD_SCORES),
    )

    shown = badge_caps.of(draft, audited=True)

    assert shown is not None
    assert (shown.level, shown.note) == (level, note)
