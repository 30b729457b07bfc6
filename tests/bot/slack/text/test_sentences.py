import re

from bot.chat.words import shared_sentences
from bot.slack.text import sentences


def test_queue_position_is_told() -> None:
    """The place in the queue is told."""
    assert sentences.on_it(2) == "On it. You are number 3."
    assert sentences.on_it(2, 124) == "On it. You are number 3, about 2 minutes."
    assert sentences.on_it(0, 14) == "On it. You are number 1, about 10 seconds."
    assert sentences.on_it(0, 4) == "On it. The answer comes in a thread here."
    assert sentences.on_it() == "On it. The answer comes in a thread here."


def test_refusable_asker_is_promised_no_answer() -> None:
    """Who may yet be refused is promised no answer."""
    check = "I check first that you may ask here; the answer then comes in a thread."
    assert sentences.on_it(admitted=False) == f"Got it. {check}"
    assert sentences.on_it(2, admitted=False) == f"Got it. You are number 3. {check}"


def test_a_deletion_says_what_stays() -> None:
    assert sentences.deleted("a.md", 0, 0) == "“a.md” is deleted."
    assert sentences.deleted("a.md", 1, 2) == (
        "“a.md” is deleted. 1 stored answer that quoted it is emptied."
        " 2 messages already posted in Slack may still quote it;"
        " delete them there if they must go."
    )


def test_constants_are_whole_sentences_or_labels() -> None:
    """Every constant is a whole sentence or a label."""
    said = {name: value for name, value in vars(sentences).items() if isinstance(value, str)}
    long = [value for name, value in said.items() if name.isupper() and len(value) > 60]

    assert long
    assert all(re.search(r"[.!?…]$", value) for value in long)
    assert not any("  " in value for value in long)


def test_a_refusal_names_the_next_step() -> None:
    steps = [
        sentences.not_linked(can_link=True),
        sentences.not_linked(can_link=False),
        sentences.NOT_IN_CHANNEL,
        sentences.GUEST,
        sentences.EXTERNAL_CHANNEL,
        sentences.NOT_ALLOWED,
        sentences.unknown_verb("lnik", "link"),
        sentences.suspended("it is shared now"),
        shared_sentences.WITHHELD_RELINKED,
        sentences.expired(),
    ]
    assert all(re.search(r"/|[Aa]sk", step) for step in steps)
