"""Measure after how many seconds Teams is answered while its connector is slow or says no.

`python -m tests.bench.teams_ack_bench`: the real program, signed activities in, a stand-in for the
connector that answers each call after nine seconds, and one that says 429 for twenty. Graph is as
slow where a form is sent. Teams sends again what is not acknowledged within fifteen.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable
from pathlib import Path

from bot.playground.teams.connector_standin import Fault
from bot.playground.teams.teams_payloads import BEN, mention, personal
from tests.walks.teams_office import TeamsOffice, teams_office

SLOW_SECONDS = 9.0
QUESTION = "How many days of annual leave does every employee have?"


async def took(work: Awaitable[object]) -> float:
    began = time.perf_counter()
    await work
    return time.perf_counter() - began


async def slow(office: TeamsOffice) -> dict[str, float]:
    """Messages while every call of the connector takes its time."""
    office.connector.slow_seconds = SLOW_SECONDS
    slow_calls: list[Fault] = ["slow"] * 500
    office.connector.fail("*", *slow_calls)
    return {
        "a question, its team unknown": await took(office.say(mention(QUESTION))),
        "status": await took(office.say(mention("status"))),
        "help": await took(office.say(mention("help"))),
        "a question in a personal chat": await took(office.say(personal(QUESTION))),
    }


async def limited(office: TeamsOffice) -> dict[str, float]:
    """A word whose notice Teams refuses for twenty seconds."""
    office.connector.retry_after = "20"
    office.connector.fail("POST", *[429] * 5)
    return {"docs, 429 with Retry-After 20": await took(office.say(mention("docs")))}


async def pressed(office: TeamsOffice) -> dict[str, float]:
    """A press for which Graph is asked, and does not answer."""
    await office.say(mention("When is the swimming pool heated?"))
    asked = await office.shown("Your reply")
    office.issuer.answers.clear()
    try:
        press = office.press(asked, "Reply", BEN, masis_in_reply=QUESTION)
        return {"a press, Graph silent": await took(press)}
    finally:
        office.issuer.answers.set()


async def main() -> None:
    print("| what | answered after |")
    print("| --- | --- |")
    for measure in (slow, limited, pressed):
        with tempfile.TemporaryDirectory() as folder:
            async with teams_office(Path(folder)) as office:
                for what, seconds in (await measure(office)).items():
                    print(f"| {what} | {seconds:.2f} s |")


if __name__ == "__main__":
    asyncio.run(main())
