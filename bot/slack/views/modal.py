"""The frame of every modal, and the two that only say something."""

from bot.chat.words import shared_sentences
from bot.slack import ids, limits
from bot.slack.text import sentences
from bot.slack.text.defuse import Said
from bot.slack.views import blocks
from bot.slack.views.blocks import Blocks
from bot.slack.views.message import View


def modal(
    title: str,
    parts: Blocks,
    *,
    callback: str = ids.READ_VIEW,
    form: ids.Form | None = None,
    submit: str = "",
) -> View:
    """A modal; a form has something to submit and remembers where it was opened."""
    view: View = {
        "type": "modal",
        "callback_id": callback,
        "title": blocks.plain(title, limits.VIEW_TITLE),
        "close": blocks.plain(sentences.CLOSE if not submit else shared_sentences.CANCEL, 24),
        "blocks": parts[: limits.VIEW_BLOCKS],
    }
    if submit:
        view["submit"] = blocks.plain(submit, limits.VIEW_SUBMIT)
    if form is not None:
        view["private_metadata"] = form.private()
    return view


def loading(title: str = shared_sentences.APP) -> View:
    """Opened at once, since a trigger lives three seconds; what was wanted takes its place."""
    return modal(title, [blocks.section(sentences.LOADING)])


def sentence_modal(said: Said, title: str = shared_sentences.APP) -> View:
    """A modal with one sentence: why there is nothing else in it."""
    return modal(title, [blocks.section(said)])
