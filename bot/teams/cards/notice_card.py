"""Draw what is no answer: small talk, refusals, failures, a stop, and the welcome."""

import re
from collections.abc import Sequence
from typing import Final

from bot.chat.shown.form_shown import ChoiceShown, workspace_choices
from bot.chat.shown.greeting_shown import GreetingShown, greeting_shown
from bot.chat.words import shared_sentences
from bot.chat.words.visible_text import one_line
from bot.teams.cards import carried
from bot.teams.cards.card_elements import (
    Elements,
    Json,
    buttons,
    card,
    choice,
    dialog,
    execute,
    message,
    paragraphs,
    small,
    title,
)
from bot.teams.cards.carried import MOST_SUGGESTED, Form, FormRef, Suggested, WorkspaceRef
from bot.teams.text import sentences
from masis.domain import Workspace

MOST_BUTTONS: Final = 10
MOST_NAMED: Final = 20
"""Workspaces in a sentence."""
MOST_WORKSPACES: Final = 200
"""In a menu: a card has its size."""
_UNNAMED: Final = re.compile(r"[^\w '’-]|_")
"""What a name may not have where Markdown is read."""


def notice(said: str) -> Json:
    """Return one or a few sentences."""
    return message(card(paragraphs(said)), said)


def choose_workspace(workspaces: Sequence[Workspace]) -> Json:
    """Ask which workspace somebody's own chat is to ask: a button for each, or a menu of many."""
    listed = workspace_choices(workspaces).choices
    rows = _menu(listed) if len(listed) > MOST_BUTTONS else _one_each(listed)
    return message(card([*paragraphs(sentences.NO_CHOICE), *rows]), sentences.NO_CHOICE)


def _one_each(listed: Sequence[ChoiceShown]) -> Elements:
    return [
        row
        for each in listed
        for row in buttons(
            execute(each.name, carried.WORKSPACE, WorkspaceRef(workspace=each.value).data())
        )
    ]


def _menu(listed: Sequence[ChoiceShown]) -> Elements:
    """Return a menu that is searched by typing, and what of many does not fit into a card."""
    choices = {each.value: each.name for each in listed[:MOST_WORKSPACES]}
    left = len(listed) - len(choices)
    menu = choice(carried.IN_CHOSEN, sentences.WORKSPACE, choices, style="filtered")
    data = {"v": 1}
    send = execute(sentences.CHOOSE, carried.WORKSPACE, data, associatedInputs="auto")
    return [
        menu,
        *([small(shared_sentences.more_in_channels(left))] if left else []),
        *buttons(send),
    ]


def not_linked() -> Json:
    """Say that a channel asks nothing yet, with the way to link it."""
    return opening(sentences.NOT_LINKED, sentences.LINK_HERE, "link")


def opening(said: str, titled: str, form: Form) -> Json:
    """Return a sentence with the button that opens a form: a message cannot open a dialog."""
    return message(card(paragraphs(said), [form_button(titled, form)]), said)


def form_button(titled: str, form: Form, chosen: str = "") -> Json:
    """Return a button that opens a form."""
    return dialog(titled, FormRef(form=form, chosen=chosen).data())


def offered(shown: GreetingShown) -> Elements:
    """Return a row for each question that can be asked."""
    return [
        row
        for text in shown.questions
        for row in buttons(execute(text, carried.ASK, Suggested(question=text).data()))
    ]


def refused(reason: str) -> Json:
    """Not allowed, not possible or over quota; `reason` names the next step."""
    return notice(f"🚫 {reason}")


def withheld(reason: str) -> Json:
    """There is an answer, and it may not be shown here any more."""
    return notice(f"🔒 {reason}")


def failed(error: str, *, retryable: bool = False) -> Json:
    """An apology that says what failed and what to do."""
    return notice(f"❌ {sentences.failed(error, retryable=retryable)}")


def above(user: str, name: str) -> Json:
    """Tell somebody by a mention that their answer is there: its own message was only changed."""
    plain = " ".join(_UNNAMED.sub(" ", one_line(name)).split())
    mention = f"<at>{plain}</at>"
    named = {"id": f"8:orgid:{user}", "name": plain}
    entity = {"type": "mention", "text": mention, "mentioned": named}
    said = sentences.ABOVE.format(who=mention)
    body = [{"type": "TextBlock", "text": said, "wrap": True}]
    return message(card(body, msteams={"entities": [entity]}), sentences.ABOVE.format(who=plain))


def stopped(by: str) -> Json:
    """Somebody ended the run."""
    return notice(f"⏹️ {sentences.stopped(by)}")


def greeting(said: str, questions: Sequence[str], *, personal: bool = False) -> Json:
    """Return a few words, and a button for each question that can be asked instead."""
    prompts = sentences.CHAT_PROMPTS if personal else ()
    shown = greeting_shown(said, questions, most_chars=MOST_SUGGESTED, prompts=prompts)
    return _prompted(message(card([*paragraphs(shown.said), *offered(shown)]), shown.said), shown)


def welcome(
    *, personal: bool, questions: Sequence[str] = (), workspaces: Sequence[str] = ()
) -> Json:
    """Say what MASIS does, where it was just put in, and which workspaces can be asked there."""
    shown = greeting_shown(
        sentences.WELCOME_PERSONAL if personal else sentences.WELCOME_TEAM,
        questions,
        most_chars=MOST_SUGGESTED,
        title=sentences.WELCOME,
        prompts=sentences.CHAT_PROMPTS if personal else (),
    )
    rows = offered(shown)
    tried = [small(sentences.TRY_ASKING)] if rows else []
    named = paragraphs(can_ask(workspaces)) if workspaces else []
    body = [title(shown.title), *paragraphs(shown.said), *named, *tried, *rows]
    ways = [] if personal else [form_button(sentences.LINK_HERE, "link")]
    return _prompted(message(card(body, ways), shown.title), shown)


def can_ask(workspaces: Sequence[str]) -> str:
    """Say what somebody's own chat asks: the first names, and how many more there are."""
    left = len(workspaces) - MOST_NAMED
    said = sentences.can_ask(list(workspaces[:MOST_NAMED]))
    return f"{said} {shared_sentences.more(left)}" if left > 0 else said


def _prompted(made: Json, shown: GreetingShown) -> Json:
    """Add words to say next: Teams offers them above the field, under a chat's last message alone."""
    actions = [{"type": "imBack", "title": each, "value": each} for each in shown.prompts]
    return made | ({"suggestedActions": {"to": [], "actions": actions}} if actions else {})
