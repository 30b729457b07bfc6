import html
import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.chat.words.visible_text import visible
from bot.slack.text.defuse import (
    Form,
    channel,
    defuse,
    fitted,
    link,
    mention,
    strong,
    words_of,
)
from tests.examples import examples

FORMS: tuple[Form, ...] = ("markdown", "mrkdwn", "plain")

HOSTILE = [
    "<!channel>",
    "<!here|everyone>",
    "<@U0ADMIN01>",
    "<!subteam^S0GROUP01>",
    "<#C0PRIVATE>",
    "@here",
    "@channel",
    "@EVERYONE",
    "[Sign in](https://evil.example/?q=1)",
    "[Sign in]( <https://evil.example> 'title' )",
    "![logo](https://evil.example/p.png?d=1)",
    "[![logo](https://evil.example/p.png)](https://evil.example)",
    "[Sign in][1]\n\n[1]: https://evil.example 'x'",
    "[1]:\nhttps://evil.example",
    "<https://evil.example/?d=1|Travel policy>",
    "<https://evil.example>",
    "https://evil.example/d/180EUR",
    "HTTPS:\\/\\/evil.example",
    "https\\://evil.example",
    "hhttps://ttps://evil.example",
    "https:&#47;&#47;evil.example",
    "https&colon;//evil.example",
    "&amp;amp;#60;!channel&gt;",
    "&lt;!channel&gt;",
    "//evil.com/x",
    "www.evil.example",
    "evil.com/login",
    "evil.com",
    "it@evil.example",
    "mailto:it@evil.example",
    "javascript:alert(1)",
    "data:text/html;base64,PGI+",
    '<img src="https://evil.example/x.png">',
    "<a href='https://evil.example'>x</a>",
    "ht\u200btps://evil.example",
    "<\u2060!channel>",
    "@\u00adhere",
    "\u202echannel!<",
    "\U000e0041\U000e0042",
    "```\n<!channel>\n```",
    "`https://evil.example`",
]

INVISIBLE = {
    "control": "\x00\x07\x1b\x9b",
    "delete": "\x7f",
    "soft hyphen": "\u00ad",
    "grapheme joiner": "\u034f",
    "filler": "\u115f\u3164\uffa0",
    "zero width": "\u200b\u200c\u200d\u2060\ufeff",
    "direction": "\u200e\u200f\u061c",
    "embedding": "\u202a\u202e",
    "isolate": "\u2066\u2069",
    "variation": "\ufe00\U000e0100",
    "tag": "\U000e0001\U000e0041\U000e007f",
    "half": "\ud800\udfff",
}


def is_live(text: str) -> bool:
    """Whether anything in a text that was sent would do something in Slack."""
    return bool(
        re.search(
            r"<|>|://|\]\(|!\[|\]:(?=\S)|www\.\S|(?<![\w.+-])@(?:here|channel|everyone)\b"
            r"|\w@[\w-]+\.\w|evil\.(?:com|example)",
            text,
            re.IGNORECASE,
        )
    )


any_text = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(st.sampled_from(HOSTILE), st.text(max_size=8)), max_size=6).map("".join),
    st.text(alphabet="[](){}<>!&#;:/\\.@|`*_-htpswamcl \n\u200b", max_size=60),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_is_live(form: Form, text: str) -> None:
    shown = defuse(form, text)

    # In mrkdwn an entity is shown as it is written, and means nothing.
    assert not is_live(re.sub(r"&amp;#?\w+;evil.example", "", shown))


@given(st.sampled_from(FORMS), any_text)
@settings(max_examples=examples(400), deadline=None)
def test_no_text_is_live(form: Form, text: str) -> None:
    shown = defuse(form, text)

    assert not re.search(r"[<>]|://|\]\(|!\[", shown)
    assert visible(shown) == shown


@given(any_text)
@settings(max_examples=examples(400), deadline=None)
@example("&amp;amp;amp;amp;amp;amp;lt;")
@example("[[a](b)](c)")
def test_defusing_twice_changes_nothing(text: str) -> None:
    for form in ("markdown", "plain"):
        once = defuse(form, text)
        assert defuse(form, once) == once


@given(st.text(alphabet="&<>abc;", max_size=40))
def test_escaped_mrkdwn_reads_back_unchanged(text: str) -> None:
    """Slack reads mrkdwn back as it was."""
    assert html.unescape(defuse("mrkdwn", text)) == text


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", INVISIBLE)
def test_what_nobody_sees_is_taken_out(form: Form, kind: str) -> None:
    assert defuse(form, f"an{INVISIBLE[kind]}swer") == "answer"


def test_text_is_composed() -> None:
    shown = defuse("markdown", "Cafe\u0301")

    assert shown == "Café"
    assert unicodedata.is_normalized("NFC", shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Hotel costs are 180 EUR [1]. See [2][3].", None),
        ("- [x] done\n- **bold** _thin_ `code`", None),
        ("| A | B |\n| --- | --- |\n| 1 | 2 |", None),
        ("```python\nx = y[0]\n```", None),
        ("R&D, AT&T, a & b", None),
        ("See handbook/leave.md, data.csv and Node.js, e.g. v1.2.3 (3.14 %).", None),
        ("a < b > c", "a &lt; b &gt; c"),
        ("[Portal](https://intranet.example/a?b=1&c=2)", "Portal (intranet[.]example/a?b=1&c=2)"),
        ("[https://a.example](https://a.example)", "a[.]example"),
        ("[1](https://evil.example)", "[1] (evil[.]example)"),
        ("ftp://files.example/x", "ftp: files[.]example/x"),
        (
            "Call tel:+44 or write to hr@masis.example.",
            "Call tel: +44 or write to hr@masis[.]example.",
        ),
        ("Ask @here or @channel.", "Ask @ here or @ channel."),
    ],
)
def test_markdown_stays_readable(text: str, shown: str | None) -> None:
    assert defuse("markdown", text) == (text if shown is None else shown)


def test_plain_text_is_single_line() -> None:
    """Plain text is one line without angles."""
    assert defuse("plain", "  a\n<b>\tc &amp; d ") == "a \u2039b\u203a c & d"


@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "](",
        "a.",
        "a+",
        "http:",
        "://",
        "[a](",
        "\\",
        "&amp;",
        "@here ",
        "a@",
        "![a](b ",
        "&#38;",
    ],
)
def test_defusing_takes_linear_time(unit: str) -> None:
    # Each of these takes minutes with a rule that looks at the rest of the text again and again.
    """Long texts take no longer than their length."""
    assert not is_live(defuse("markdown", unit * (40_000 // len(unit))))


# --- ours ----------------------------------------------------------------------------------


def test_a_mention_of_ours_is_live() -> None:
    shown = defuse("mrkdwn", mention("U0ASKER1"), " asked: <@U0ADMIN01>")

    assert shown == "<@U0ASKER1> asked: &lt;@U0ADMIN01&gt;"
    assert defuse("mrkdwn", channel("C123")) == "<#C123>"


@pytest.mark.parametrize("user", ["", "U1> <!channel", "here", "u123", "!channel", "U1|x"])
def test_what_is_no_id_mentions_nobody(user: str) -> None:
    assert defuse("mrkdwn", mention(user)) == "someone"
    assert defuse("mrkdwn", channel(user)) == "a channel"


def test_plain_text_says_who_without_markup() -> None:
    assert defuse("plain", "Stopped by ", mention("U1A")) == "Stopped by someone"


def test_a_link_of_ours_is_checked() -> None:
    made = link("https://team.slack.com/archives/C1/p1?a=1&b=2", "the <thread> | here")

    assert made.markup == (
        "<https://team.slack.com/archives/C1/p1?a=1&amp;b=2|the &lt;thread&gt; / here>"
    )
    assert link("https://team.slack.com", "").words == "team.slack.com"


@pytest.mark.parametrize(
    "url",
    [
        "http://team.slack.com",
        "javascript:alert(1)",
        "https://",
        "https://user:secret@team.slack.com",
        "https://team.slack.com/a|b",
        "https://team.slack.com/> <!channel>",
        "https://team.slack.com/\u200b",
    ],
)
def test_link_requires_plain_https(url: str) -> None:
    """A link that is not plainly https is a mistake."""
    with pytest.raises(ValueError, match="link"):
        link(url, "x")


def test_strong_text_cannot_leave_its_stars() -> None:
    assert strong("a*b* <!here>").markup == "*ab \u2039!here\u203a*"
    assert strong("").markup == ""


def test_joined_pieces_form_no_markup() -> None:
    """Nothing comes alive where two pieces meet."""
    assert defuse("markdown", "[a]", "(b)") == "a (b)"
    assert not is_live(defuse("mrkdwn", "https:", "//evil.example"))


# --- lengths -------------------------------------------------------------------------------


@given(st.sampled_from(FORMS), any_text, st.integers(min_value=12, max_value=75))
@settings(max_examples=examples(300), deadline=None)
@example("mrkdwn", "&" * 80, 75)
def test_what_is_fitted_fits(form: Form, text: str, most: int) -> None:
    shown = fitted(form, most, text)

    assert len(shown) <= most
    assert not re.search(r"[<>]|://", shown)
    assert not re.search(r"&(?:[lg]t?|am?p?)?$", shown) or "&" in text


def test_what_is_cut_shows_it() -> None:
    assert fitted("plain", 10, "a long name of a file") == "a long na…"
    assert fitted("plain", 10, "short") == "short"
    assert fitted("mrkdwn", 12, mention("U0ASKER1"), " asked something") == "someone ask…"


def test_words_are_given_as_parts() -> None:
    assert words_of("a") == ("a",)
    assert words_of(("a", mention("U1A"))) == ("a", mention("U1A"))
