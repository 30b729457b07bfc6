"""A code is asked for in Slack: given at once, asked back about, chosen by a button or in words."""

from importlib import resources
from pathlib import Path
from typing import Final

from bot.playground.samples import SAMPLE
from bot.playground.slack.entities import Message
from tests.walks.office import Office, assert_told, office

TYPES: Final = "ticket-types.csv"
LEAKS: Final = b"""Code,Kind of leak,Description
L1,Water from a pipe,A pipe or a tap drips and the floor is wet
L2,Water from a machine,A dishwasher or a pump lets water out
L3,Water from the roof,Rain comes through the roof or a window
"""
ROWS: Final = b"""Ref,Message,Site
1,The dosing pump drips fluid from a hose,Hull
2,certificate,=cmd()
3,"=A1 my badge is lost, it does not open the door",
"""


def lists() -> dict[str, str]:
    """The code list that ships with the sample."""
    with resources.as_file(SAMPLE / "codelists" / TYPES) as path:
        return {TYPES: path.read_text(encoding="utf-8")}


async def test_code_is_chosen_by_button(tmp_path: Path) -> None:
    """A command asks back, the asker clicks one title, and the code comes with its rows."""
    # Eighty titles and descriptions take an embedder longer than the walk.
    words_alone = office(tmp_path, documents=lists(), model=False, MASIS_EMBEDDER="none")
    async with words_alone as here:
        await here.types(here.alice, "classify")
        await here.types(here.alice, "classify there is a leak")
        asked = await here.sees(here.bob, "More than one code fits")
        here.saw("Bob sees meanwhile", here.text(asked))
        await here.clicks(here.bob, asked, "Pump leaks")
        await here.sees(here.bob, "Only the person who asked")
        await here.clicks(here.alice, asked, "Pump leaks")
        given = await here.sees(here.bob, "chosen by you")
        await _looks_into(here, given)

        await assert_told(here, "classification_button")


async def _looks_into(here: Office, given: Message) -> None:
    await here.clicks(here.alice, given, "How I got this")
    await here.modal(here.alice, "Compare the codes")
    await here.clicks(here.alice, given, "masis_passage_1")
    await here.modal(here.alice, "Code: PR21")


async def test_code_is_found_by_words(tmp_path: Path) -> None:
    """A short list is said to be one; a plain question asks back, starts over, and ends with words that tell."""
    async with office(tmp_path, documents={}, model=False) as here:
        leaks = here.admin.file("leaks.csv", LEAKS)
        await here.types(here.admin, "classify a leak")
        await here.sees(here.bob, "There is no code list")
        await here.types(here.admin, "upload")
        await here.modal(here.admin, "[Add]")
        await here.submits(here.admin, {"Files": [leaks.json()], "Code lists": ["yes"]})
        await here.sees(here.bob, "read as a code list")
        first = await here.says(here.alice, "@MASIS which kind of leak is water?")
        asked = await here.sees(here.bob, "More than one code fits", thread=first.message)
        await here.says(here.alice, "start over", thread=asked)
        anew = await here.sees(here.bob, "from the beginning", thread=first.message)
        await here.says(here.alice, "water comes through the roof", thread=anew)
        given = await here.sees(here.bob, "L3", thread=first.message)
        await here.says(here.alice, "@MASIS that's not it", thread=given)
        await here.sees(here.bob, "None of those, then", thread=first.message)

        await assert_told(here, "classification_words")


async def test_rows_of_file_come_back_coded(tmp_path: Path) -> None:
    """A file of descriptions comes back as a file: a code each, and which need a person."""
    async with office(tmp_path, documents=lists(), model=False) as here:
        here.deeds.append("Alice sends rows.csv with: classify these rows")
        asked = "@MASIS classify these rows"
        sent = (await here.alice.uploads(here.channel, [("rows.csv", ROWS)], asked)).message
        await here.sees(here.bob, "Here are the codes of 3 rows", thread=sent)
        await here.settled()
        files = here.slack.world.files.values()
        sheet = next(each for each in files if each.name.startswith("masis-table"))
        assert sheet.content.decode().lstrip("\ufeff").splitlines() == [
            "Ref,Message,Site,Code,Title,Confidence (%),Needs a person",
            "1,The dosing pump drips fluid from a hose,Hull,PR21,Pump leaks,95,",
            "2,certificate,'=cmd(),HR33,Training,33,yes",
            '3,"\'=A1 my badge is lost, it does not open the door",,FA21,Badge lost,95,',
        ]

        await assert_told(here, "classification_rows")
