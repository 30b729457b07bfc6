from typing import Any

import aiohttp
import pytest

from bot.playground.people.outcomes import Did
from bot.playground.people.people import Person
from bot.playground.server import Playground
from bot.playground.slack.entities import Channel, File
from tests.bot.playground.small_bot import section, served


async def fetched(url: str, token: str | None) -> tuple[int, bytes, str]:
    """A file as a downloader sees it that follows no redirect: status, bytes, location."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.get(url, headers=headers, allow_redirects=False) as response,
    ):
        return response.status, await response.read(), response.headers.get("Location", "")


class TestFiles:
    @pytest.fixture
    async def shared(self, slack: Playground) -> File:
        alice = slack.person("alice")
        file = alice.file("rates.csv", b"a,b\n1,2\n", mimetype="text/csv")
        await alice.uploads(slack.channel("general", alice), [file], "the rates")
        return file

    async def test_app_token_serves_the_file(self, slack: Playground, shared: File) -> None:
        """It is served to the apps token."""
        url = str(shared.json()["url_private_download"])

        assert await fetched(url, slack.bot_token) == (200, b"a,b\n1,2\n", "")

    @pytest.mark.parametrize("token", [None, "xoxb-wrong"])
    async def test_missing_token_redirects_to_login(
        self, slack: Playground, shared: File, token: str | None
    ) -> None:
        """Without it one is sent to sign in."""
        status, _, location = await fetched(shared.url, token)

        assert (status, location) == (302, f"{slack.base_url}/signin")
        assert (await fetched(location, None))[0] == 200, "a page, and not the file"
        assert slack.hub.fetched[-1].status == 302

    async def test_unjoined_channel_file_is_refused(self, slack: Playground) -> None:
        """A file of a channel without the app is not served."""
        alice = slack.person("alice")
        file = alice.file("secret.csv", b"a")
        await alice.uploads(slack.channel("board", alice, with_app=False), [file])

        assert (await fetched(file.url, slack.bot_token))[0] == 302

    async def test_uninstalled_app_reads_no_file(self, slack: Playground, shared: File) -> None:
        """An app that is gone reads nothing."""
        await slack.owner.uninstalls()

        assert (await fetched(shared.url, slack.bot_token))[0] == 302

    async def test_more_may_come_than_was_told(self, slack: Playground, shared: File) -> None:
        shared.served_size = 3_000_000

        status, content, _ = await fetched(shared.url, slack.bot_token)
        assert (status, len(content) >= 3_000_000, shared.json()["size"]) == (200, True, 8)

    async def test_it_may_lie_elsewhere(self, slack: Playground, shared: File) -> None:
        shared.redirect_to = "http://127.0.0.1:9/elsewhere"
        status, _, location = await fetched(shared.url, slack.bot_token)
        assert (status, location) == (302, "http://127.0.0.1:9/elsewhere")

        shared.mode, shared.external_url = "external", "https://drive.example.com/doc"
        told = shared.json()
        assert (told["url_private"], told["is_external"]) == ("https://drive.example.com/doc", True)


class TestAnswers:
    """What an app may say to the address that came with what somebody did."""

    @pytest.fixture
    def alice(self, slack: Playground) -> Person:
        return slack.person("alice")

    @pytest.fixture
    def general(self, slack: Playground, alice: Person) -> Channel:
        return slack.channel("general", alice)

    async def answer(self, did: Did, slack: Playground, **said: Any) -> tuple[int, str]:
        assert did.acks
        url = slack.bots.deliveries[-1].payload["response_url"]
        async with aiohttp.ClientSession() as session, session.post(url, json=said) as response:
            return response.status, await response.text()

    async def test_response_is_ephemeral_by_default(
        self, slack: Playground, alice: Person, general: Channel
    ) -> None:
        """It is for the one who asked unless it says otherwise."""
        async with served(slack):
            did = await alice.slash("/masis", "help", general)
        assert await self.answer(did, slack, text="psst") == (200, "ok")
        assert list(general.messages) == []
        await self.answer(did, slack, text="all", response_type="in_channel")

        assert alice.reads(general) == ["On it: help", "psst", "all"]
        assert [message.text for message in general.messages.values()] == ["all"]

    async def test_response_url_allows_five_uses(self, alice: Person) -> None:
        """It works five times for half an hour."""
        now = [1_000.0]
        async with Playground(clock=lambda: now[0]) as slack:
            alice = slack.person("alice")
            general = slack.channel("general", alice)
            async with served(slack):
                did = await alice.slash("/masis", "help", general)
                for _ in range(5):
                    assert (await self.answer(did, slack, text="a"))[0] == 200
                assert await self.answer(did, slack, text="a") == (404, "used_url")
                did = await alice.slash("/masis", "help", general)
            now[0] += 1_801
            assert await self.answer(did, slack, text="a") == (404, "expired_url")

    async def test_response_replaces_or_deletes_message(
        self, slack: Playground, alice: Person, general: Channel
    ) -> None:
        """A message can be replaced and taken away."""
        async with served(slack) as bot:
            said = (await alice.says(general, "@MASIS how many?")).message
            assert said is not None
            (posted,) = await slack.until(lambda: general.replies(said.ts))
            did = await alice.clicks(posted, "More")
            await self.answer(
                did, slack, text="new", replace_original=True, blocks=[section("new")]
            )
            assert alice.reads(general, said)[1:] == ["new"]
            await self.answer(did, slack, delete_original=True)
            assert bot.bodies[-1]["response_url"].startswith(slack.base_url)

        assert alice.reads(general, said) == ["@MASIS how many?"]

    async def test_invalid_response_is_refused(
        self, slack: Playground, alice: Person, general: Channel
    ) -> None:
        """What slack does not take is refused."""
        async with served(slack):
            did = await alice.slash("/masis", "help", general)

        assert await self.answer(did, slack, colour="red") == (400, "invalid_payload")
        assert await self.answer(did, slack) == (400, "no_text")
        bad = await self.answer(did, slack, text="a", blocks=[{"type": "marquee"}])
        assert bad == (400, "invalid_blocks")
