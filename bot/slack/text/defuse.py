"""The last step of every string before Slack's wire: nothing of a model's or a document's is live.

What may be alive is ours alone, made by `mention`, `channel` and `link` as an `Ours`. All other
text is shown and does nothing: mentions and broadcasts, links and images in every form that
Markdown or Slack know, HTML and invisible characters. Addresses stay readable, as in
`intranet[.]example/claims`.

Three forms, because Slack reads three grammars:

- `markdown` for markdown blocks: entities are decoded first (Markdown would do it), then `<` and
  `>` are escaped; `&` stays, since escaping it twice would show. Idempotent.
- `mrkdwn` for sections, contexts and the fallback `text`: `&`, `<` and `>` are escaped, so that
  every text is shown as it is. Applied twice, the escapes show.
- `plain` for labels, titles and options: one line without entities, angle brackets become
  typographic ones. Idempotent.
"""

import html
import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlsplit

from bot.chat.words.visible_text import one_line, visible
from masis.domain import FILE_ENDINGS

Form = Literal["markdown", "mrkdwn", "plain"]


@dataclass(frozen=True, slots=True)
class Ours:
    """Slack markup of our own making, and what it reads as where no markup is possible."""

    markup: str
    words: str


Words = str | Ours
"""A piece of a text: from anywhere, or ours."""

Said = str | tuple[Words, ...]
"""A whole text."""

NOBODY: Final = Ours("someone", "someone")


_ENTITY: Final = re.compile(
    r"&(?=(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
)
_ENTITY_WHOLE: Final = re.compile(_ENTITY.pattern + r"[^;]+;")
_ENTITY_DEPTH: Final = 4
"""How often an entity within an entity is decoded; what is deeper is taken apart instead."""

_LINK: Final = re.compile(
    r"!?\[([^\[\]\n]{1,300})\]\([ \t]*([^\s()]{1,2000})(?:[ \t]+[\"'(][^\"'()\n]{0,300}[\"')])?[ \t]*\)"
)
"""The common form of a Markdown link or image. Others lose their grip in `_UNGRIPPED`."""
_CITED: Final = re.compile(r"\d{1,3}(?:, ?\d{1,3})*")
_UNGRIPPED: Final = (
    (re.compile(r"\]\("), "] ("),
    (re.compile(r"!\["), "! ["),
    (re.compile(r"\]:"), "] :"),
)
"""A target behind brackets, an image, the definition of a reference."""

_ADDRESS: Final = re.compile(
    r"([a-z][a-z0-9+.-]{0,30})?\\{0,3}:((?:\\{0,3}[/\\]){2,}+)([^\s/\\?#:()\[\]{}<>\"'`|]*)",
    re.IGNORECASE,
)
_BARE_SCHEME: Final = re.compile(
    r"\b(mailto|tel|sms|javascript|vbscript|data|blob|file|slack|skype|facetime|callto)\\{0,3}:(?=\S)",
    re.IGNORECASE,
)
_HOST: Final = re.compile(
    r"(?<![\w.\-])((?:[\w-]{1,63}\\*\.)+([^\W\d_]{2,24}))(?![\w-])(?=(.{0,2}))", re.DOTALL
)
_WWW: Final = re.compile(r"(?<!\w)(www)\\*\.(?=\S)", re.IGNORECASE)
_DOT: Final = re.compile(r"\\{0,3}\.")
_TARGET: Final = re.compile(r"/|[?#]\w|:\d")
_FILE_ENDINGS: Final = frozenset(FILE_ENDINGS)
_WEB_ENDINGS: Final = re.compile(
    "com|org|net|info|biz|io|co|app|dev|ai|xyz|top|online|site|shop|store|click|link|live|news"
    "|cloud|page|web|club|pro|name|me|tv|cc|ly|gg|to|uk|de|fr|nl|be|ch|at|es|it|pt|pl|se|no|dk|fi"
    "|eu|us|ca|au|nz|in|cn|jp|kr|br|mx|ru|ua|tr|za|tk|ml|ga|cf|gq|pw|su",
    re.IGNORECASE,
)
"""Endings that Slack's programs may link without `www.`. One that is missing here stays text in a
markdown block, whose grammar links only `www.`, addresses with a scheme, and mail addresses."""

_INTERNAL: Final = re.compile(r"MASIS-SYSTEM-[\w-]{1,60}", re.IGNORECASE)
"""Marks for the inside of MASIS, such as in a system prompt: who repeats one repeats that."""
WITHHELD: Final = "(withheld)"

_BROADCAST: Final = re.compile(
    r"(?<![\w.+-])@(?=(?:here|channel|everyone|group|all)\b)", re.IGNORECASE
)
_USER: Final = re.compile(r"[UWB][A-Z0-9]{1,30}")
_CHANNEL: Final = re.compile(r"[CDG][A-Z0-9]{1,30}")
_LINKABLE: Final = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]{1,3000}")

_ESCAPES: Final[dict[Form, dict[int, str]]] = {
    "markdown": str.maketrans({"<": "&lt;", ">": "&gt;"}),
    "mrkdwn": str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"}),
    "plain": str.maketrans({"<": "\u2039", ">": "\u203a"}),
}


def defuse(form: Form, *parts: Words) -> str:
    """The parts in a row, ready for a field that Slack reads as `form`."""
    pieces: list[str] = []
    for part in _joined(parts):
        if isinstance(part, str):
            pieces.append(_inert(part, form).translate(_ESCAPES[form]))
        else:
            pieces.append(_inert(part.words, form) if form == "plain" else part.markup)
    whole = "".join(pieces)
    return one_line(whole) if form == "plain" else whole


def fitted(form: Form, most: int, *parts: Words) -> str:
    """The same in `most` characters at the most; what is cut shows as an ellipsis.

    For labels and previews. A text whose whole matters is split, not cut.
    """
    whole = defuse(form, *parts)
    if len(whole) <= most:
        return whole
    words = "".join(part if isinstance(part, str) else part.words for part in parts)
    kept = visible(words)[: most - 1]
    while len(whole := defuse(form, f"{kept.rstrip()}…")) > most:
        # A character becomes six at the most, so a sixth of the surplus is never too much.
        kept = kept[: max(0, len(kept) - 1 - (len(whole) - most) // 6)]
    return whole


def mention(user: str) -> Ours:
    """A live mention of a person, who is told of it; an id that is none mentions nobody."""
    return Ours(f"<@{user}>", "someone") if _USER.fullmatch(user) else NOBODY


def channel(channel_id: str) -> Ours:
    """A live reference to a channel, which only its members can open."""
    if not _CHANNEL.fullmatch(channel_id):
        return Ours("a channel", "a channel")
    return Ours(f"<#{channel_id}>", "a channel")


def link(url: str, label: str) -> Ours:
    """A live link for mrkdwn, with a label that may come from anywhere.

    Raises:
        ValueError: `url` is not a plain https address.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc:
        raise ValueError("a link is an https address without a name and a password")
    if not _LINKABLE.fullmatch(url):
        raise ValueError("a link's address has only the characters of an address")
    words = one_line(label).replace("|", "/") or parts.hostname
    return Ours(f"<{url.replace('&', '&amp;')}|{defuse('mrkdwn', words)}>", words)


def strong(*parts: Words) -> Ours:
    """Bold text in mrkdwn."""
    words = one_line(defuse("plain", *parts)).replace("*", "")
    return Ours(f"*{words.translate(_ESCAPES['mrkdwn'])}*" if words else "", words)


def words_of(said: Said) -> tuple[Words, ...]:
    """A text as its parts."""
    return (said,) if isinstance(said, str) else said


def _joined(parts: tuple[Words, ...]) -> list[Words]:
    """Neighbouring strings become one, so that nothing comes alive where two of them meet."""
    joined: list[Words] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def _inert(text: str, form: Form) -> str:
    """Text without anything alive but angle brackets."""
    text = visible(text)
    if form != "mrkdwn":
        text = _decoded(text)
    text = _ADDRESS.sub(_address, _LINK.sub(_spelled_out, text))
    text = _WWW.sub(r"\1[.]", _HOST.sub(_host, _BARE_SCHEME.sub(r"\1: ", text)))
    text = _INTERNAL.sub(WITHHELD, _BROADCAST.sub("@ ", text))
    for grip, loose in _UNGRIPPED:
        text = grip.sub(loose, text)
    return text


def _decoded(text: str) -> str:
    """Text without entities, so that none of them hides what the other rules look for."""
    for _ in range(_ENTITY_DEPTH):
        once = _ENTITY_WHOLE.sub(lambda found: html.unescape(found.group()), text)
        if once == text:
            return text
        text = visible(once)
    return _ENTITY.sub("& ", text)


def _spelled_out(found: re.Match[str]) -> str:
    """A link as people say it: its words, then where it would have led."""
    label, target = found.groups()
    words = f"[{label}]" if _CITED.fullmatch(label) else label
    return words if target == label else f"{words} ({target})"


def _address(found: re.Match[str]) -> str:
    scheme, slashes, host = found[1] or "", found[2], found[3]
    told = _DOT.sub("[.]", host)
    if not host:
        return f"{scheme}: {slashes}"
    # A blank keeps apart what would grow together to another address.
    return (
        told if scheme.lower() in {"http", "https"} else f"{scheme}{':' if scheme else ''} {told}"
    )


def _host(found: re.Match[str]) -> str:
    host, ending, after = found.groups()
    before = found.string[max(0, found.start() - 2) : found.start()]
    is_file = ending.lower() in _FILE_ENDINGS
    leads = _TARGET.match(after) is not None or _WEB_ENDINGS.fullmatch(ending) is not None
    if before.endswith(("@", "//")) or host.lower().startswith("www") or (leads and not is_file):
        return _DOT.sub("[.]", host)
    return found[0]
