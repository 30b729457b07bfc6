import datetime as dt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.shown.badge_shown import badge_shown
from bot.slack import ids
from bot.slack.views.answer import answer
from bot.slack.views.badge import badge_line
from bot.slack.views.message import Message
from masis.answering.outcome_texts import NOTHING_STATED, WORD_FOR_WORD
from masis.domain import Badge, CitationAudit, Place, UnsupportedClaim
from tests.bot.slack.view_samples import (
    HOSTILE,
    RUN_ID,
    TODAY,
    actions,
    answered,
    faulty_audit,
    live,
    run,
    sound,
    source,
    strings,
    texts,
)
from tests.examples import examples

TABLE = "| Item | Price |\n| --- | --- |\n" + "".join(
    f"| item {n} | {n} EUR [1] |\n" for n in range(800)
)


def shown(**changes: Any) -> list[Message]:
    return answer(run(), answered(**changes), TODAY).messages


def markdown(message: Message) -> str:
    return "\n\n".join(block["text"] for block in message.blocks if block["type"] == "markdown")


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def context(text: str) -> dict[str, Any]:
    return {
        "type": "context",
        "elements": [{"type": "mrkdwn", "text": text, "verbatim": True}],
    }


def test_an_answer_as_slack_gets_it() -> None:
    (message,) = shown()
    carried = f'{{"v":1,"run":"{RUN_ID}"}}'

    assert message.text == "High 86 %: Annual leave is 26 days [1]."
    assert message.blocks == [
        {"type": "markdown", "text": "Annual leave is 26 days [1]."},
        context("🟢 High 86 % · 1 of 1 claim cited · 1 document · extractive"),
        context("*Sources*"),
        {
            "type": "section",
            "text": {
                "type": "mrkdwn",
                "text": "*[1]* Annual leave · handbook/leave.md · p. 4 · 3 months old",
                "verbatim": True,
            },
            "accessory": {
                "type": "button",
                "action_id": "masis_passage_1",
                "text": plain("Passage"),
                "value": f'{{"v":1,"run":"{RUN_ID}","n":1}}',
            },
        },
        {
            "type": "context_actions",
            "elements": [
                {
                    "type": "feedback_buttons",
                    "action_id": "masis_feedback",
                    "positive_button": {
                        "text": plain("Good answer"),
                        "value": f'{{"v":1,"run":"{RUN_ID}","good":true}}',
                    },
                    "negative_button": {
                        "text": plain("Bad answer"),
                        "value": f'{{"v":1,"run":"{RUN_ID}","good":false}}',
                    },
                }
            ],
        },
        {
            "type": "actions",
            "elements": [
                {
                    "type": "button",
                    "action_id": "masis_audit",
                    "text": plain("How I got this"),
                    "value": carried,
                },
                {
                    "type": "button",
                    "action_id": "masis_wider",
                    "text": plain("Search wider"),
                    "value": carried,
                },
            ],
        },
    ]
    sound(message)


def test_open_points_precede_the_badge() -> None:
    """What stays open stands above the badge."""
    (message,) = shown(gaps=["The documents do not mention Brazil.", HOSTILE])

    assert message.blocks[1] == context("The documents do not mention Brazil.")
    assert message.blocks[3] == context(
        "🟢 High 86 % · 1 of 1 claim cited · 1 document · extractive"
    )
    sound(message)


def test_search_terms_appear_by_the_badge() -> None:
    """What was searched for stands by the badge."""
    (message,) = shown(searched_for=["mileage", HOSTILE])

    assert "extractive · searched for “mileage” or “" in str(message.blocks)
    sound(message)


def test_another_reading_stands_above_in_small_print() -> None:
    """How a question was read stands above its answer, where that is not as it was typed."""
    (message,) = shown(understood="How much leave do contractors <!channel> have?")

    assert message.blocks[:2] == [
        context("Understood as: How much leave do contractors &lt;!channel&gt; have?"),
        {"type": "markdown", "text": "Annual leave is 26 days [1]."},
    ]
    sound(message)
    (as_typed,) = shown(understood="How much annual leave  is there? ")
    assert as_typed.blocks[0]["type"] == "markdown"
    first, *others = shown(understood="How much leave do cooks get?", answer="word " * 4000)
    assert "Understood as" in texts(first.blocks)
    assert "Understood as" not in texts([each.blocks for each in others])


def test_existing_votes_are_shown() -> None:
    """Votes are shown when there are some."""
    (message,) = answer(run(), answered(), TODAY, good=2, bad=1).messages

    assert "3 votes: 2 good, 1 not good" in texts(message.blocks)
    assert ids.FEEDBACK in actions(message.payload())
    sound(message)


# --- the badge -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("badge", "line"),
    [
        (Badge(level="High", confidence=0.869), "🟢 High 86 % · 1 of 1 claim cited"),
        (Badge(level="Medium", confidence=0.7999), "🟡 Medium 79 % · 1 of 1 claim cited"),
        (Badge(level="Medium", confidence=0.9), "🟡 Medium · 1 of 1 claim cited"),
        (Badge(level="Low", confidence=0.2), "🔴 Low 20 % · 1 of 1 claim cited"),
        (Badge(level="Not audited", confidence=0.0), "⚪ Not audited · 1 of 1 claim cited"),
    ],
)
def test_badge_colour_word_and_number_agree(badge: Badge, line: str) -> None:
    """A badge is a colour a word and a number that agree."""
    assert badge_line(badge_shown(answered(badge=badge))).startswith(line)


def test_draft_without_statements_has_no_badge() -> None:
    """A draft that states nothing shows no badge."""
    message = shown(badge=None, confidence=0.0, audit=CitationAudit())[0]
    told = texts(message.blocks)

    assert badge_line(badge_shown(answered(badge=None))) == NOTHING_STATED
    assert badge_line(badge_shown(answered(badge=None, retold=True))) == WORD_FOR_WORD
    assert NOTHING_STATED in told
    assert "0 of 0" not in told
    assert message.text == "Annual leave is 26 days [1]."


def test_suggestions_follow_the_badge() -> None:
    """What would help stands below the badge."""
    said = "Better with a document that mentions “<!channel> Brazil”."
    told = texts(shown(improvement=said)[0].blocks)

    assert "Better with a document that mentions" in told
    assert "<!channel>" not in told


def test_badge_line_counts_failed_claims() -> None:
    """The badge line counts what did not hold."""
    audit = CitationAudit(
        claims=4,
        cited_claims=2,
        invalid=["c_zzzzzzzzzzzz"],
        unsupported=[UnsupportedClaim(sentence="It is 9.", missing=["9"])],
    )
    value = answered(
        audit=audit,
        extractive=False,
        lexical_only=True,
        badge=Badge(level="Low", confidence=0.2, note="several claims have no citation"),
    )

    assert badge_line(badge_shown(value)) == (
        "🔴 Low 20 % · 2 of 4 claims cited · 1 made-up citation · 1 claim not in the source"
        " · 1 document · words only · several claims have no citation"
    )


def test_failed_claims_are_listed_or_counted() -> None:
    """Claims that do not hold are listed and the rest is counted."""
    audit = CitationAudit(
        claims=9,
        invalid=["c_zzzzzzzzzzzz", "[E1]"],
        unsupported=[
            UnsupportedClaim(sentence="It is 9.", missing=["9"]),
            UnsupportedClaim(sentence="It is so.", reason="its source says the opposite"),
        ],
        uncited=[f"Claim number {n} is so." for n in range(7)],
    )
    told = texts(shown(audit=audit)[0].blocks)
    assert "Not in its source: “It is so.” (its source says the opposite)" in told

    assert "• 2 made-up citations in the draft, marked in the text" in told
    assert "• Not in its source: “It is 9.” (9)" in told
    assert "• Without a source: “Claim number 4 is so.”" in told
    assert "Claim number 5" not in told
    assert "• +2 more" in told


# --- sources -------------------------------------------------------------------------------


def test_excess_sources_use_a_menu() -> None:
    """Ten sources are listed and the others stand in a menu."""
    (message,) = shown(citations=[source(n) for n in range(1, 14)])
    buttons = actions(message.payload())

    assert sum(name.startswith(ids.PASSAGE) for name in buttons) == 11
    menu = buttons[ids.PASSAGE]
    assert menu["placeholder"]["text"] == "+3 more"
    assert [ids.PassageRef.loaded(each["value"]).n for each in menu["options"]] == [11, 12, 13]
    sound(message)


def test_bare_source_shows_its_name() -> None:
    """A source that only has a name shows that."""
    bare = source(title="leave", place=Place(), date=None, document="leave.md")

    assert "*[1]* leave.md · undated" in texts(shown(citations=[bare])[0].blocks)


def test_uncited_answer_lists_no_sources() -> None:
    """Without citations there is no list of sources."""
    assert "Sources" not in texts(shown(citations=[])[0].blocks)


def test_wider_run_offers_no_wider_search() -> None:
    """A wider search offers no wider one."""
    (message,) = answer(run(wider=True), answered(), TODAY).messages

    assert ids.WIDER not in actions(message.payload())
    assert ids.AUDIT in actions(message.payload())


# --- long answers --------------------------------------------------------------------------


def test_long_answer_splits_between_paragraphs() -> None:
    """A long answer is parted between paragraphs and loses nothing."""
    paragraphs = [f"Paragraph {n} says something" + " about leave" * 45 for n in range(40)]
    parts = shown(answer="\n\n".join(paragraphs))

    assert len(parts) == 2
    told = "\n\n".join(map(markdown, parts))
    assert told.split("\n\n") == paragraphs
    assert "Part 1 of 2" in texts(parts[0].blocks)
    assert ids.FEEDBACK not in actions(parts[0].payload())
    assert ids.FEEDBACK in actions(parts[1].payload())
    sound(*parts)


def test_very_long_answer_is_a_file() -> None:
    """What is longer than three messages goes into a file and says so."""
    paragraphs = [f"Paragraph {n}: " + "x" * 500 for n in range(120)]
    made = answer(run(), answered(answer="\n\n".join(paragraphs)), TODAY)

    assert len(made.messages) == 3
    assert made.attachment is not None
    assert "the rest is in the file below" in texts(made.messages[-1].blocks)
    told = "\n\n".join([*map(markdown, made.messages), made.attachment.text])
    assert [f"Paragraph {n}:" in told for n in range(120)] == [True] * 120
    assert RUN_ID in made.attachment.name
    assert "[1] Annual leave · handbook/leave.md" in made.attachment.text
    sound(*made.messages)


def test_split_table_repeats_its_header() -> None:
    """A table stays a table and gets its header again."""
    parts = shown(answer=f"The prices:\n\n{TABLE}")

    assert len(parts) == 2
    assert markdown(parts[0]).startswith("The prices:\n\n| Item")
    for part in parts:
        lines = markdown(part).split("\n\n")[-1].split("\n")
        assert lines[:2] == ["| Item | Price |", "| --- | --- |"]
        assert all(line.startswith("| item ") for line in lines[2:])
    told = "".join(map(markdown, parts))
    assert all(f"| item {n} | {n} EUR [1] |" in told for n in range(800))
    sound(*parts)


def test_code_is_closed_and_opened_again() -> None:
    code = "\n".join(f"line {n} of the code" for n in range(1200))
    parts = shown(answer=f"```python\n{code}\n```")

    assert len(parts) > 1
    for part in parts:
        lines = markdown(part).split("\n")
        assert (lines[0], lines[-1]) == ("```python", "```")
    sound(*parts)


def test_endless_word_is_split() -> None:
    """A word without end is parted too."""
    parts = shown(answer="A" * 30_000)

    assert sum(markdown(part).count("A") for part in parts) == 30_000
    sound(*parts)


def test_empty_answer_is_a_message() -> None:
    """An empty answer is still a message."""
    sound(*shown(answer=" "))


# --- hostile texts -------------------------------------------------------------------------

FIELDS: list[dict[str, Any]] = [
    {"answer": HOSTILE},
    {"answer": HOSTILE * 300},
    {"answer": f"```\n{HOSTILE}"},
    {"answer": f"| a |\n| --- |\n| {HOSTILE} |\n" * 200},
    {"citations": [source(document=HOSTILE)]},
    {"citations": [source(n, document=HOSTILE * 9) for n in range(1, 130)]},
    {"citations": [source(title=HOSTILE * 90)]},
    {"citations": [source(place=Place(sheet=HOSTILE, headings=[HOSTILE] * 90))]},
    {"audit": faulty_audit(HOSTILE, 1)},
    {"audit": faulty_audit(HOSTILE * 100, 50)},
    {"badge": Badge(level="Low", confidence=0.1, note=HOSTILE * 20)},
    {"question": HOSTILE},
]


@pytest.mark.parametrize("changes", FIELDS, ids=lambda changes: next(iter(changes)))
def test_no_field_is_live(changes: dict[str, Any]) -> None:
    made = answer(run(), answered(**changes), TODAY)

    sound(*made.messages)
    assert not made.attachment or live({"text": made.attachment.text}) == []


ugly = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [HOSTILE, "", " ", "|a|\n|-|\n", "```", "~~~\n", "\n\n", "- [1] x\n", "&" * 90]
    ),
)


@given(
    st.lists(ugly, max_size=8).map("".join),
    st.sampled_from([1, 7, 400]),
    st.lists(st.builds(source, st.integers(1, 900), document=ugly, title=ugly), max_size=4),
    ugly,
)
@settings(max_examples=examples(60), deadline=None)
def test_slack_takes_whatever_an_answer_holds(
    text: str, times: int, citations: list[Any], claim: str
) -> None:
    distinct = {citation.n: citation for citation in citations}
    changes = {"citations": list(distinct.values()), "audit": faulty_audit(claim, 3)}
    made = answer(run(), answered(answer=text * times, **changes), TODAY)

    sound(*made.messages)


def test_ages_are_told_from_today() -> None:
    today = TODAY + dt.timedelta(days=800)
    (message,) = answer(run(), answered(), today).messages

    assert "2 years old" in texts(message.blocks)
    assert all(key != "image_url" for key, _ in strings(message.payload()))


def test_notes_are_counted_beyond_the_first() -> None:
    """Gaps and unread files beyond the first five are counted, and stand in the trail."""
    noted = [f"No word on place {number}." for number in range(9)]
    (message,) = shown(gaps=noted, unread=noted)
    assert texts(message.blocks).count("+4 more: see “How I got this”") == 2
    sound(message)
