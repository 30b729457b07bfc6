import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.chat.words import shared_sentences
from bot.slack import ids
from bot.slack.text import sentences
from bot.slack.views import ends
from bot.slack.views.message import Message, notice
from masis.policy import MAX_QUESTION_CHARS
from tests.bot.slack.view_samples import HOSTILE, run, sound, texts
from tests.examples import examples


def test_small_talk_offers_questions() -> None:
    """Small talk is a sentence, with up to three questions as buttons that carry them."""
    asked = [f"How many {what} are there?" for what in ("<!here>", "desks", "keys", "cars")]
    message = ends.small_talk("Hello!", ["", *asked, "x" * 500])

    assert texts(message.blocks).split("\n")[0] == "Hello!"
    buttons = message.blocks[1]["elements"]
    carried = [ids.Suggested.loaded(each["value"]).question for each in buttons]
    assert carried == asked[:3]
    sound(message)
    assert len(ends.small_talk("You are welcome.", []).blocks) == 1


def test_root_message_repeats_the_question() -> None:
    """The root message says again who asked what."""
    message = ends.root(run())

    assert message.payload() == {
        "text": "<@U0ASKER01> asked: How much annual leave is there?",
        "blocks": [
            {
                "type": "section",
                "text": {
                    "type": "mrkdwn",
                    "text": "<@U0ASKER01> asked: How much annual leave is there?",
                    "verbatim": True,
                },
            }
        ],
    }


def test_a_wider_search_says_so() -> None:
    assert "asked to search wider" in ends.root(run(wider=True)).text


@pytest.mark.parametrize(
    "where", ['in:handbook/ type:pdf section:"Annual leave"', '@"plan v2" after:2026-01-01']
)
def test_filters_stay_as_written(where: str) -> None:
    """The filters of a question stand in it as they were written."""
    message = ends.root(run(question=f"How long? {where}"))

    assert f"How long? {where}" in message.text
    sound(message)


def test_a_long_question_stands_whole() -> None:
    question = ("word & " * MAX_QUESTION_CHARS)[:MAX_QUESTION_CHARS]
    message = ends.root(run(question=question))

    assert texts(message.blocks).count("word") == question.count("word")
    sound(message)


@given(st.one_of(st.just(HOSTILE), st.just(HOSTILE * 20), st.text(max_size=600)))
@settings(max_examples=examples(60), deadline=None)
def test_question_and_error_text_is_inert(text: str) -> None:
    """No question and no error is live."""
    sound(
        ends.root(run(question=text, asker=text)),
        notice(text),
        ends.refused(text),
        ends.failed(text, retryable=True),
        ends.elsewhere(notice(text), run(question=text)),
        ends.stopped(text),
        ends.withheld(text),
    )


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (ends.refused(sentences.GUEST), f"🚫 {sentences.GUEST}"),
        (
            ends.failed("The model service did not answer.", retryable=True),
            "❌ I could not answer this. The model service did not answer. Asking again may help.",
        ),
        (
            ends.failed("The model service is busy. Ask again later.", retryable=True),
            "❌ I could not answer this. The model service is busy. Ask again later.",
        ),
        (
            ends.stopped("U0OTHER01"),
            "⏹️ Stopped by <@U0OTHER01>. Nothing more will be posted for this question.",
        ),
        (
            ends.withheld(shared_sentences.WITHHELD_RELINKED),
            f"🔒 {shared_sentences.WITHHELD_RELINKED}",
        ),
    ],
)
def test_unanswered_end_is_one_sentence(message: Message, text: str) -> None:
    """An end without an answer is one sentence."""
    assert message.text == text
    assert texts(message.blocks) == text


@pytest.mark.parametrize(
    ("question", "about"),
    [("How much leave?", ": “How much leave?”"), ("", ".")],
)
def test_end_elsewhere_names_its_question(question: str, about: str) -> None:
    """An end that is told elsewhere says what it is about."""
    asked = run(question=question)

    shown = ends.elsewhere(ends.refused(sentences.NOT_IN_CHANNEL), asked)

    assert shown.text == f"🚫 {sentences.NOT_IN_CHANNEL}"
    assert texts(shown.blocks).endswith(f"About what you asked in <#{asked.channel}>{about}")
