import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.answering import citations
from masis.domain import EvidenceChunk
from masis.extractive.render import MAX_LEAD_CHARS, as_text, statements
from masis.retrieval.extraction import Scored, passages
from masis.text.sentences import units
from tests.examples import examples
from tests.scripted_agents import chunk, chunk_id

QUESTION = "What is said about it?"
A, B = f"[{chunk_id(0)}]", f"[{chunk_id(1)}]"


def every(*evidence: EvidenceChunk) -> list[Scored]:
    """All that can be quoted, the first evidence best."""
    rank = {one.chunk_id: n for n, one in enumerate(evidence)}
    return [
        Scored(passage, 1.0 - rank[passage.chunk.chunk_id] / 10, 0.0, 0.0, hint=False, vector=n)
        for n, passage in enumerate(passages(evidence))
    ]


def shown(*evidence: EvidenceChunk, question: str = QUESTION) -> str:
    return as_text(question, every(*evidence), evidence)


def of(text: str) -> str:
    return shown(chunk(0, text=text))


def said(draft: str, *evidence: EvidenceChunk) -> list[str]:
    """The statements without any blanks."""
    return [squashed(one.text) for one in statements(draft, evidence)]


def squashed(text: str) -> str:
    return "".join(text.split())


def test_place_named_first_leads() -> None:
    """What holds for the first place stands before the best, which holds for another; nobody asked of it."""
    first = chunk(
        0, text="# Leave in York\n\nPeople have 26 days of leave.", position=1, document_id="d"
    )
    other = chunk(
        1, text="# Leave in Leeds\n\nPeople have 27 days of leave.", position=2, document_id="d"
    )
    leeds, york = every(other, first)

    def begins(question: str) -> str:
        return as_text(question, [replace(york, score=0.95), leeds], [other, first])

    assert begins("how many days of leave").startswith("Leave in York: People have 26")
    assert begins("how many days of leave in Leeds").startswith("People have 27")


def test_limit_keeps_its_column() -> None:
    """A row that begins with a limit says what it is the limit of."""
    assert of("| Cost of a trip: Up to £90 | Who: Ada |").startswith(
        "Cost of a trip: Up to £90 – Who: Ada"
    )


# --- prose ---------------------------------------------------------------------------------


def test_each_sentence_is_cited_before_stop() -> None:
    """Sentences run together each cited before its stop."""
    assert of("The office opens at nine. It\ncloses at five in the evening!") == (
        f"The office opens at nine {A}. It closes at five in the evening {A}!"
    )


def test_best_document_comes_first_and_apart() -> None:
    """Documents are parted the best one first."""
    later = chunk(1, text="The depot opens at seven in the morning.")
    best = chunk(0, text="The office opens at nine in the morning.")

    assert shown(best, later).split("\n\n") == [
        f"The office opens at nine in the morning {A}.",
        f"The depot opens at seven in the morning {B}.",
    ]


def test_answer_precedes_earlier_text() -> None:
    """Put the best passage of a document first, and the rest behind it in reading order."""
    best = chunk(0, text="The valve is closed by hand.", position=7, document_id="d")
    last = chunk(1, text="The lid is put back on.", position=9, document_id="d")
    first = chunk(2, text="The pump is switched off.", position=3, document_id="d")

    assert re.findall(r"The (\w+)", shown(best, last, first)) == ["valve", "pump", "lid"]


def test_text_after_answer_stays_behind_it() -> None:
    """Keep the sentences that stand right behind the best one with it."""
    scored = every(chunk(0, text="The pump is old. The valve is closed. The lid is put back."))
    scored[1] = replace(scored[1], score=2.0)
    text = as_text(QUESTION, scored, [scored[0].passage.chunk])

    assert re.findall(r"The (\w+)", text) == ["valve", "lid", "pump"]


def test_answering_list_keeps_its_order() -> None:
    """Put the best item's list first, its items as they stand."""
    text = "The office is new. It has rules.\n\n- knock first\n- then enter\n- close the door"
    scored = every(chunk(0, text=text))
    scored[-1] = replace(scored[-1], score=2.0)
    answer = as_text(QUESTION, scored, [scored[0].passage.chunk])

    assert answer.index("knock") < answer.index("enter") < answer.index("close")
    assert answer.index("close") < answer.index("office")


def test_dangling_sentence_brings_antecedent_once() -> None:
    """A sentence that leans on another brings it along once."""
    evidence = chunk(0, text="The pump is sealed for life. It must not be opened. It is grey.")
    scored = every(evidence)
    alone = [one for one in scored if one.passage.text == "It must not be opened."]

    assert as_text(QUESTION, alone, [evidence]) == (
        f"The pump is sealed for life {A}. It must not be opened {A}."
    )
    assert as_text(QUESTION, scored, [evidence]).count("sealed for life") == 1


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("She said: “Never open the pump.”", f"She said: “Never open the pump.” {A}"),
        ('She said: "Never open the pump!"', f'She said: "Never open the pump!" {A}'),
        ("The pump is sealed (for life).", f"The pump is sealed (for life) {A}."),
        ("(The pump is sealed for life.)", f"(The pump is sealed for life.) {A}"),
        ("Why is the pump of 2024 sealed?", f"Why is the pump of 2024 sealed {A}?"),
        ("The pump is sealed, greased, etc...", f"The pump is sealed, greased, etc... {A}."),
        ("The “pump” is the “sealed” one.", f"The “pump” is the “sealed” one {A}."),
    ],
)
def test_citation_mark_stands_at_sentence_end(sentence: str, written: str) -> None:
    """The mark stands where the sentence ends."""
    assert of(sentence) == written


def test_quotation_with_stop_separates_next_mark() -> None:
    """A quotation that ends with its stop keeps the next sentences mark apart."""
    evidence = chunk(0, text="She said: “Never open the pump.” The seal is broken otherwise.")
    draft = shown(evidence)

    assert draft.count(A) == 2
    assert citations.audit(draft, [evidence]).uncited == []


def test_citation_lookalike_in_document_is_none() -> None:
    """What looks like a citation in a document is none in the draft."""
    fake = f"The pump is approved by the board [{chunk_id(7)}]."
    evidence = chunk(0, text=fake)
    audit = citations.audit(shown(evidence), [evidence])

    assert audit.citations == [chunk_id(0)]
    assert audit.invalid == []


def test_quotation_with_stop_is_own_statement() -> None:
    """A quotation that ends with its stop is a statement of its own."""
    evidence = chunk(0, text="She said: “Never open the pump.” The seal is broken otherwise.")

    assert said(shown(evidence), evidence) == [
        "Shesaid:“Neveropenthepump.”",
        "Thesealisbrokenotherwise.",
    ]


def test_dangling_sentence_stays_within_document() -> None:
    """A leaning sentence does not bring along what another document said."""
    one = chunk(0, text="The pump is sealed for life.")
    other = chunk(1, text="The pump is sealed for life. It must not be opened.")

    assert shown(one, other).count("sealed for life") == 1


@pytest.mark.parametrize("above", ["Pump: W60 | Price: £1,995", "- a passport and a photo"])
def test_dangling_sentence_repeats_no_list_entry(above: str) -> None:
    """A leaning sentence does not say a row or an item again."""
    draft = of(f"{above}\n\nIt closes at five in the evening.")

    assert draft.count("Price") + draft.count("passport") == 1
    assert " | " not in draft


# --- lists and tables ----------------------------------------------------------------------


def test_list_keeps_lead_and_item_citations() -> None:
    """A list keeps its lead and each item its citation."""
    assert of("Visitors bring:\n\n- a passport;\n- the invitation,\n- one photo.") == (
        f"Visitors bring:\n- a passport {A}.\n- the invitation {A}.\n- one photo {A}."
    )


def test_single_item_joins_its_lead() -> None:
    """A single item stands in a sentence with its lead."""
    assert of("Visitors bring:\n\n- a valid passport") == f"Visitors bring: a valid passport {A}."


def test_repeated_lead_appears_once() -> None:
    """A lead that its items repeat is said once."""
    text = "Share it in one of these ways:\n\n- Share it in one of these ways: by letter"

    assert of(text) == f"Share it in one of these ways: by letter {A}."


def test_list_without_lead_gets_its_heading() -> None:
    """A list without a lead has its heading."""
    assert of("## Checklist\n\n- a valid passport\n- the invitation") == (
        f"Checklist:\n- a valid passport {A}.\n- the invitation {A}."
    )


def test_paragraph_long_lead_is_omitted() -> None:
    """A lead as long as a paragraph is left out."""
    lead = "Whoever visits " + "the works " * (MAX_LEAD_CHARS // 10) + "brings:"

    assert of(f"{lead}\n\n- a passport\n- an invitation") == (
        f"- a passport {A}.\n- an invitation {A}."
    )


def test_lists_of_two_documents_stay_apart() -> None:
    """Lists of two documents do not run together."""
    one = chunk(0, text="Visitors bring:\n\n- a valid passport\n- the invitation")
    other = chunk(1, text="Visitors bring:\n\n- an umbrella at all times\n- two photos")
    draft = shown(one, other)

    assert draft.count("Visitors bring:") == 2
    assert draft.index(A) < draft.index(B)


REMARK = "Remark: " + "seen by nobody from the trade fair, " * 5 + "or so"
"""A cell that makes a row long, and that no question here speaks of."""
ROW = "Pump: Wharfe 60 | Price: £1,995 | Weight: 34 kg | Flow: 60 l/h | Stock: 12 | Colour: grey"


def test_narrow_row_lists_its_cells() -> None:
    """A narrow row is read cell by cell."""
    assert of("Pump: Wharfe 60 | Price: £1,995") == f"Wharfe 60 – Price: £1,995 {A}."


def test_wide_row_keeps_only_asked_cells() -> None:
    """A wide row is narrowed to its name and what was asked for."""
    row = f"{ROW} | {REMARK}"
    draft = shown(chunk(0, text=row), question="What are the price and the weight of a Wharfe?")

    assert draft == f"Wharfe 60 – Price: £1,995; Weight: 34 kg {A}."


@pytest.mark.parametrize(
    ("question", "cell"),
    [
        ("What does a Silver plan cost?", "Price 2026 (£ per year): 2,380"),
        ("What does a Silver plan cost?", "Total: 2,380"),
        ("How many Silver plans are there?", "Qty: 12"),
        ("When is the Silver plan renewed?", "Renewal date: 1 May"),
        ("Who sells the Silver plan?", "Owner: Beatriz Lopes"),
        ("Who looks after the Silver plan?", "Supplier: Minster Ltd"),
    ],
)
def test_wide_row_keeps_answer_kind_column(question: str, cell: str) -> None:
    """A wide row keeps the column that is named for the kind of answer."""
    rest = f"Planned visits: two | Planned spares: all | Telephone: yes | {REMARK}"
    draft = shown(chunk(0, text=f"Plan: Silver | {cell} | {rest}"), question=question)

    assert draft == f"Silver – {cell}; Planned visits: two; Planned spares: all {A}."


def test_easily_read_row_stays_whole() -> None:
    """Keep the column that answers though neither its name nor its cell has a word of the question."""
    row = "name: Elena Marchetti | role: Lead | site: Hull | reports_to: Stefan Kowalczyk | ext: 43"
    draft = shown(chunk(0, text=row), question="Who is Elena Marchetti's boss?")

    assert "reports_to: Stefan Kowalczyk" in draft


def test_similar_rows_keep_distinguishing_cells() -> None:
    """Rows that would read alike keep the cells that tell them apart."""
    row = "Budget: Tooling | Part: {} | Owner: Gareth Pugh | Lead: Asha | Sum: £1 | State: open"
    text = "\n".join(row.format(part) for part in ("moulds", "jigs"))
    draft = shown(chunk(0, text=text), question="Who has the tooling?")

    rest = "Owner: Gareth Pugh; Lead: Asha; Sum: £1; State: open"
    assert draft == "\n".join(
        f"- Tooling – Part: {part}; {rest} {A}." for part in ("moulds", "jigs")
    )


CELLS = {
    name: f"{name}: {value}"
    for name, value in [
        ("Price", "£1,995"),
        ("Weight", "34 kg"),
        ("Flow", "60 l/h"),
        ("Stock", "12"),
        ("Colour", "grey"),
    ]
}


@settings(max_examples=examples(40), deadline=None)
@given(st.sets(st.sampled_from(sorted(CELLS))))
def test_asked_cells_are_kept_verbatim(asked: set[str]) -> None:
    """Asked cells are kept verbatim and nothing is made up."""
    question = f"Tell me the {' and '.join(sorted(asked)).lower()}"
    row = shown(chunk(0, text=ROW), question=question).removesuffix(f" {A}.")
    subject, _, rest = row.partition(" – ")
    cells = rest.split("; ")

    assert subject == "Wharfe 60"
    assert set(cells) <= set(ROW.split(" | "))
    assert {CELLS[name] for name in asked} <= set(cells)
    assert len(cells) == len(set(cells))


def test_counters_and_heading_numbers_are_stripped() -> None:
    """A counter and the number of a heading are no part of what is said."""
    place = {"headings": ["3.1 Hotels and meals"]}

    assert of("No.: 4 | Item: Meals | Limit: £34") == f"Meals – Limit: £34 {A}."
    assert shown(chunk(0, text="- at most £34 a day for meals", place=place)) == (
        f"Hotels and meals: at most £34 a day for meals {A}."
    )


# --- back to statements --------------------------------------------------------------------


def test_draft_parses_back_into_statements() -> None:
    """A draft is read back as its statements."""
    evidence = chunk(0, text="The office opens at nine. It closes at five.", context="Site › Hours")
    other = chunk(1, text="- bring a valid passport", context="Visitors")
    found = statements(shown(evidence, other), [evidence, other])

    assert [squashed(one.text) for one in found] == [
        "Theofficeopensatnine.",
        "Itclosesatfive.",
        "bringavalidpassport.",
    ]
    assert [one.context for one in found] == ["Site › Hours", "Site › Hours", "Visitors"]
    assert [one.document for one in found] == ["d_0", "d_0", "d_1"]


def test_uncited_text_is_no_statement() -> None:
    """What cites nothing or nothing known is no statement."""
    draft = f"Nobody knows. The pump is sealed {B}. Really [c_zzzzzzzzzzzz]."

    assert [one.document for one in statements(draft, [chunk(1)])] == ["d_1"]
    assert statements("", [chunk(0)]) == []


# --- whatever the documents say ------------------------------------------------------------

BLOCKS = [
    "The office opens at 08:30 on working days. It closes at 17:00, approx. an hour after others.",
    "The depot is open on Sundays. However, the canteen is closed.",
    "The label says: “Never open the pump.”",
    "The seal (see No. 4) costs £12.50 a piece.",
    "Is the stock counted on Sundays? The pump, its valve and\nthe seal are sold together!",
    "The gauge shows '1.5 bar'.",
    "Visitors must bring:\n\n- a valid passport\n- the letter of invitation.\n- £40 in cash;",
    "- (optional) one photo\n- two signatures, by hand",
    f"Pump: W60 | Price: £1,995\nPump: W200 | Price: £3,540\n{ROW}",
    "## Opening hours",
    "The following is paid:\n\n- the taxi to the station",
]
"""What stands in documents; each block may be read without the others."""

documents = st.tuples(st.permutations(BLOCKS), st.integers(1, 9), st.integers(0, 9)).map(
    lambda made: [
        "\n\n".join(part)
        for part in (made[0][: made[1]], made[0][made[1] : made[1] + made[2]])
        if part
    ]
)


def evidence_of(texts: list[str]) -> list[EvidenceChunk]:
    return [chunk(n, text=text) for n, text in enumerate(texts)]


@settings(max_examples=examples(80), deadline=None)
@given(documents)
def test_every_statement_is_verbatim(texts: list[str]) -> None:
    """Every statement is its documents own words."""
    evidence = evidence_of(texts)
    by_document = {one.document_id: one for one in evidence}

    for statement in statements(shown(*evidence), evidence):
        source = by_document[statement.document]
        words = squashed(" ".join(unit.flat for unit in units(source.text)))
        leads = {
            squashed(lead)
            for passage in passages([source])
            for lead in (passage.lead, f"{passage.heading}:")
        }
        text = squashed(statement.text)
        bodies = [text, *(text.removeprefix(lead) for lead in leads)]
        cells = [body.removesuffix(".").replace(";", "|").replace("–", "|", 1) for body in bodies]
        assert any(
            body in words or body.removesuffix(".") in words or row in words or _narrowed(row)
            for body, row in zip(bodies, cells, strict=True)
        ), statement.text


def _narrowed(row: str) -> bool:
    cells = row.split("|")
    return len(cells) > 1 and set(cells) <= {squashed(cell) for cell in ROW.split(" | ")}


@settings(max_examples=examples(80), deadline=None)
@given(documents)
def test_each_claim_occurs_and_cites_once(texts: list[str]) -> None:
    """Nothing is said twice and every claim has one citation."""
    evidence = evidence_of(texts)
    draft = shown(*evidence)
    audit = citations.audit(draft, evidence)

    assert (audit.invalid, audit.uncited, audit.unsupported) == ([], [], [])
    for claim in citations.claims(draft):
        assert len(claim.ids) == 1, claim.text
    sentences = [claim.text.casefold() for claim in citations.claims(draft)]
    assert len(sentences) == len(set(sentences)), draft
    marks = citations.find(draft)
    assert all(re.match(r"[.!?]|$|[ \n]", draft[mark.end : mark.end + 1]) for mark in marks)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.text(max_size=120), max_size=3), st.text(max_size=40))
def test_any_text_renders_with_valid_citations(texts: list[str], question: str) -> None:
    """Any text at all is rendered without an invalid citation."""
    evidence = evidence_of([text or " " for text in texts])
    draft = as_text(question, every(*evidence), evidence)

    assert citations.audit(draft, evidence).invalid == []
    assert len(statements(draft, evidence)) <= len(citations.find(draft))


# --- what stands in front ------------------------------------------------------------------


def test_clause_number_is_omitted() -> None:
    """The number of a clause is left out."""
    assert of("9.2 Recipes remain with the maker.") == f"Recipes remain with the maker {A}."
    assert of("- 6. A berth is paid in advance") == f"A berth is paid in advance {A}."


def test_row_starts_with_name_not_code() -> None:
    """A row begins with the name and not its code."""
    row = "no: T1001 | name: Ada Finch | role: Harbour Master"

    assert shown(chunk(0, text=row), question="who is the harbour master") == (
        f"Ada Finch – no: T1001; role: Harbour Master {A}."
    )
    assert shown(chunk(0, text=row), question="who is T1001").startswith("T1001 – name: Ada Finch")


def test_first_of_equal_candidates_leads() -> None:
    """Of two as good the first stands first."""
    evidence = chunk(
        0, text="Crews have 26 free days. Rain falls all year. North crews have 27 free days."
    )
    one, rain, north = every(evidence)
    chosen = [replace(one, score=0.97), replace(north, score=1.0)]

    assert as_text(QUESTION, chosen, [evidence]).startswith("Crews have 26")
    assert as_text(QUESTION, [*chosen, replace(rain, score=0.5)], [evidence]).startswith("Crews")


def test_what_leans_on_another_begins_no_answer() -> None:
    evidence = chunk(0, text="Rain falls all year. It does not in May. Crews have 26 free days.")
    _, leaning, best = every(evidence)
    chosen = [replace(leaning, score=0.99), replace(best, score=1.0)]

    assert as_text(QUESTION, chosen, [evidence]).startswith("Crews have 26")


def test_dangling_best_sentence_follows_antecedent_once() -> None:
    """A leaning best sentence follows what it leans on once."""
    evidence = chunk(0, text="Crews are paid for 8 weeks. Before that, half is paid.")
    one, leaning = every(evidence)
    text = as_text(QUESTION, [replace(one, score=0.6), replace(leaning, score=1.0)], [evidence])

    assert text == f"Crews are paid for 8 weeks {A}. Before that, half is paid {A}."


def test_item_with_fact_leads_its_list() -> None:
    """The item with the fact stands first in its list."""
    evidence = chunk(0, text="- Regatta: 4 June\n- Choir: 9 June")
    regatta, choir = every(evidence)
    chosen = [replace(regatta, score=0.8), replace(choir, score=1.0)]

    assert as_text("when does the choir sing", chosen, [evidence]).startswith("- Choir: 9 June")
    assert as_text("list what is on", chosen, [evidence]).startswith("- Regatta: 4 June")


def test_answer_omits_its_question_mark() -> None:
    """An answer stands without the mark of its question."""
    assert of("Q. Boiler inspection? A. Thursdays at 6:40, by the caretaker.") == (
        f"Q. Boiler inspection {A}? Thursdays at 6:40, by the caretaker {A}."
    )


MONEY = "Spending:\n- Travel: 3,000 EUR\n- Crane licence: 870 EUR a month\n- Paint: 40 EUR"


def ranked(text: str, *scores: float) -> str:
    """The text as an answer, its passages scored so."""
    paper = chunk(0, text=text)
    scored = [replace(s, score=at) for s, at in zip(every(paper), scores, strict=True)]
    return as_text("what are we spending on the crane", scored, [paper])


def test_far_better_item_leads_its_list() -> None:
    """An item far above its list stands first."""
    assert ranked(MONEY, 0.5, 0.9, 0.5).split("\n")[1] == f"- Crane licence: 870 EUR a month {A}."


def test_equal_items_keep_their_order() -> None:
    """Items that are as good keep their order."""
    assert ranked(MONEY, 0.8, 0.9, 0.5).split("\n")[1] == f"- Travel: 3,000 EUR {A}."


@pytest.mark.parametrize("lead", ["How to stop the crane:", "Steps:"])
def test_steps_keep_order_whichever_is_best(lead: str) -> None:
    """Steps keep their order whichever is best."""
    steps = f"{lead}\n- Lower the hook.\n- Stop the crane.\n- Lock the cabin."

    assert ranked(steps, 0.5, 0.9, 0.5).split("\n")[1] == f"- Lower the hook {A}."


def test_rule_precedes_its_special_case() -> None:
    """The rule comes first unless the case itself is asked about."""
    text = "If the 5th is a Sunday, we fire on the 6th. We fire the kiln on the 5th."
    scored = every(chunk(0, text=text))
    scored[0] = replace(scored[0], score=1.2)
    evidence = [scored[0].passage.chunk]

    assert as_text("when do we fire", scored, evidence).startswith("We fire the kiln")
    assert as_text("what if it is a Sunday", scored, evidence).startswith("If the 5th")


def test_case_in_other_words_is_asked_about() -> None:
    """Who is sick reads what holds for who is ill before what holds for the early shift."""
    text = "If you are ill, call your manager. The early shift should call the shift phone."
    scored = every(chunk(0, text=text))
    scored[0] = replace(scored[0], score=1.2)
    evidence = [scored[0].passage.chunk]

    assert as_text("i feel sick what do i do", scored, evidence).startswith("If you are ill")
    assert as_text("what do i do today", scored, evidence).startswith("The early shift")


def test_place_of_a_section_is_said() -> None:
    """What holds in one place alone is said to, where nobody asked about that place."""
    bays = chunk(0, text="# Parking in York\n\nThere are 52 bays for staff.")
    assert shown(bays, question="how many bays are there").startswith("Parking in York: There are")
    assert shown(bays, question="how many bays are there in york").startswith("There are")
    rules = chunk(0, text="# Parking in general\n\nThere are 52 bays for staff.")
    assert shown(rules, question="how many bays are there").startswith("There are")
