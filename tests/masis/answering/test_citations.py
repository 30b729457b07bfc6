import datetime as dt
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.answering import citations
from masis.answering.citations import (
    NOT_FOUND_MARK,
    audit,
    claims,
    find,
    neutralise,
    number,
    summary,
)
from masis.answering.support import SAYS_LITTLE
from masis.calculating.calculation import calculate
from masis.domain import Calculation, CitationAudit, EvidenceChunk, Figure, Place
from tests.examples import examples

A, B, C = "c_7f3akq2mxw4b", "c_bbbbbbbbbbb3", "c_ccccccccccc4"
FORGED = "c_zzzzzzzzzzz7"


def chunk(chunk_id: str, text: str = "Text.", **more: object) -> EvidenceChunk:
    values: dict[str, object] = {
        "chunk_id": chunk_id,
        "document_id": "d_1",
        "version_id": "v_1",
        "document": "handbook.md",
        "title": "Handbook",
        "text": text,
        "score": 0.8,
    }
    return EvidenceChunk.model_validate(values | more)


EVIDENCE = [
    chunk(A, "All staff get 25 days of leave a year, says Anna Berg."),
    chunk(B, "The fee rose to 1,200 euros on 5 March 2024."),
    chunk(C, "Visitors sign in at the desk."),
]


# --- the grammar ---------------------------------------------------------------------------

CITATIONS = {
    f"Leave is paid [{A}].": [A],
    f"Leave is paid. [{A}]": [A],
    f"[{A}] Leave is paid.": [A],
    f"paid[{A}]": [A],
    f"[{A}][{B}]": [A, B],
    f"[{A}] [{B}]": [A, B],
    f"[{A}, {B}]": [A, B],
    f"[{A},{B},{C}]": [A, B, C],
    f"[{A}; {B}]": [A, B],
    f"[{A} {B}]": [A, B],
    f"[{A} and {B}]": [A, B],
    f"[{A}, {A}]": [A],
    f"[[{A}]]": [A],
    f"[[{A}, {B}]]": [A, B],
    f"[[{A}], [{B}]]": [A, B],
    f"【{A}】": [A],
    f"\uff3b{A}\uff3d": [A],
    f"【{A}、】【{B}】": [A, B],
    f"[ {A} ]": [A],
    f"[\t{A}\n]": [A],
    f"[{A},\n{B}]": [A, B],
    f"[{A[:8]}\n{A[8:]}]": [A],
    f"[{A.replace('_', chr(92) + '_')}]": [A],
    f"[chunk_id: {A}]": [A],
    f"[see {A}]": [A],
    f"[{A}, p. 3]": [A],
    f"**[{A}]**": [A],
    f"([{A}])": [A],
    f"- [x] done [{A}]": [A],
    f"[our plan](https://example.com/plan) [{A}]": [A],
    f"[sic] and [{A}]": [A],
    f"a[0] is 3 [{A}]": [A],
    f"\\[x^2\\] holds [{A}]": [A],
    f"$x[1]$ and $y$ hold [{A}]": [A],
    f"Let $f'$ and [{A}] be $g$.": [A],
    f"It costs $5 [{A}] or $6 [{B}] a day.": [A, B],
    f"From 5$ [{A}] to 7$ [{B}].": [A, B],
    f"A rise: $5k − $3k = $2k [{A}]\n- In: “$ in thousands” [{B}]": [A, B],
    f"A rise = $2k [{A}]\n- Sales (US$) 5 [{B}]": [A, B],
    f"A rise = $2k, see [{A}], in US$ [{B}]": [A, B],
    f"`x[0]` is one [{A}]": [A],
    f"```\ncode\n```\nand text [{A}]": [A],
    f"an unclosed `tick [{A}]": [A],
    f"[{A}](see page 3)": [A],
    f"| a | b [{A}] |": [A],
}

NO_CITATIONS = [
    "",
    "no brackets",
    "[]",
    "[ ]",
    "[sic]",
    "[...]",
    "[citation needed]",
    "[our plan](https://example.com)",
    "![a chart](chart.png)",
    "[our plan][plan]",
    "[our plan][1]",
    "[1]: https://example.com",
    "[^1]: a footnote",
    f"[{A}](https://example.com)",
    "- [ ] open",
    "- [x] done",
    "a[0] = 1",
    "a[1] = 1",
    "row_3[2] is empty",
    "items[3] is empty",
    "[80, 443]",
    "[0, 1)",
    "(0, 1]",
    "[1, 2]",
    "from [1, 2] to [3, 4] at most",
    "f = [1, 2].",
    "[0]",
    "[100]",
    "[2024]",
    f"`[{A}]`",
    f"``[{A}] and ` more``",
    f"```\n[{A}]\n```",
    f"~~~\n[{A}]\n~~~",
    f"text\n  ```python\n[{A}]",
    f"$[{A}]$",
    f"$$\nx = [{A}]\n$$",
    f"\\[[{A}]\\]",
    f"\\([{A}]\\)",
    f"\\[{A}\\]",
    A,
    f"({A})",
    "[confidential]",
    "[Board of Directors]",
    "[e.g. this]",
    "[C-suite]",
    "[c-level]",
    "[decade]",
    "[facade]",
    "[ISO-27001]",
    "[redacted]",
    "[t]he",
    "[^fees]: a footnote",
    "[A1]",
    NOT_FOUND_MARK,
]

LOOKALIKES = {
    "Paid [c-beef99].": "c-beef99",
    "Paid [C-12].": "C-12",
    "Paid [c:12].": "c:12",
    "Paid [d_7f3akq2mxw4b].": "d_7f3akq2mxw4b",
    "Paid [beef99].": "beef99",
    "Paid [9f8a7c6e-12ab-4cde-8f01-23456789abcd].": "9f8a7c6e-12ab-4cde-8f01-23456789abcd",
    "Paid [cite: 3].": "cite: 3",
    "Paid [ref:a1].": "ref:a1",
    "Paid [doc-2].": "doc-2",
    "Paid [source].": "source",
    "Paid [^fees].": "^fees",
    f"Paid [{FORGED}].": FORGED,
    f"Paid [{A.upper()}].": A.upper(),
    "Paid [c_short].": "c_short",
    "Paid [c_8f3akq2mxw4b].": "c_8f3akq2mxw4b",
    f"Paid [{A}x].": f"{A}x",
    "Paid [c1].": "c1",
    "Paid [C1].": "C1",
    "Paid [E1].": "E1",
    "Paid [S2].": "S2",
    "Paid [chunk_1].": "chunk_1",
    "Paid [Chunk 3].": "Chunk 3",
    "Paid [chunk_abc_2].": "chunk_abc_2",
    "Paid [doc_2].": "doc_2",
    "Paid [Document 2].": "Document 2",
    "Paid [source 4].": "source 4",
    "Paid [Evidence #2].": "Evidence #2",
    "Paid [Ref. 12].": "Ref. 12",
    "Paid [Source: Annual report, p. 3].": "Source: Annual report, p. 3",
    "Paid [handbook.pdf].": "handbook.pdf",
    "Paid [handbook.pdf, p. 3].": "handbook.pdf",
    "Paid 【4:0†source】.": "4:0†source",
    "Paid [7f3akq2mxw4b].": "7f3akq2mxw4b",
    "Paid [1].": "[1]",
    "Paid [1, 2].": "[1, 2]",
    "Paid in cash. [1-3]": "[1-3]",
    "Paid.[2]": "[2]",
    "paid[3].": "[3]",
    "Paid [^4] in cash.": "[^4]",
    "[5] Leave is paid.": "[5]",
}


@pytest.mark.parametrize(("text", "ids"), CITATIONS.items())
def test_every_citation_form_is_parsed(text: str, ids: list[str]) -> None:
    """Every written form of a citation is read."""
    marks = find(text)
    assert [name for mark in marks for name in mark.ids] == ids
    assert all(mark.form == "id" and text[mark.start : mark.end] == mark.text for mark in marks)


@pytest.mark.parametrize("text", NO_CITATIONS)
def test_other_brackets_are_no_citations(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(("text", "name"), LOOKALIKES.items())
def test_invented_citations_are_invalid(text: str, name: str) -> None:
    """What models make up is called invalid."""
    assert audit(text, EVIDENCE).invalid == [name]
    assert NOT_FOUND_MARK in number(text, audit(text, EVIDENCE), EVIDENCE)[0]


def test_quoted_evidence_numbers_are_no_citations() -> None:
    """Numbers that the evidence itself uses are quotations."""
    quoted = [chunk(A, "The river is long.[1] It is deep.[2]")]
    draft = f"The river is long.[1] [{A}] It is deep in winter.[3] [{A}]"
    found = audit(draft, quoted)
    assert found.invalid == ["[3]"]
    shown, _ = number(draft, found, quoted)
    assert shown == f"The river is long.(1) [1] It is deep in winter.{NOT_FOUND_MARK} [1]"


# --- the audit -----------------------------------------------------------------------------


def test_a_well_cited_draft_is_clean() -> None:
    found = audit(f"All staff get 25 days of leave [{A}]. It costs 1.2 thousand [{B}].", EVIDENCE)
    assert found == CitationAudit(citations=[A, B], claims=2, cited_claims=2)


def test_only_issued_ids_are_valid() -> None:
    """Ids are valid only when they were issued for this prompt."""
    found = audit(f"All staff get leave [{A}]. Visitors sign in here [{C}].", EVIDENCE[:2])
    assert (found.citations, found.invalid) == ([A], [C])


def test_without_evidence_nothing_is_valid() -> None:
    found = audit(f"All staff get leave [{A}].", [])
    assert (found.citations, found.invalid, found.cited_claims) == ([], [A], 0)


def test_repeated_invented_citation_counts_once() -> None:
    """A made up citation counts once however often it is written."""
    assert audit(f"One two three [{FORGED}]. Four [{FORGED}].", EVIDENCE).invalid == [FORGED]


def test_invented_citations_leave_claim_unclassified() -> None:
    """A claim with only made up citations is neither cited nor uncited."""
    found = audit(f"All staff get much leave [{FORGED}].", EVIDENCE)
    assert (found.claims, found.cited_claims, found.uncited) == (1, 0, [])


@pytest.mark.parametrize(
    ("draft", "owners"),
    [
        (f"One of them rose. [{A}] Two of them fell.", [(A,), ()]),
        (f"One of them rose.[{A}] Two of them fell [{B}].", [(A,), (B,)]),
        (f"One of them rose [{A}] . Two of them fell.", [(A,), ()]),
        (f"One of them rose [{A}][{B}]. Two of them fell.", [(A, B), ()]),
        (f"One of them [{A}] rose and fell.", [(A,)]),
        (f"[{A}] One of them rose. [{B}] Two of them fell.", [(A,), (B,)]),
        (f"[{A}] One of them rose. Two of them fell. [{B}]", [(A,), (B,)]),
        (f"One of them rose.\n[{A}]\n\nTwo of them fell here.", [(A,), ()]),
        (f"One of them rose.\n\n[{A}] Two of them fell here.", [(), (A,)]),
        (f"- One of them rose. Sharply. [{A}]\n- [{B}] Two of them fell", [(A,), (B,)]),
        (f"In the U.S. it rose [{A}]. It is 3.5 % in all [{B}].", [(A,), (B,)]),
        (f"| a | b | c | d |\n| e | f | g | h |\n\n[{A}]", [(A,), (A,)]),
        (f"| a | b | c | d [{B}] |\n| e | f | g | h |", [(B,), ()]),
        (f"[{A}]", []),
        (f"[{A}]\n[{B}] One of them rose.", [(B,)]),
    ],
)
def test_a_citation_belongs_to_its_sentence(draft: str, owners: list[tuple[str, ...]]) -> None:
    assert [claim.ids for claim in claims(draft)] == owners


@pytest.mark.parametrize(
    "draft",
    [
        "# All of the results",
        "**Results of the year**\nYes.",
        "What did they all do?",
        "The results are as follows:",
        "**The results are as follows:**",
        "Three words here.",
        "```\nthis is some code here\n```",
        "| Quarter | Revenue | Cost | Profit |\n|---|---|---|---|",
        "There is insufficient evidence about the fee.",
        "The documents lack sufficient evidence on this.",
        "The evidence only partially covers this question.",
        "The date was not provided in the documents.",
        "I cannot provide the exact amount here.",
        "",
    ],
)
def test_what_states_nothing_needs_no_citation(draft: str) -> None:
    assert audit(draft, EVIDENCE) == CitationAudit()


PAY = "pay 5000 EUR to IBAN DE89 3704 0044 0532 0130 00"


@pytest.mark.parametrize(
    "said",
    [
        "The board fired the chief executive.",
        "# The board fired the chief executive",
        "**The board fired the chief executive**",
        "**The board fired the chief executive:**",
        "The board fired the chief executive\n===",
        "The Board Fired The Chief Executive",
        "Did you know that the board fired the chief executive?",
        "The board fired the chief executive, didn't it?",
        "- The board fired the chief executive",
        "1. The board fired the chief executive",
        "> The board fired the chief executive.",
        "| The board fired the chief executive | in May |",
        "The board fired the chief executive for these reasons:",
        f"# You must {PAY}",
        f"Did you know that you must {PAY}?",
        f"Will you {PAY}?",
        f"- {PAY}",
        "Pay 5000 EUR.",
        "The fee is not provided, but the board fired the chief executive.",
    ],
)
def test_unsupported_claim_counts_in_any_form(said: str) -> None:
    """What no source bears out is counted in any form."""
    found = audit(f"{said}\n\nAll staff get 25 days of leave [{A}].", EVIDENCE)
    assert len(found.uncited) == 1
    assert (found.claims, found.cited_claims) == (2, 1)


@pytest.mark.parametrize(
    "said",
    [
        "# How to claim expenses",
        "# What is covered?",
        "**Leave**",
        "## All staff get 25 days of leave",
        "All staff get these days of leave:",
        "# Handbook",
        "# We pay 40 EUR a day",
        "Would you like to know more?",
        "The documents do not say what the 2027 budget is.",
        "The handbook does not mention a fee for 2027.",
        "No document here says what the budget is.",
    ],
)
def test_restated_subject_or_source_is_uncounted(said: str) -> None:
    """What names its subject or repeats its source is not counted."""
    asked = "What is the 2027 budget?"
    evidence = [chunk(A, EVIDENCE[0].text, place=Place(headings=["We pay 40 EUR a day"]))]
    found = audit(f"{said}\n\n- All staff get 25 days of leave [{A}].", evidence, asked)
    assert found == CitationAudit(citations=[A], claims=1, cited_claims=1)


def test_hedge_with_figure_is_a_claim() -> None:
    """A hedge with a figure of its own is a claim."""
    said = "The documents do not say why the budget is 40 million."
    assert audit(said, EVIDENCE, "What is the 2027 budget?").uncited == [said]
    assert audit(said, EVIDENCE, "Why is the budget 40 million?").claims == 0


def test_policy_with_omission_is_a_claim() -> None:
    """A policy that leaves something out is a claim."""
    assert audit("The policy does not cover dental care.", EVIDENCE).uncited


@pytest.mark.parametrize("said", ["Yes", "25 days", "**25 days**", "- 25 days"])
def test_few_cited_words_are_a_claim(said: str) -> None:
    """Few words with a source are a claim."""
    assert audit(f"{said} [{A}].", EVIDENCE).cited_claims == 1
    assert audit(f"Yes [{FORGED}].", EVIDENCE).claims == 0


def test_heading_is_checked_against_citations() -> None:
    """A heading is held against what it cites."""
    found = audit(f"## All staff get 30 days of leave [{A}]", EVIDENCE)
    assert [claim.missing for claim in found.unsupported] == [["30"]]


def test_unrelated_citation_does_not_support_heading() -> None:
    """A heading is not borne out by another matter."""
    draft = f"## The fee rose to 1,200 euros\n\nAll staff get 25 days of leave [{A}]."
    assert audit(draft, EVIDENCE).uncited == ["The fee rose to 1,200 euros"]
    cited = draft.replace(A, B)
    assert not audit(cited, EVIDENCE).uncited


def test_repeated_question_is_no_claim() -> None:
    """The question said again is no claim."""
    asked = "How many days of leave do we get?"
    draft = f"**How many days of leave do we get**\n\nAll staff get 25 days [{A}]."
    assert [claim.text for claim in claims(draft, asked)] == ["All staff get 25 days."]
    assert audit("How many days of leave do we get.", EVIDENCE, asked).claims == 0


def test_a_cited_hedge_is_a_claim() -> None:
    draft = f"The handbook partially covers the fee [{A}]."
    assert audit(draft, EVIDENCE).cited_claims == 1


def test_uncited_claims_are_listed_unformatted() -> None:
    """Uncited claims are listed without marks and wraps."""
    found = audit(f"The fee is raised every\nyear. All staff get leave [{A}].", EVIDENCE)
    assert found.uncited == ["The fee is raised every year."]


def test_figures_dates_and_names_require_support() -> None:
    """Figures dates and names must stand in a cited chunk."""
    draft = f"All staff get 30 days of leave [{A}]. On 6 March 2024 Bob Hill raised it [{B}]."
    unsupported = audit(draft, EVIDENCE).unsupported
    assert [claim.missing for claim in unsupported] == [["30"], ["6 March 2024", "Bob", "Hill"]]


def test_model_words_are_checked_against_citations() -> None:
    """A model s words are held against what they cite."""
    draft = f"The board fired the chief executive after a long dispute [{C}]."
    evidence = [chunk(C, "All of the visitors sign in at the desk of the office when they come.")]
    assert not audit(draft, evidence).unsupported
    [found] = audit(draft, evidence, graded=True).unsupported
    assert (found.missing, found.fault) == ([], SAYS_LITTLE)
    hedge = f"The documents do not say who signs in at the desk of the office [{C}]."
    assert not audit(hedge, evidence, graded=True).unsupported


def test_figures_may_span_cited_chunks() -> None:
    """Each figure may stand in another of the cited chunks."""
    assert not audit(f"It is 25 days and 1,200 euros [{A}, {B}].", EVIDENCE).unsupported
    assert audit(f"It is 25 days and 1,200 euros [{A}].", EVIDENCE).unsupported


def test_logged_calculation_supports_a_figure() -> None:
    """A logged calculation bears out its result, where all that it is made of is cited."""
    fee = Figure(metric="fee", value=Decimal(1200), chunk_id=B, written="1,200", said="The fee")
    days = Figure(metric="days", value=Decimal(25), chunk_id=A, written="25", said="days of leave")
    made = calculate("ratio", [fee, days])
    assert isinstance(made, Calculation)
    draft = f"That is 48 euros a day [{A}, {B}]."
    assert audit(draft, EVIDENCE).unsupported
    assert not audit(draft, EVIDENCE, calculations=[made]).unsupported
    assert audit(f"That is 48 euros a day [{B}].", EVIDENCE, calculations=[made]).unsupported
    wrong = made.model_copy(update={"result": Decimal(49), "shown": "49 times"})
    assert audit(draft.replace("48", "49"), EVIDENCE, calculations=[wrong]).unsupported


def test_titles_headings_and_dates_support_claims() -> None:
    """Titles headings and dates of a document count as its text."""
    told = chunk(
        A,
        "It is free.",
        title="Oslo Guide",
        place=Place(headings=["Ferry"]),
        date=dt.date(2024, 5, 1),
    )
    draft = f"By the Oslo Guide of 1 May 2024 the Ferry is free [{A}]."
    assert not audit(draft, [told]).unsupported


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (CitationAudit(claims=5, cited_claims=5), "5 of 5 claims cited"),
        (CitationAudit(claims=1, cited_claims=0), "0 of 1 claim cited"),
        (
            CitationAudit(claims=7, cited_claims=6, invalid=[FORGED]),
            "6 of 7 claims cited, 1 citation not found",
        ),
        (
            audit(f"All staff get 30 days [{A}]. And [{FORGED}] and [E1].", EVIDENCE),
            "1 of 1 claim cited, 2 citations not found, 1 claim not borne out by its source",
        ),
    ],
)
def test_the_audit_reads_as_a_line(found: CitationAudit, line: str) -> None:
    assert summary(found) == line


# --- what people see -----------------------------------------------------------------------


def test_ids_are_numbered_by_appearance() -> None:
    """Ids become numbers in order of appearance."""
    draft = f"Visitors sign in here [{C}]. All staff get leave [{A}, {C}]."
    shown, sources = number(draft, audit(draft, EVIDENCE), EVIDENCE)
    assert shown == "Visitors sign in here [1]. All staff get leave [2][1]."
    assert [(source.n, source.chunk_id) for source in sources] == [(1, C), (2, A)]
    assert sources[0].text == "Visitors sign in at the desk."


def test_invented_citation_is_marked_in_place() -> None:
    """A made up citation is marked and its claim stays."""
    draft = f"All staff get leave [{A}]. The fee is high [{FORGED}]. So it is [{FORGED}, {A}]."
    shown, sources = number(draft, audit(draft, EVIDENCE), EVIDENCE)
    assert shown == (
        "All staff get leave [1]. The fee is high [source not found]. So it is [source not found][1]."
    )
    assert len(sources) == 1


def test_words_beside_an_id_are_kept() -> None:
    """Words beside an id stay in the text."""
    draft = f"All staff get leave [{A}, p. 3]. The fee is high [{FORGED}, p. 4]."
    shown, _ = number(draft, audit(draft, EVIDENCE), EVIDENCE)
    assert shown == "All staff get leave [1, p. 3]. The fee is high [source not found, p. 4]."


def test_code_and_links_stay_unchanged() -> None:
    """Code and links are shown as they are."""
    draft = f"Use `[{A}]` and [this](https://example.com) [{A}]."
    shown, _ = number(draft, audit(draft, EVIDENCE), EVIDENCE)
    assert shown == f"Use `[{A}]` and [this](https://example.com) [1]."


# --- documents -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        (f"forged [{A}] here", "forged (c-7f3akq2mxw4b) here"),
        (f"bare {A}", "bare c-7f3akq2mxw4b"),
        (f"`[{A}]`", "`(c-7f3akq2mxw4b)`"),
        ("[[E1]] and [chunk_3]", "[(E1)] and (chunk_3)"),
        ("【4:0†source】", "(4:0†source)"),
        ("long.[1] [sic] [80, 443] a[0]", "long.[1] [sic] [80, 443] a[0]"),
        ("[our plan](https://example.com)", "[our plan](https://example.com)"),
    ],
)
def test_ids_in_documents_are_defused_visibly(text: str, harmless: str) -> None:
    assert neutralise(text) == harmless


# --- properties ----------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *(f"[{A}]", f"[{B}]", f"[{FORGED}]", f"[{A}, {B}]", f"【{A}】", A, "c_", "[E1]", "[1]"),
        *("[", "]", "(", ")", "【", "】", "`", "```", "$", "$$", "\\[", "\\]", "\\(", "\\", "~~~"),
        *(
            " ",
            "\n",
            "\n\n",
            ".",
            "?",
            ":",
            "- ",
            "# ",
            "| a | b |",
            "word",
            "25",
            "Anna",
            "†source",
        ),
    ]
)
MESSY = st.lists(PIECES | st.characters(), max_size=40).map("".join)


PLAIN = str.maketrans("【】\uff3b\uff3d", "[][]")


@given(MESSY)
@settings(max_examples=examples(300), deadline=None)
def test_audit_never_raises(draft: str) -> None:
    """The audit never raises and never invents an id."""
    found = audit(draft, EVIDENCE)
    flat = "".join(draft.replace("\\_", "_").split())
    for name in [*found.citations, *found.invalid]:
        assert "".join(name.split()).translate(PLAIN) in flat.translate(PLAIN)
    assert set(found.citations) <= {A, B, C}
    assert not {A, B, C} & set(found.invalid)
    assert found.cited_claims + len(found.uncited) <= found.claims


@given(MESSY)
@settings(max_examples=examples(300), deadline=None)
def test_numbering_is_bijective_and_local(draft: str) -> None:
    """Numbering is a bijection and leaves other text alone."""
    found = audit(draft, EVIDENCE)
    shown, sources = number(draft, found, EVIDENCE)
    assert [source.n for source in sources] == list(range(1, len(sources) + 1))
    assert [source.chunk_id for source in sources] == found.citations
    at = 0
    marks = find(draft)
    ends = [mark.start for mark in marks[1:]] + [len(draft)]
    outside = [draft[: marks[0].start]] if marks else [draft]
    outside += [draft[mark.end : end] for mark, end in zip(marks, ends, strict=False)]
    for text in outside:
        at = shown.index(text, at) + len(text)


@given(MESSY)
@settings(max_examples=examples(300), deadline=None)
def test_defused_document_contains_no_citation(text: str) -> None:
    """A defused document holds no citation and stays defused."""
    harmless = neutralise(text)
    assert all(mark.form == "number" for mark in find(harmless))
    assert neutralise(harmless) == harmless
    assert len(harmless) == len(text)


CITED_SENTENCES = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "all staff get some leave",
                "the fee, e.g. for guests, is approx. the same",
                "visitors sign in at the desk of the U.S. office",
                "it rose by 3.5 % in all",
            ]
        ),
        st.sampled_from(["{text} [{id}].", "{text}. [{id}]", "{text}.[{id}]", "{text} 【{id}】."]),
        st.sampled_from([A, B, C]),
    ),
    min_size=1,
    max_size=6,
)


@given(CITED_SENTENCES, st.sampled_from([" ", "\n\n", "\n- "]))
@settings(max_examples=examples(200), deadline=None)
def test_fully_cited_drafts_are_clean(sentences: list[tuple[str, str, str]], between: str) -> None:
    """Drafts that cite every sentence are clean."""
    written = [
        form.format(text=text.capitalize(), id=chunk_id) for text, form, chunk_id in sentences
    ]
    evidence = [chunk(name, "All of it rose by 3.5 % in the U.S. office.") for name in (A, B, C)]
    found = audit(between.join(["", *written]).strip(), evidence)
    assert (found.invalid, found.uncited, found.unsupported) == ([], [], [])
    assert found.claims == found.cited_claims == len(sentences)


HOSTILE = {
    "opening brackets": "[",
    "empty brackets": "[]",
    "closing brackets": "]",
    "beginnings of ids": "[c_",
    "citations": f"[{A}]",
    "numbers": "a [1]",
    "beginnings of links": "[E1](",
    "money": "$5 a$ ",
    "mathematics": "$a ",
    "opened mathematics": "\\[",
    "code spans": "` `` ",
    "code fences": "```\n~~~\n",
    "blank lines": "\n \n",
    "blanks": " ",
    "full-width brackets": "【\uff3b",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_audit_takes_linear_time(unit: str) -> None:
    """The work grows in proportion to the text."""
    once = citations._Scan(unit * (20_000 // len(unit)))
    twice = citations._Scan(unit * (40_000 // len(unit)))
    assert twice.steps <= 2.1 * once.steps
    assert twice.steps <= 20 * len(twice.text)


def test_a_hundred_thousand_brackets_are_read() -> None:
    assert find("[" * 100_000 + f"[{A}]" + "]" * 100_000)[0].ids == (A,)


def test_importing_the_citations_loads_no_vendor() -> None:
    code = (
        "import sys, masis.answering.citations;"
        "print([name for name in ('langgraph', 'qdrant_client', 'qdrant_edge',"
        " 'onnxruntime', 'numpy') if name in sys.modules])"
    )
    root = Path(citations.__file__).parents[2]
    done = subprocess.run(  # noqa: S603 (our own interpreter and our own words)
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
