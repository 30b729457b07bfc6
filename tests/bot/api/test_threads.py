"""A thread over HTTP: the client's own id of a conversation, one question of it at a time."""

import pytest

from tests.bot.api.service import QUESTION, Reply, Service, held


async def ask(service: Service, thread: object, query: str = QUESTION, **headers: str) -> Reply:
    body = {"query": query, "thread": thread}
    return await service.send("POST", service.place(), body, **headers)


async def test_thread_is_kept_and_returned(service: Service) -> None:
    reply = await ask(service, "a.b_c:1-2")
    assert (reply.status, reply.body["thread"]) == (200, "a.b_c:1-2")
    again = await service.look(reply.body["run_id"])
    assert again.body == reply.body
    run = await service.runs.get(None, reply.body["run_id"])
    assert run is not None
    assert (run.kind, run.thread) == ("ask", "a.b_c:1-2")
    assert run.channel == run.asker
    assert (await service.ask()).body["thread"] is None


@pytest.mark.parametrize("wrong", ["", " ", "a b", "é", "x" * 65, "a\n", 5, "a/b", ["a"]])
async def test_other_characters_are_refused(service: Service, wrong: object) -> None:
    reply = await ask(service, wrong)
    assert (reply.status, reply.body["code"]) == (422, "invalid")
    assert reply.body["errors"][0]["pointer"] == "#/thread"


async def test_thread_has_one_run_at_work(idle: Service) -> None:
    """A thread's second question waits for the first; another thread's does not."""
    async with held(idle) as critic:
        await idle.start()
        first = await ask(idle, "t-1", Prefer="wait=0")
        await critic.reached.wait()
        other = await idle.another(idle.workspace)
        shown = {"Authorization": f"Bearer {other}"}
        second = await ask(idle, "t-1", "And for contractors?", Prefer="wait=0")
        theirs = await ask(idle, "t-1", Prefer="wait=0", **shown)
        await idle.until(theirs.body["run_id"], "running")
        await idle.until(second.body["run_id"], "waiting")
        pending = await idle.look(second.body["run_id"])
        assert (pending.status, pending.body["status"]) == (202, "queued")
    for each in (first, second, theirs):
        await idle.until(each.body["run_id"], "finished")


async def test_threads_are_per_token(service: Service) -> None:
    """The same id with another token names another thread."""
    other = await service.another(service.workspace)
    mine = await ask(service, "t-1")
    theirs = await ask(service, "t-1", Authorization=f"Bearer {other}")
    runs = [await service.runs.get(None, each.body["run_id"]) for each in (mine, theirs)]
    assert runs[0] is not None
    assert runs[1] is not None
    assert runs[0].thread == runs[1].thread
    assert runs[0].channel != runs[1].channel
    latest = await service.runs.latest_in_thread(runs[0].tenant, runs[0].channel, "t-1")
    assert latest is not None
    assert latest.id == runs[0].id


async def test_reply_stays_in_its_thread(service: Service) -> None:
    service.cast.researcher.results = [[]]
    asked = await ask(service, "t-1")
    assert asked.body["status"] == "needs_clarification"
    said = {"query": "the leave", "in_reply_to": asked.body["run_id"]}
    assert (await service.send("POST", service.place(), said)).body["thread"] == "t-1"
    other = await service.another(service.workspace)
    theirs = await service.send(
        "POST", service.place(), said, Authorization=f"Bearer {other}"
    )  # fmt: skip
    assert theirs.body["thread"] is None


async def test_key_in_another_thread_conflicts(service: Service) -> None:
    await ask(service, "t-1", Idempotency_Key="k-1")
    reply = await ask(service, "t-2", Idempotency_Key="k-1")
    assert (reply.status, reply.body["code"]) == (409, "key_reused")


async def test_follow_up_takes_up_its_thread(service: Service) -> None:
    """A question that does not stand alone is understood by its thread, and by no other."""
    await ask(service, "t-1", "How much annual leave does an employee have?")
    follow_up = "And for contractors?"
    mine = await ask(service, "t-1", follow_up)
    other = await service.another(service.workspace)
    theirs = await ask(service, "t-1", follow_up, Authorization=f"Bearer {other}")
    alone = await service.ask(follow_up)
    found = [
        await service.repository.run(service.workspace.id, each.body["run_id"])
        for each in (mine, theirs, alone)
    ]
    understood = [each.outcome.get("understood") if each else None for each in found]
    assert "leave" in (understood[0] or "")
    assert understood[1:] == [understood[2]] * 2
    assert "leave" not in (understood[2] or "")


async def test_documents_mode_asks_the_documents(service: Service) -> None:
    """Where every message asks the documents, thanks are no small talk; a key is of one mode."""
    said = {"query": "thanks!", "mode": "documents"}
    place, key = service.place(), "k-1"
    asked = await service.send("POST", place, said, Idempotency_Key=key)
    talked = await service.ask("thanks!")
    assert (asked.body["small_talk"], talked.body["small_talk"]) == (False, True)
    other = await service.send("POST", place, said | {"mode": "auto"}, Idempotency_Key=key)
    assert (other.status, other.body["code"]) == (409, "key_reused")
