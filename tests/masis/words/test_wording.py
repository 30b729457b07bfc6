"""How a question is searched, by what the documents of its workspace say."""

import asyncio
import datetime as dt
from collections.abc import Mapping, Sequence
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from masis.domain import WorkspaceId
from masis.ports import Repository
from masis.text.lexical import term_id, terms
from masis.words.spelling import counted
from masis.words.wording import MOST_CHARS, MOST_OTHERS, Wording, Wordings
from masis.words.workspace_words import WorkspaceWords
from tests.examples import examples

POTTERY = [
    "The mileage rate for van trips is 45p a mile. Ask Jensen for the form.",
    "Mileage is paid monthly. Annual leave is 26 days; annual leave is booked with the line manager.",
    "Pay slip and sick leave forms hang by the kiln. The callout rate doubles on Sundays.",
    "Der Antrag auf Urlaub und die Vertretung liegt beim Leiter, die Frist ist der Montag.",
]


FRAGMENTS = [
    "thatare", "ofthe", "forthe", "inthe", "mielage", "van", "vanand", "kilnthe", "sickleave", "a",
    "the", "Urlaubsantrag", "callout", "call out", "26", "££", "wat", "thx", "hi all,", "?", "isit",
    "themileage", "annualleave", "theand", "Jensen", "Jensne", "ß", "e-mail", "-", "I", "asap",
]  # fmt: skip


class Statistics:
    """What a repository tells of the words of these texts; another workspace has none."""

    def __init__(self, texts: Sequence[str] = POTTERY) -> None:
        self.texts = {f"v{n}": text for n, text in enumerate(texts)}
        self.read: list[Sequence[str]] = []

    def _of(self, workspace_id: WorkspaceId) -> Mapping[str, str]:
        return self.texts if workspace_id == "w" else {}

    async def term_frequencies(
        self, workspace_id: WorkspaceId, ids: set[int]
    ) -> tuple[int, dict[int, int]]:
        texts = [{term_id(term) for term in terms(t)} for t in self._of(workspace_id).values()]
        counts = {each: sum(each in there for there in texts) for each in ids}
        return len(texts), {each: count for each, count in counts.items() if count}

    async def active_versions(self, workspace_id: WorkspaceId) -> list[str]:
        return list(self._of(workspace_id))

    async def version_words(
        self, workspace_id: WorkspaceId, version_ids: Sequence[str]
    ) -> dict[str, dict[str, int]]:
        self.read.append(list(version_ids))
        return {each: counted([self._of(workspace_id)[each]]) for each in version_ids}


class Added:
    """An admin's synonyms of the workspace `w`."""

    async def of(self, workspace_id: WorkspaceId) -> list[tuple[str, ...]]:
        return [("kiln", "brennofen")] if workspace_id == "w" else []


def wordings(statistics: Statistics) -> Wordings:
    repository = cast(Repository, statistics)
    return Wordings(repository, WorkspaceWords(repository), Added())


async def worded(question: str, workspace: str = "w") -> Wording:
    return await wordings(Statistics()).of(WorkspaceId(workspace), question)


async def test_last_year_is_searched_by_its_name() -> None:
    """Papers of a year are searched by it; where no paper names it, nothing is added."""
    repository = cast(Repository, Statistics(["The glaze of 2025 cost 40.", "The kiln is old."]))
    known = Wordings(repository, WorkspaceWords(repository), today=lambda: dt.date(2026, 3, 1))
    later = Wordings(repository, WorkspaceWords(repository), today=lambda: dt.date(2028, 3, 1))

    [dated] = (await known.of(WorkspaceId("w"), "what did the glaze cost last year")).others
    assert (dated.text, dated.needs) == ("what did the glaze cost in 2025", ["2025"])
    assert not (await later.of(WorkspaceId("w"), "what did the glaze cost last year")).others
    assert not (await known.of(WorkspaceId("w"), "who fired the kiln last")).others


async def test_misspelling_is_searched_as_meant() -> None:
    """A mistyped word is searched as it is meant."""
    found = await worded("hi, wat is the milage rate? thanks")
    assert (found.text, found.searched_for) == ("what is the mileage rate?", ["mileage"])


async def test_correction_uses_own_workspace_words() -> None:
    """A word is corrected by its own workspace."""
    found = await worded("what is the milage rate", "other")
    assert (found.text, found.searched_for, found.others) == ("what is the milage rate", [], [])


async def test_another_language_has_its_own_words() -> None:
    """There "Leitet" is no "Leiter" mistyped, and "Urluab" still is "Urlaub"."""
    statistics = Statistics(
        [*POTTERY, "wer den Urlaub plant, ist der Leiter und nicht die Vertretung"]
    )
    found = await wordings(statistics).of(
        WorkspaceId("w"), "leitet im urluab jemand die Vertretung"
    )
    assert found.text == "leitet im urlaub jemand die Vertretung"


async def test_slips_make_other_errors_english() -> None:
    """Where hardly a word is right, letters out of place are mended first, then the others."""
    assert (await worded("anual leve maneger")).text == "annual leave manager"


async def test_corrected_function_words_go_unreported() -> None:
    """Words that only make a question are not told."""
    found = await worded("shoud i book anual leave")
    assert (found.text, found.searched_for) == ("should i book annual leave", ["annual"])


async def test_document_synonym_is_another_wording() -> None:
    """The first that they have, of those that mean the same, is what a holiday is called there."""
    [other, *_] = (await worded("how much holiday do I get")).others
    assert (other.text, other.needs) == ("how much annual leave do I get", ["annual leave"])
    assert other.unknown


async def test_what_an_admin_added_is_searched() -> None:
    [other] = (await worded("where is the brennofen")).others
    assert other.text == "where is the kiln"
    assert (await worded("where is the brennofen", "other")).others == []


async def test_word_that_sounds_alike_is_searched() -> None:
    """What sounds like a word that no document has is searched as well; what they have stays."""
    texts = Statistics(["The lunch break is at noon.", "The plan hangs by the kiln."])
    how = wordings(texts)

    assert [o.text for o in (await how.of(WorkspaceId("w"), "when is the lunch brake")).others] == [
        "when is the lunch break"
    ]
    assert (await how.of(WorkspaceId("w"), "where is the plan")).others == []
    assert (await how.of(WorkspaceId("w"), "where is my dog")).others == []


async def test_a_compound_is_parted_and_joined() -> None:
    assert [each.needs for each in (await worded("is there sickleave")).others] == [["sick leave"]]
    joined = (await worded("what is the call out rate")).others
    assert [each.text for each in joined] == ["what is the callout rate"]
    german = (await worded("wo ist der Urlaubsantrag")).others
    assert [each.needs for each in german] == [["urlaub antrag"]]


async def test_word_with_unknown_half_stays_whole() -> None:
    """A word is not parted where a half is none."""
    assert (await worded("is there a carpet")).others == []
    assert (await worded("kilnxyz price")).others == []


async def test_two_small_words_stay_apart() -> None:
    """Two small words written as one are no compound."""
    texts = ["Their own van is used by them for the trips that are theirs alone.", *POTTERY]

    found = await wordings(Statistics(texts)).of("w", "can I take the van thatare free")  # type: ignore[arg-type]

    assert found.others == []


@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=8).map(" ".join))
@settings(max_examples=examples(60), deadline=None)
def test_any_question_is_worded(question: str) -> None:
    """Words run together, small words, mistyped and foreign ones, in any order."""
    found = asyncio.run(worded(question))

    assert len(found.others) <= MOST_OTHERS
    assert all(other.text != found.text and other.needs for other in found.others)


async def test_mistyped_name_is_only_offered() -> None:
    """A name that is missed by a letter stays as typed, with the question as it may be meant beside it."""
    statistics = Statistics(
        ["Forms come from our clerk Visser.", "Ask the clerk Visser, or Petra."]
    )
    found = await wordings(statistics).of(WorkspaceId("w"), "does vissar have the form?")
    assert found.text == "does vissar have the form?"
    assert (found.names, found.meant) == ({"vissar": "Visser"}, "does Visser have the form?")


async def test_long_question_is_searched_unchanged() -> None:
    """A long question is searched as it is."""
    case = "wat is the milage rate " * (MOST_CHARS // 20)
    assert await worded(case) == Wording(text=case)


async def test_other_wordings_are_few() -> None:
    statistics = Statistics(["annual leave, paid time off, holiday allowance, holiday entitlement"])
    found = await wordings(statistics).of(WorkspaceId("w"), "vacation for kids and the boss")
    assert len(found.others) == MOST_OTHERS


# --- what is remembered --------------------------------------------------------------------


async def test_only_new_versions_are_read_again() -> None:
    """Words are read once and what is new is added."""
    statistics = Statistics()
    words = WorkspaceWords(cast(Repository, statistics))
    await words.of(WorkspaceId("w"))
    assert (await words.of(WorkspaceId("w"))).nearest("glazng") is None
    statistics.texts["v9"] = "Glazing is done by hand"
    assert (await words.of(WorkspaceId("w"))).nearest("glazng") == "glazing"
    assert statistics.read == [["v0", "v1", "v2", "v3"], ["v9"]]


async def test_words_of_deleted_document_disappear() -> None:
    """Words of a deleted document are gone."""
    statistics = Statistics()
    words = WorkspaceWords(cast(Repository, statistics))
    assert (await words.of(WorkspaceId("w"))).nearest("milage") == "mileage"
    del statistics.texts["v0"], statistics.texts["v1"]
    assert (await words.of(WorkspaceId("w"))).nearest("milage") is None


async def test_memory_keeps_the_workspaces_used_last() -> None:
    statistics = Statistics()
    words = WorkspaceWords(cast(Repository, statistics), most=1)
    await words.of(WorkspaceId("w"))
    await words.of(WorkspaceId("other"))
    await words.of(WorkspaceId("w"))
    words.forget(WorkspaceId("w"))
    await words.of(WorkspaceId("w"))
    assert len(statistics.read) == 3
