import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.grammar import (
    VERBS,
    Ask,
    Cancel,
    Classify,
    Command,
    Delete,
    Docs,
    Help,
    History,
    Link,
    Settings,
    Status,
    TooLong,
    Unknown,
    Unlink,
    Upload,
    read,
)
from bot.slack.intake.typed_text import mention_text, names_others, parse, plain
from masis.filters import NO_FILTERS, Filters
from masis.filters import parse as filters_of
from masis.policy import MAX_QUESTION_CHARS


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("<@U1> and <@UBOT|masis>, how much?", False),
        ("how much? see <#C1|general> and <https://a.example|a>", False),
        ("@plan.docx how much is &lt;@U2&gt;?", False),
        ("<@U2> how much?", True),
        ("<@U2|bob>", True),
        ("<!here> how much?", True),
        ("<!subteam^S1|@it> how much?", True),
        ("<!date^1392734382^{date}|today> how much?", False),
    ],
)
def test_mentions_of_others_are_seen(text: str, others: bool) -> None:
    assert names_others(text, "U1", "UBOT") == others


WHERE = Filters(folders=("handbook/",), sections=("Annual leave",))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", Help()),
        ("   \n ", Help()),
        ("help", Help()),
        ("HELP ", Help()),
        ("ask", Help()),
        ("classify", Classify()),
        ("Classify the tap drips", Classify("the tap drips")),
        ("classifying the tap", Ask("classifying the tap")),
        ("status", Status()),
        ("docs", Docs()),
        ("upload", Upload()),
        ("settings", Settings()),
        ("cancel", Cancel()),
        ("history", History()),
        ("unlink", Unlink()),
        ("link", Link()),
        ("link handbook", Link("handbook")),
        ("Link “Team handbook”", Link("Team handbook")),
        ('link "Team handbook"', Link("Team handbook")),
        ("delete", Delete()),
        ("delete handbook/leave.md", Delete("handbook/leave.md")),
        ("delete Travel policy 2026.pdf", Delete("Travel policy 2026.pdf")),
        ('delete "old notes"', Delete("old notes")),
    ],
)
def test_verb_with_own_grammar_is_command(text: str, command: Command) -> None:
    """A verb in its own grammar is a command."""
    assert parse(text) == command


@pytest.mark.parametrize(
    "text",
    [
        "link between churn and price?",
        "link churn?",
        "unlink accounts how?",
        "status of the Northmoor project",
        "help me find the travel policy",
        "docs about leave",
        "cancel the contract with Northmoor?",
        "history of the WH-200",
        "upload limits in the portal",
        "settings for the pump",
        "delete what is written in leave.md",
        "delete old notes",
        "lnik x",
        "churn",
        "4471",
        "urlaub",
    ],
)
def test_anything_else_is_a_question(text: str) -> None:
    assert parse(text) == Ask(text)


@pytest.mark.parametrize("verb", VERBS)
def test_ask_forces_a_question(verb: str) -> None:
    """Ask makes a question of every verb."""
    assert parse(f"ask {verb}") == Ask(verb)


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("lnik", "link"),
        ("stats", "status"),
        ("halp", "help"),
        ("setings", "settings"),
        ("doc", "docs"),
    ],
)
def test_a_lone_slip_is_asked_about(word: str, nearest: str) -> None:
    assert parse(word) == Unknown(word, nearest)


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("what did <@U1|ann> say in <#C1|general>?", "what did @ann say in #general?"),
        ("what did <@U1> say in <#C1>?", "what did @someone say in #channel?"),
        ("tell <!here> and <!subteam^S1|@sales>", "tell @here and @sales"),
        ("before <!date^1392734382^{date}|18 Feb 2014>", "before 18 Feb 2014"),
        ("see <https://a.example/x|the plan>", "see the plan (https://a.example/x)"),
        ("see <https://a.example>", "see https://a.example"),
        ("write to <mailto:a@b.example|a@b.example>", "write to a@b.example"),
        ("is 3 &lt; 4 &amp; 5 &gt; 4?", "is 3 < 4 & 5 > 4?"),
        ("what is &amp;lt;?", "what is &lt;?"),
        ("hid\u200bden  \u202eblanks\t here", "hidden blanks here"),
        ("two\r\nlines", "two\nlines"),
    ],
)
def test_slacks_markup_is_read_back(typed: str, seen: str) -> None:
    assert plain(typed) == seen
    assert parse(f"ask {typed}") == Ask(seen)


@pytest.mark.parametrize(
    ("typed", "filters"),
    [
        ("How long? @<http://leave.md|leave.md>", Filters(files=("leave.md",))),
        ("How long? in:handbook/ section:“Annual leave”", WHERE),
        ("How long, <@U1|ann>? In <#C1|handbook> of type: A", NO_FILTERS),
    ],
)
def test_filters_are_parsed_from_slack_markup(typed: str, filters: Filters) -> None:
    """Filters are read out of slacks markup."""
    assert filters_of(plain(typed)).filters == filters


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("<@UBOT> how much leave?", "how much leave?"),
        ("<@UBOT|masis>: how much leave?", "how much leave?"),
        ("hey <@UBOT>, how much leave for <@U2|bo>?", "hey how much leave for @bo?"),
        ("<@UBOT>", ""),
        ("<@UBOTTOM> how?", "@someone how?"),
    ],
)
def test_bot_mention_leaves_the_question(text: str, question: str) -> None:
    """A mention of the bot is no part of the question."""
    assert mention_text(text, "UBOT") == question


def test_mentions_become_names_without_bot_id() -> None:
    """Without a bot id every mention is a name."""
    assert mention_text("<@U1|ann> hi", "") == "@ann hi"


def test_a_question_has_a_limit() -> None:
    assert read("x" * MAX_QUESTION_CHARS) == Ask("x" * MAX_QUESTION_CHARS)
    assert read("x" * (MAX_QUESTION_CHARS + 1)) == TooLong(MAX_QUESTION_CHARS + 1)
    assert isinstance(parse("ask " + "x " * 1_000_000), TooLong)


@given(st.one_of(st.text(max_size=300), st.sampled_from(VERBS).map(lambda verb: f"{verb} <@U1|<>")))
def test_every_text_is_read(text: str) -> None:
    assert parse(text) is not None


@pytest.mark.parametrize("unit", ["<", "<@", "&lt;", "“", '"', "link ", "<a|"])
def test_long_texts_are_read_at_once(unit: str) -> None:
    assert parse(unit * 40_000) is not None
