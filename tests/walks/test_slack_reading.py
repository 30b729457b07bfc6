"""What people can read beside an answer: how it came about, its passages, lists, the home tab."""

from pathlib import Path

from tests.openai_server import says
from tests.walks.office import (
    HANDBOOK,
    QUESTION,
    Office,
    assert_told,
    link,
    office,
    writes,
)

CLAIM = "Every employee has 26 days of annual leave a year"
MADE_UP = "c_aaaaaaaaaaaa"


async def test_answer_trail_opens_by_click(tmp_path: Path) -> None:
    """How an answer came about is one click away."""
    async with office(tmp_path) as here:
        assert here.service is not None
        here.service.will(
            "writer",
            says(f"{CLAIM} [{MADE_UP}]."),
            writes(f"{CLAIM} [1]. August is popular with everybody."),
        )
        await here.types(here.alice, QUESTION)
        answer = await here.sees(here.bob, "Medium")
        await here.clicks(here.bob, answer, "How I got this")
        trail = await here.modal(here.bob, "Faithfulness")

        [run] = await here.bot.services.runs.recent(here.tenant, 10)
        for part in ("threshold 0.6", "threshold 0.55", "kept", "dropped", "Clamps", run.id):
            assert part in trail
        await here.clicks(here.bob, answer, "Passage")
        await here.modal(here.bob, "version 1, the current one")
        await here.app.ingest.ingest(here.workspace, "leave.md", b"# Leave\n\nAsk Personnel.\n")
        here.deeds.append("leave.md is replaced by a new version")
        await here.clicks(here.bob, answer, "Passage")
        assert CLAIM in await here.modal(here.bob, "an earlier version")

        await assert_told(here, "how_i_got_this")


async def test_wider_search_uses_retry_limits(tmp_path: Path) -> None:
    """Search wider asks again with the net of a retry."""
    plans = {f"plan {n}.txt": f"Office {n} plans its annual leave in week {n}." for n in range(15)}
    async with office(tmp_path, documents=HANDBOOK | plans) as here:
        await here.types(here.alice, QUESTION)
        answer = await here.sees(here.bob, "High")
        await here.clicks(here.bob, answer, "Search wider")
        wider = await here.sees(here.bob, "1 pass", thread=answer)
        assert wider.ts != answer.ts
        await here.settled()

        runs = await here.bot.services.runs.recent(here.tenant, 10)
        assert [run.kind for run in runs] == ["wider", "ask"]
        assert runs[0].parent_run_id == runs[1].id
        wide, narrow = [await searched(here, run.id) for run in runs]
        assert narrow == (0.6, 10)
        assert wide == (0.55, 17)
        await assert_told(here, "search_wider")


async def test_last_vote_per_person_is_shown(tmp_path: Path) -> None:
    """The last vote of each person counts and is shown."""
    async with office(tmp_path) as here:
        await here.types(here.alice, QUESTION)
        answer = await here.sees(here.bob, "High")
        await here.clicks(here.bob, answer, "Good answer")
        await here.sees(here.alice, "1 vote: 1 good, 0 not good")
        await here.sees(here.bob, "Your vote: good")
        await here.clicks(here.alice, answer, "Good answer")
        await here.sees(here.bob, "2 votes: 2 good, 0 not good")
        await here.clicks(here.bob, answer, "Bad answer")
        await here.modal(here.bob, "Your vote: not good")
        await here.submits(here.bob, {"What was wrong?": "It says nothing about part time."})
        await here.sees(here.alice, "2 votes: 1 good, 1 not good")
        await here.sees(here.bob, "your reason is stored")

        await assert_told(here, "feedback")
        [run] = await here.bot.services.runs.recent(here.tenant, 10)
        votes = {vote.user: vote for vote in await here.bot.services.votes.of(here.tenant, run.id)}
        assert votes[here.alice.id].good
        assert not votes[here.bob.id].good
        assert votes[here.bob.id].reason == "It says nothing about part time."


async def test_documents_are_listed_in_pages(tmp_path: Path) -> None:
    notes = {f"note {n:02}.txt": f"Note {n} is about topic {n}." for n in range(1, 26)}
    async with office(tmp_path, documents=notes) as here:
        await here.types(here.alice, "status")
        await here.sees(here.alice, "25 documents")
        await here.settled()
        await here.types(here.alice, "docs")
        first = await here.sees(here.alice, "Page 1 of 2")
        here.saw("Alice sees", here.text(first))
        await here.clicks(here.alice, first, "Next")
        second = await here.sees(here.alice, "Page 2 of 2")
        assert second.ts == first.ts

        await assert_told(here, "documents_in_pages")
        assert not here.bob.sees(here.channel)


async def test_history_shows_own_channel_questions(tmp_path: Path) -> None:
    """History shows a person their own questions of this channel."""
    async with office(tmp_path) as here:
        other = here.slack.channel("other", here.alice)
        await link(here, other)
        await here.types(here.alice, "history")
        await here.sees(here.alice, "not asked anything here yet")
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")
        await here.says(here.bob, "@MASIS How often are laptops replaced?")
        await here.sees(here.bob, "every 4 years")
        await here.types(here.alice, "Who won the cup final?", other)
        await here.sees(here.alice, "nothing close enough", channel=other)
        await here.settled()
        for channel in (here.channel, other):
            await here.types(here.alice, "history", channel)
            await here.sees(here.alice, "Your recent questions here", channel=channel)
        await here.types(here.alice, "help")

        await assert_told(here, "history")


async def test_home_tab_shows_only_own_items(tmp_path: Path) -> None:
    """The home tab shows what is somebodys own and no more."""
    async with office(tmp_path) as here:
        await fill_private_board(here)
        guest = here.slack.person("gus", "guest")
        others = here.slack.world.add_team("Southfield")
        await link(here, here.slack.channel("joint", here.alice, connected=[others]))
        await here.types(here.alice, QUESTION)
        await here.sees(here.bob, "High")
        await here.settled()

        await here.alice.opens_home()
        assert "board" in await here.home(here.alice, "Try asking")
        await here.bob.opens_home()
        shown = await here.home(here.bob, "Try asking")
        assert "board" not in shown
        assert QUESTION not in shown
        await here.admin.opens_home()
        shown = await here.home(here.admin, "Try asking")
        assert "Health" in shown
        assert "older version" not in shown
        assert "secrets" not in shown
        assert here.admin.home is not None
        here.deeds.append("Olivia clicks [Settings]")
        await here.admin.clicks(here.admin.home, "Settings")
        await here.modal(here.admin, "MASIS managers")
        await here.slack.owner.invites(here.channel, guest)
        await guest.opens_home()
        assert "handbook" not in await here.home(guest, "Guests cannot use MASIS")

        await assert_told(here, "home_tabs")


async def test_home_tab_lists_documents_to_reupload(tmp_path: Path) -> None:
    """Managers alone are told which documents an older version read."""
    async with office(tmp_path, model=False, MASIS_EMBEDDER="none") as here:
        async with here.app.database.write() as connection:
            await connection.exec_driver_sql("UPDATE versions SET parser = NULL")
        await here.admin.opens_home()
        shown = await here.home(here.admin, "Health")
        assert "⚠️ Documents" in shown
        assert "read by an older version of MASIS. I keep no files: please upload" in shown
        await here.alice.opens_home()
        assert "older version" not in await here.home(here.alice, "Linked channels")


async def searched(here: Office, run_id: str) -> tuple[float, int]:
    """The threshold of a run's first search, and how many passages it looked at."""
    trail = await here.bot.services.trails.of(here.tenant, run_id)
    assert trail is not None
    search = trail.figures["retrieval_scores"][0]
    return search["threshold"], len(search["candidates"])


async def fill_private_board(here: Office) -> None:
    """A private channel of Alice's, linked to a workspace of its own."""
    board = here.slack.channel("board", here.alice, kind="private")
    secrets = await here.app.repository.create_workspace(here.tenant.owner, "secrets")
    await here.app.ingest.ingest(secrets, "leave.md", HANDBOOK["leave.md"].encode())
    await link(here, board, secrets)
