import datetime as dt
import string
from typing import Final, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import FILE_ENDINGS, Format
from masis.filters import (
    MOST_FILTERS,
    NO_FILTERS,
    Filters,
    may_name_fields,
    means_nothing,
    of_values,
    parse,
)
from tests.examples import examples

DAY = dt.date(2026, 1, 1)


@pytest.mark.parametrize(
    ("text", "question", "filters"),
    [
        ("How long? in:handbook/", "How long?", Filters(folders=("handbook/",))),
        ("in:handbook/ How long?", "How long?", Filters(folders=("handbook/",))),
        ("How  long type:pdf\nis it?", "How  long\nis it?", Filters(formats=("pdf",))),
        ("How long TYPE:Word?", "How long?", Filters(formats=("docx", "doc"))),
        ("How long after:2026-01-01, and why?", "How long, and why?", Filters(after=DAY)),
        ("How long after:2026", "How long", Filters(after=DAY)),
        ("How long before:2026-1", "How long", Filters(before=DAY)),
        ("How long before:2025 before:2026", "How long", Filters(before=DAY)),
        ("How long section:Leave", "How long", Filters(sections=("Leave",))),
        ('How long section:"Annual leave"?', "How long?", Filters(sections=("Annual leave",))),
        ("How long section:“Annual leave”", "How long", Filters(sections=("Annual leave",))),
        ("How long by @plan-2026.docx?", "How long by?", Filters(files=("plan-2026.docx",))),
        ('How long @"Q2 board pack"', "How long", Filters(files=("Q2 board pack",))),
        (
            "How long in:a in:b/c type:pdf @x.md",
            "How long",
            Filters(folders=("a", "b/c"), formats=("pdf",), files=("x.md",)),
        ),
        ("How long @http://leave.md", "How long", Filters(files=("leave.md",))),
        ("How long after:2026-02-30", "How long", Filters(unread=("after:2026-02-30",))),
        ("How long after:01/02/2026", "How long", Filters(unread=("after:01/02/2026",))),
        ("How long type:papyrus", "How long", Filters(unread=("type:papyrus",))),
    ],
)
def test_filters_are_separated_from_question(text: str, question: str, filters: Filters) -> None:
    """Filters are read and the rest is the question."""
    assert parse(text) == (question, filters)


@pytest.mark.parametrize(
    "text",
    [
        "  How long is it?  ",
        "What type: A or B?",
        "Who is in: Anna or Ben?",
        "What happens after:lunch, and before:5pm?",
        "Is built-in:handbook a word?",
        "Ask @jane or jane@example.pdf about it",
        "Is diabetes of type:2 covered?",
        "What is in section:the",
        'What is {"type":"object"}?',
        "in:handbook/ type:pdf",
        "in:handbook/ ?",
        'What is in:"" or @""?',
        "What is in:/ and in:// then",
        f"Is in:{'x' * 201} too long?",
        "",
    ],
)
def test_unreadable_filter_text_stays_unchanged(text: str) -> None:
    """What does not read as a filter stays exactly as it is."""
    assert parse(text) == (text, NO_FILTERS)


@pytest.mark.parametrize(
    ("reply", "filters"),
    [
        ("the newer one", Filters(folders=("handbok/",), formats=("pdf",))),
        ("@leave.md", Filters(files=("leave.md",), formats=("pdf",))),
        ("in:a in:b type:md", Filters(folders=("a", "b"), formats=("md",))),
        ("after:2026", Filters(folders=("handbok/",), formats=("pdf",), after=DAY)),
    ],
)
def test_reply_filters_replace_question_filters(reply: str, filters: Filters) -> None:
    """The filters of a reply take the place of those of the question."""
    assert parse(f"How long? in:handbok/ type:pdf\n{reply}").filters == filters


def test_reply_corrects_unreadable_filter() -> None:
    """A reply mends a filter that could not be read."""
    assert parse("Why after:2026-99\nafter:2026").filters == Filters(after=DAY)


def test_filter_count_is_limited() -> None:
    """No more filters are read than are allowed."""
    asked = parse("Why " + " ".join(f"in:f{n}" for n in range(MOST_FILTERS + 2)))
    assert len(asked.filters.folders) == MOST_FILTERS
    assert asked.question == "Why in:f20 in:f21"


@pytest.mark.parametrize("kind", get_args(Format))
def test_every_format_has_its_type(kind: Format) -> None:
    assert parse(f"Why type:{kind}").filters.formats == (kind,)


@pytest.mark.parametrize("ending", FILE_ENDINGS)
def test_every_file_suffix_is_a_type(ending: str) -> None:
    """Every ending of a file is a type and names a file."""
    assert parse(f"Why type:{ending}").filters.formats
    assert parse(f"Why @a.{ending}").filters.files == (f"a.{ending}",)


_TEXT = st.text(alphabet=string.ascii_letters + string.digits + " /._-éß?:@", min_size=1)
_NAME = _TEXT.map(lambda text: text.strip()[:60]).filter(bool)
_DAY = st.none() | st.dates(min_value=dt.date(1000, 1, 1))


@settings(max_examples=examples(150), deadline=None)
@given(
    folders=st.lists(_NAME.filter(lambda name: name.strip("/")), max_size=3),
    files=st.lists(_NAME, max_size=3),
    kinds=st.lists(st.sampled_from(get_args(Format)), max_size=3),
    after=_DAY,
    before=_DAY,
)
def test_written_filters_read_back_equal(
    folders: list[str],
    files: list[str],
    kinds: list[str],
    after: dt.date | None,
    before: dt.date | None,
) -> None:
    """What is written of filters reads as the same."""
    filters = of_values(
        folders=folders,
        files=files,
        kinds=kinds,
        after=str(after or ""),
        before=str(before or ""),
    )
    assert parse(f"How long? {filters.written()}") == (
        "How long?" if filters else "How long? ",
        filters,
    )


@settings(max_examples=examples(200), deadline=None)
@given(st.text(alphabet='in:typeafter@" \n/.pdf2026-“”', max_size=300))
def test_any_text_keeps_a_question(text: str) -> None:
    """Any text is read and asks something again."""
    asked = parse(text)
    assert asked.question.strip() or not text.strip()
    assert asked.filters or asked.question == text


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"after": "soon"}, "after:2026-01-31"),
        ({"before": "2026-13"}, "is no date"),
        ({"kinds": ["papyrus"]}, "there are csv"),
        ({"folders": ["/"]}, "names nothing"),
        ({"folders": [" "]}, "names nothing"),
        ({"files": ['a"b']}, "names nothing"),
        ({"sections": ["the"]}, "names nothing"),
        ({"files": [f"{n}.md" for n in range(21)]}, "at most 20"),
    ],
)
def test_meaningless_values_are_refused(given_: dict[str, object], said: str) -> None:
    """Values that mean nothing are refused with what would."""
    with pytest.raises(ValueError, match=said):
        of_values(**given_)  # type: ignore[arg-type] # as the parameters say


def test_unread_filter_message_names_valid_forms() -> None:
    """What is said of an unread filter names what can be written."""
    assert "before:2026-01-31" in means_nothing("before:31.1.2026")
    assert "xlsx" in means_nothing("type:papyrus")


class TestFreeFields:
    keys: Final = frozenset({"owner", "cost-center", "note", "from"})

    @pytest.mark.parametrize(
        ("text", "question", "fields"),
        [
            ("How long owner:finance?", "How long?", (("owner", "finance"),)),
            ("How long Owner:Finance", "How long", (("owner", "Finance"),)),
            ('How long owner:"Jane Doe"', "How long", (("owner", "Jane Doe"),)),
            ("How long cost-center:4711", "How long", (("cost-center", "4711"),)),
            ("How long from:jane@example.com", "How long", (("from", "jane@example.com"),)),
            ("How long where:status=final", "How long", (("status", "final"),)),
            ('How long where:"cost center=47 11"', "How long", (("cost-center", "47 11"),)),
            ("How long owner:a owner:b", "How long", (("owner", "a"), ("owner", "b"))),
            ("How long owner:a\nowner:b note:c", "How long", (("owner", "b"), ("note", "c"))),
        ],
    )
    def test_known_key_makes_a_filter(
        self, text: str, question: str, fields: tuple[tuple[str, str], ...]
    ) -> None:
        """A key that there is makes a filter."""
        asked = parse(text, self.keys)
        assert (asked.question, asked.filters) == (question, Filters(fields=fields))

    @pytest.mark.parametrize(
        "text",
        [
            "Please note: the owner is asking",
            "What does status:done mean?",
            "Is it at 10:30 or https://example.com/owner:x",
            "What is std::vector and a:b",
            "the co-owner:finance",
            "What is where:finance",
            "owner:finance",
        ],
    )
    def test_everything_else_stays_a_question(self, text: str) -> None:
        assert parse(text, self.keys) == (text, NO_FILTERS)

    @pytest.mark.parametrize("text", ["What is on https://example.com/x ?", r"Open C:\temp now"])
    def test_address_is_never_a_filter(self, text: str) -> None:
        """An address is none whatever fields there are."""
        assert parse(text, {"https", "c"}) == (text, NO_FILTERS)

    def test_unknown_keys_need_long_form(self) -> None:
        """Without keys only the long form is read."""
        assert parse("How long owner:x").filters == NO_FILTERS
        assert parse("How long where:owner=x").filters == Filters(fields=(("owner", "x"),))

    def test_possible_keys_precede_the_lookup(self) -> None:
        """Whether keys could matter is seen before they are looked up."""
        assert may_name_fields("How long status:done")
        assert not may_name_fields("How long in:handbook/ type:pdf @plan.docx note: at 10:30?")

    def test_written_fields_read_back_equal(self) -> None:
        """They are written as they are read."""
        filters = of_values(fields=["owner=Jane Doe", "status=final."], kinds=["pdf"])
        assert filters.fields == (("owner", "Jane Doe"), ("status", "final."))
        assert parse(f"How long {filters.written()}").filters == filters

    def test_invalid_field_names_the_syntax(self) -> None:
        """A value that is no field is refused with how to write it."""
        with pytest.raises(ValueError, match="where:owner=finance"):
            of_values(fields=["finance"])
