"""A card as text: what somebody reads of it at a terminal."""

from bot.chat.shown.progress_shown import ProgressShown
from bot.playground.teams.card_text import buttons, fields, lines
from bot.teams.cards.answer_card import answer
from bot.teams.cards.card_elements import card, table
from bot.teams.cards.progress_card import progress
from bot.teams.managing.form_cards import settings_form
from masis.conversation import ChatRun, TeamSettings
from tests.bot.slack.view_samples import TODAY, answered, run


def shown(asked: ChatRun) -> list[str]:
    return lines(answer(asked, answered(), TODAY)["attachments"][0]["content"])


def test_answer_reads_like_a_message() -> None:
    told = shown(run(message="1700000000.000100"))
    assert told[0].startswith("26 days") or "26 days" in told[0]
    assert any(line.startswith("[1]") and line.endswith("[Passage]") for line in told)
    assert told[-1] == "[How I got this] [Search wider]"


def test_refresh_is_no_button() -> None:
    made = progress(run(), ProgressShown.planned(run()))["attachments"][0]["content"]
    assert [each["title"] for each in buttons(made)] == ["Cancel"]


def test_table_is_rows() -> None:
    assert lines(card([table([["Year", "Days"], ["2026", "26"]])])) == ["Year | Days", "2026 | 26"]


def test_form_shows_fields_and_values() -> None:
    form = settings_form(TeamSettings(guests=True, user_running=3), None, {})
    told = lines(form)
    assert "[x] Guests may ask" in told
    assert "Questions of one person at the same time: ____ 3" in told
    assert len(fields(form)) == 7
