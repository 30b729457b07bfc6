"""Write what somebody is told about a request that was or was not taken in."""

from typing import Final

from bot.chat.words import shared_sentences
from bot.slack.intake.intake import Taken
from bot.slack.text import sentences
from masis.graphs.chat import texts
from masis.policy import MAX_QUESTION_CHARS

_WITHOUT_REASON: Final = {
    "duplicate": sentences.DUPLICATE,
    "too_late": sentences.ALREADY_ANSWERED,
    "expired": sentences.REPLY_EXPIRED,
    "empty": sentences.EMPTY_QUESTION,
    "only_files": sentences.ONLY_FILES,
    "small_talk": texts.HELLO,
    "not_linked": sentences.not_linked(can_link=False),
    "no_choice": sentences.CHOOSE_WORKSPACE,
    "busy": sentences.BUSY,
    "unavailable": sentences.NOT_STORED,
}
_WITH_REASON: Final = {
    "over_quota": shared_sentences.over_quota,
    "suspended": sentences.suspended,
    "refused": sentences.refused,
}


def notice_of(taken: Taken, length: int = 0) -> str:
    """The sentence for what became of a request; `length` is that of its text."""
    match taken.state:
        case "accepted" if taken.behind_in_thread:
            return sentences.BEHIND_IN_THREAD
        case "accepted":
            return sentences.on_it(taken.ahead, taken.expected_wait_s, admitted=taken.admitted)
        case "over_quota" | "suspended" | "refused" as why:
            return _WITH_REASON[why](taken.reason)
        case "too_long":
            return sentences.too_long(length, MAX_QUESTION_CHARS)
        case state:
            return _WITHOUT_REASON[state]
