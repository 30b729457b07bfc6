"""A run followed as server-sent events: from its rows, whichever process works on it."""

import asyncio
import json
import socket
from urllib.parse import urlsplit

import pytest

from bot.api.events import StreamBounds
from masis.conversation import LOCAL_TENANT, Tenant
from masis.graphs.research.graph import RESEARCH
from masis.runs import Step
from storage.sql.tables import run_steps
from tests.bot.api.followed import Sent, following
from tests.bot.api.service import Service, held
from tests.bot.api.test_routes import problem, rows

SLACK = Tenant(team="T1")
TRACED = ("researcher", "synthesizer", "critic", "evaluator")
"""The nodes of a run that passes at once, as far as people are told of them."""
STEP = Step(name="researcher", number=1, state="started", title="Searching")


def told(events: list[Sent]) -> list[tuple[str, str]]:
    """Name the steps of the events, with their states."""
    return [(each.data["name"], each.data["state"]) for each in events if each.event == "status"]


async def test_ended_run_is_told_whole(service: Service) -> None:
    reply = await service.ask()
    async with following(service, reply.body["run_id"]) as stream:
        assert stream.status == 200
        assert stream.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert stream.headers["Cache-Control"] == "no-store"
        assert stream.headers["X-Accel-Buffering"] == "no"
        events = await stream.rest()
    steps = told(events)
    names = [step.name for step in RESEARCH.plan() if step.node in TRACED]
    assert steps == [(name, state) for name in names for state in ("started", "finished")]
    assert [each.event for each in events[len(steps) :]] == ["answer", "sources", "end"]
    answer, sources, end = events[len(steps) :]
    assert answer.data == reply.body
    assert sources.data == {"citations": reply.body["citations"]}
    assert end.data == {"status": "success", "run_id": reply.body["run_id"]}
    assert [each.id for each in events[: len(steps)]] == [str(n + 1) for n in range(len(steps))]
    assert set(events[0].data) == {"name", "title", "state", "pass", "note"}
    assert (events[0].data["pass"], events[0].data["note"]) == (1, "")
    assert all(each.data["title"] for each in events[: len(steps)])


async def test_steps_come_before_the_answer(idle: Service) -> None:
    """What is done so far is told while the rest goes on, and nothing of the draft."""
    async with held(idle) as critic:
        await idle.start()
        run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
        await critic.reached.wait()
        async with following(idle, run_id) as stream:
            seen = [await stream.one()]
            while seen[-1] is not None and seen[-1].data["name"] != "audit":
                seen.append(await stream.one())
            assert (await idle.look(run_id)).status == 202
            critic.gate.set()
            rest = await stream.rest()
    assert [each.event for each in rest[-3:]] == ["answer", "sources", "end"]
    draft = rest[-3].data["answer"].partition(" [")[0]
    before = [each.data for each in [*filter(None, seen), *rest[:-3]]]
    assert draft
    assert draft not in json.dumps(before)


async def test_client_resumes_where_it_was(service: Service) -> None:
    run_id = (await service.ask()).body["run_id"]
    async with following(service, run_id) as stream:
        whole = await stream.rest()
    for position, each in enumerate(whole[:-1]):
        async with following(service, run_id, after=each.id) as stream:
            assert await stream.rest() == whole[position + 1 :]
    async with following(service, run_id, after="end") as stream:
        assert (stream.status, await stream.content.read()) == (204, b"")
    for odd in ("-1", "nonsense", "99999999", "é", "0"):
        async with following(service, run_id, after=odd) as stream:
            assert await stream.rest() == whole


async def test_steps_of_another_process_are_told(idle: Service) -> None:
    """Only rows are read: nothing in this process works on the run."""
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    async with following(idle, run_id) as stream:
        await idle.steps.add(run_id, [STEP])
        first = await stream.one()
        done = STEP.model_copy(update={"state": "finished"})
        await idle.steps.add(run_id, [STEP, done])
        second = await stream.one()
        await idle.runs.mark(run_id, "cancelled")
        rest = await stream.rest()
    assert first is not None
    assert second is not None
    assert [(each.id, each.data["state"]) for each in (first, second)] == [
        ("1", "started"),
        ("2", "finished"),
    ]
    assert [each.data.get("status") for each in rest] == ["cancelled", None, "cancelled"]


async def test_restart_repeats_no_step(idle: Service) -> None:
    """A client goes on in the next process, without a gap and without a repeat."""
    async with held(idle) as critic:
        await idle.start()
        run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
        await critic.reached.wait()
        async with following(idle, run_id) as stream:
            first = [await stream.one()]
            while first[-1] is not None and first[-1].data["name"] != "audit":
                first.append(await stream.one())
        await idle.stop()
    await idle.start()
    last = first[-1]
    assert last is not None
    async with following(idle, run_id, after=last.id) as stream:
        rest = await stream.rest()
    steps = [*told([each for each in first if each]), *told(rest)]
    assert len(steps) == len(set(steps))
    assert ("audit", "finished") in steps
    assert rest[-1].data["status"] == "success"


async def test_question_back_is_the_answer(service: Service) -> None:
    service.cast.researcher.results = [[]]
    run_id = (await service.ask()).body["run_id"]
    async with following(service, run_id) as stream:
        answer, sources, end = (await stream.rest())[-3:]
    assert answer.data["clarification_question"]
    assert sources.data == {"citations": []}
    assert end.data["status"] == "needs_clarification"


# --- who may, and how many -----------------------------------------------------------------


async def test_streams_are_refused_as_runs_are(service: Service) -> None:
    run_id = (await service.ask()).body["run_id"]
    place = f"/masis/runs/{run_id}/events"
    problem(await service.send("GET", place, token="nonsense"), 401, "unauthenticated")
    problem(await service.send("GET", "/masis/runs/nosuch/events"), 404, "not_found")
    problem(await service.send("POST", place), 405, "method_not_allowed")
    payroll = await service.repository.create_workspace("local", "payroll")
    acme = await service.repository.create_workspace(SLACK.owner, "acme")
    for other in (await service.another(payroll), await service.another(acme, SLACK)):
        problem(await service.send("GET", place, token=other), 404, "not_found")
    async with following(service, run_id, token=await service.another(service.workspace)) as stream:
        assert (await stream.rest())[-1].event == "end"


async def test_open_streams_are_bounded(idle: Service) -> None:
    """A token has so many, all have so many, and who leaves makes room."""
    idle.bounds = StreamBounds(per_token=2, in_all=3)
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    place = f"/masis/runs/{run_id}/events"
    other, third = [await idle.another(idle.workspace) for _ in range(2)]
    async with following(idle, run_id):
        async with following(idle, run_id):
            refused = await idle.send("GET", place)
            problem(refused, 429, "too_many_streams")
            assert refused.headers["Retry-After"] == "2"
            async with following(idle, run_id, token=other) as stream:
                assert stream.status == 200
                problem(await idle.send("GET", place, token=third), 429, "too_many_streams")
        await let_in(idle, run_id)


async def let_in(service: Service, run_id: str) -> None:
    """Try until there is room for one more stream."""
    async with asyncio.timeout(10):
        while True:
            async with following(service, run_id) as stream:
                if stream.status == 200:
                    return
            await asyncio.sleep(0.05)


async def test_revoked_token_ends_its_stream(idle: Service) -> None:
    idle.bounds = StreamBounds(heartbeat_seconds=0.05)
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    async with following(idle, run_id) as stream:
        await idle.steps.add(run_id, [STEP])
        assert await stream.one() is not None
        token = await idle.tokens.of(idle.token)
        assert token is not None
        await idle.tokens.revoke(LOCAL_TENANT, token.id)
        await idle.runs.mark(run_id, "cancelled")
        assert [each.event for each in await stream.rest()] == []


async def test_deleted_run_ends_its_stream(idle: Service) -> None:
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    await idle.steps.add(run_id, [STEP])
    async with following(idle, run_id) as stream:
        assert await stream.one() is not None
        await idle.repository.delete_workspace(idle.workspace.id)
        assert await stream.rest() == []
    assert await rows(idle, run_steps) == 0


# --- how long ------------------------------------------------------------------------------


async def test_silent_stream_has_heartbeats(idle: Service) -> None:
    idle.bounds = StreamBounds(heartbeat_seconds=0.05, seconds=1.0)
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    async with following(idle, run_id) as stream:
        assert await stream.rest() == []
    assert len(stream.comments) >= 2


@pytest.mark.parametrize("how", ["time", "shutdown"])
async def test_stream_ends_without_its_run(idle: Service, how: str) -> None:
    """It ends without `end`, so that the client comes back."""
    idle.bounds = StreamBounds(seconds=0.3 if how == "time" else 60.0)
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    await idle.steps.add(run_id, [STEP])
    async with following(idle, run_id) as stream:
        assert await stream.one() is not None
        idle.is_stopping = how == "shutdown"
        assert await stream.rest() == []


async def test_client_that_reads_nothing_is_let_go(idle: Service) -> None:
    """It may not hold its place for long."""
    idle.bounds = StreamBounds(per_token=1, write_seconds=0.2)
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    note = "x" * 200_000
    await idle.steps.add(
        run_id, [STEP.model_copy(update={"number": n, "note": note}) for n in range(50)]
    )
    there = urlsplit(idle.url)
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((there.hostname, there.port))
        deaf.sendall(
            f"GET /masis/runs/{run_id}/events HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {idle.token}\r\n\r\n".encode()
        )
        await let_in(idle, run_id)
