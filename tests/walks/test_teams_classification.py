"""A code is asked for in Teams: given at once, asked back about, chosen by a button or in words."""

import copy
from pathlib import Path

from bot.playground.teams.teams_payloads import BEN, Json, mention, personal
from bot.teams.inbound.activities import FILE
from tests.bot.teams.card_checker import texts
from tests.walks.teams_office import TeamsOffice, assert_told, teams_office
from tests.walks.test_slack_classification import LEAKS, ROWS, lists


def _sent(office: TeamsOffice, content: bytes) -> Json:
    url = office.connector.file("codes.csv", content)
    return {"contentType": FILE, "name": "codes.csv", "content": {"downloadUrl": url, "uniqueId": "1"}}  # fmt: skip


async def test_code_is_chosen_by_button(tmp_path: Path) -> None:
    """A question back has the titles as buttons, for its asker alone; the code comes with its rows."""
    async with teams_office(tmp_path, lists()) as office:
        await office.say(mention("classify there is a leak"))
        asked = copy.copy(await office.shown("More than one code fits", "Pump leaks"))
        assert "Only the person" in await office.press(asked, "Pump leaks", BEN)
        await office.press(asked, "Pump leaks")
        given = await office.shown("PR21", "chosen by you", messages=2)
        trail = await office.dialog(given, "How I got this")
        assert "Compare the codes" in "\n".join(texts(trail))
        assert "Code: PR21" in str(await office.dialog(given, "Passage"))
        assert "too late" in await office.press(asked, "Water leak in the building")
        await assert_told(office, "classification_button")


async def test_code_is_found_by_words(tmp_path: Path) -> None:
    """A short list is said to be one; words in the thread start over, say more, and take a code back."""
    async with teams_office(tmp_path) as office:
        await office.say(mention("hello"))  # the channel's place is known from now on
        await office.shown()
        await office.say(personal("upload as a code list", attachments=[_sent(office, LEAKS)]))
        await office.shown("read as a code list", messages=2)
        await office.say(mention("which kind of leak is water?"))
        await office.shown("More than one code fits", messages=3)
        await office.say(mention("start over"))
        await office.shown("from the beginning", messages=4)
        await office.say(mention("water comes through the roof"))
        await office.shown("L3", messages=5)
        await office.say(mention("that's not it"))
        await office.shown("None of those, then", messages=6)
        await assert_told(office, "classification_words")


async def test_rows_of_file_come_back_coded(tmp_path: Path) -> None:
    """A file of descriptions in somebody's own chat comes back as a table; Teams takes no file."""
    async with teams_office(tmp_path, lists()) as office:
        await office.say(mention("hello"))  # the channel's place is known from now on
        await office.shown()
        await office.say(personal("classify these rows", attachments=[_sent(office, ROWS)]))
        await office.shown("Here are the codes of 3 rows", messages=2)
        await assert_told(office, "classification_rows")
