"""Who is let in, and when guessing is answered without a look at the database."""

from http import HTTPStatus

import pytest
from aiohttp.test_utils import make_mocked_request

from bot.api.authentication import FAILURES_PER_MINUTE, Door
from bot.api.problems import Refusal
from tests.bot.api.service import Service


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def refused(door: Door, shown: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await door.enter(make_mocked_request("GET", "/", {"Authorization": f"Bearer {shown}"}))
    return caught.value


async def entered(door: Door, shown: str) -> str:
    request = make_mocked_request("GET", "/", {"Authorization": f"bearer  {shown}"})
    return (await door.enter(request)).id


async def test_guess_limit_spares_known_holders(idle: Service) -> None:
    """Guesses are limited and known holders are not locked out."""
    clock = Clock()
    door = Door(idle.tokens, clock=clock)
    known = await entered(door, idle.token)
    for n in range(FAILURES_PER_MINUTE):
        assert (await refused(door, f"guess-{n}")).problem.status == HTTPStatus.UNAUTHORIZED
        clock.now += 1
    last = await refused(door, "one more")
    assert (last.problem.status, last.problem.code) == (429, "too_many_failures")
    assert last.headers["Retry-After"] == str(60 - FAILURES_PER_MINUTE + 1)
    assert await entered(door, idle.token) == known
    other = await idle.another(idle.workspace)
    assert (await refused(door, other)).problem.status == HTTPStatus.TOO_MANY_REQUESTS
    clock.now += 60
    assert await entered(door, other)


async def test_revoked_token_is_refused(idle: Service) -> None:
    """A token that was known is refused once it is revoked."""
    door = Door(idle.tokens)
    token_id = await entered(door, idle.token)
    found = await idle.tokens.get(token_id)
    assert found is not None
    await idle.tokens.revoke(found.tenant, token_id)
    assert (await refused(door, idle.token)).problem.code == "unauthenticated"


async def test_two_tokens_count_as_none(idle: Service) -> None:
    """Two tokens in one request are none."""
    door = Door(idle.tokens)
    assert (await refused(door, f"{idle.token} {idle.token}")).problem.code == "unauthenticated"
