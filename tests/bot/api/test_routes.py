"""What clients of the API see, over real HTTP on the real engine."""

import asyncio
import datetime as dt
import logging
import sqlite3
import uuid
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bot.chat.handler import GAVE_UP
from bot.results import Result
from masis.conversation import LOCAL_TENANT, ChatRun, Tenant
from masis.domain import Answered
from masis.policy import RUN_ATTEMPTS
from masis.spending import Budget, Charge, Payer
from storage.models.ledger import SqlLedger
from storage.sql.tables import chat_runs, runs, sessions
from tests.bot.api.service import QUESTION, Reply, Service, held, put_in
from tests.scripted_agents import chunk, chunk_id, critique

SLACK = Tenant(team="T1")


async def rows(service: Service, table: object = chat_runs) -> int:
    async with service.database.read() as connection:
        count = select(func.count()).select_from(table)  # type: ignore[arg-type] # a table
        return await connection.scalar(count) or 0


def problem(reply: Reply, status: int, code: str) -> dict[str, object]:
    """Check that the reply is this problem; gives its body."""
    assert (reply.status, reply.body["status"], reply.body["code"]) == (status, status, code)
    assert reply.headers["Content-Type"].startswith("application/problem+json")
    assert reply.body["type"] == "about:blank"
    assert reply.body["detail"]
    body: dict[str, object] = reply.body
    return body


# --- asking --------------------------------------------------------------------------------


async def test_answer_has_command_line_fields(service: Service) -> None:
    """A question is answered with the fields of the command line."""
    reply = await service.ask()
    assert reply.status == 200
    assert set(reply.body) == set(Result.model_fields)
    assert reply.body["status"] == "success"
    assert reply.body["answer"] == "Office number 0 opens at nine in the morning [1]."
    assert (reply.body["badge"], reply.body["confidence"]) == ("High", 0.9)
    assert reply.body["citations"][0]["document"] == "paper-0.md"
    assert reply.body["requires_human_review"] is False
    assert reply.body["error"] is None
    assert reply.body["trace"][0]["node"] == "router"
    assert reply.body["metrics"]["model_calls"] == 3
    assert reply.headers["Content-Location"] == f"/masis/runs/{reply.body['run_id']}"
    assert reply.headers["Cache-Control"] == "no-store"
    again = await service.look(reply.body["run_id"])
    assert (again.status, again.body) == (200, reply.body)


async def test_descriptions_are_classified_where_asked(service: Service) -> None:
    """With `classify` any words are taken for what wants a code, and a key stands for that too."""
    asking = {"query": QUESTION, "classify": True}
    reply = await service.send("POST", service.place(), asking, Idempotency_Key="k1")
    assert (reply.status, reply.body["clarification_kind"]) == (200, "no_code")
    assert reply.body["trace"][0]["node"] == "expander"
    problem(await service.ask(Idempotency_Key="k1"), 409, "key_reused")


async def test_result_equals_the_assistants(service: Service) -> None:
    """It is the result that the assistant gives."""
    reply = await service.ask()
    kept = await service.repository.run(service.workspace.id, reply.body["run_id"])
    assert kept is not None
    outcome = Answered.model_validate(kept.outcome)
    told = Result.of(outcome, kept.status, kept.trace, kept.figures)
    assert reply.body == told.model_dump(mode="json")


async def test_client_without_wait_polls_result(idle: Service) -> None:
    """Who does not wait finds the result later."""
    async with held(idle) as critic:
        await idle.start()
        reply = await idle.ask(Prefer="respond-async")
        assert reply.status == 202
        assert reply.headers["Preference-Applied"] == "respond-async"
        assert reply.headers["Retry-After"] == "2"
        place = reply.headers["Location"]
        assert place == f"/masis/runs/{reply.body['run_id']}"
        await critic.reached.wait()
        going = await idle.send("GET", place)
        assert (going.status, going.body["status"]) == (202, "running")
        assert going.headers["Location"] == place
    ended = await idle.send("GET", place, Prefer="wait=10")
    assert (ended.status, ended.body["status"]) == (200, "success")
    assert ended.headers["Preference-Applied"] == "wait=10"


async def test_expired_wait_is_no_error(idle: Service) -> None:
    """A wait that is over is no error."""
    async with held(idle):
        await idle.start()
        reply = await idle.ask(Prefer="wait=0")
        assert (reply.status, reply.headers["Preference-Applied"]) == (202, "wait=0")


async def test_clarification_is_a_final_result(service: Service) -> None:
    """What is asked back is a result that nothing waits for."""
    service.cast.researcher.results = [[]]
    for _ in range(2):
        reply = await service.ask()
        assert (reply.status, reply.body["status"]) == (200, "needs_clarification")
        assert reply.body["requires_human_review"] is True
        assert reply.body["clarification_question"]
        assert reply.body["citations"] == []
    assert await rows(service, sessions) == 0


async def test_reply_continues_its_runs_question(service: Service) -> None:
    """A reply takes up the question of its run."""
    other = chunk(1, text="Office number 0 opens at ten in the morning.")
    first, second = (
        service.cast.researcher.results[0][0],
        await put_in(service.repository, service.workspace, other),
    )
    service.cast.researcher.results = [[first, second]]
    disagree = f"nine [{chunk_id(0)}] against ten [{chunk_id(1)}]"
    service.cast.critic.critiques = [critique(0.9, conflicting_evidence=[disagree]), critique(0.9)]
    back = await service.send("POST", service.place(), {"query": QUESTION, "max_retries": 0})
    assert [said["document"] for said in back.body["statements"]] == ["paper-0.md", "paper-1.md"]
    said = {"query": "the first one", "in_reply_to": back.body["run_id"], "max_retries": 0}
    ended = await service.send("POST", service.place(), said)
    assert ended.body["status"] == "success"
    assert (ended.body["question"], ended.body["reply"]) == (QUESTION, "the first one")
    seen = service.cast.synthesizer.asked[-1][0]
    assert [each.document for each in seen] == ["paper-0.md"]


async def test_reply_without_clarification_is_refused(service: Service) -> None:
    """A reply to what did not ask is refused."""
    ended = await service.ask()
    said = {"query": "both", "in_reply_to": ended.body["run_id"]}
    reply = await service.send("POST", service.place(), said)
    assert (reply.status, reply.body["code"]) == (409, "not_asked_back")
    said["in_reply_to"] = "run-of-nobody"
    reply = await service.send("POST", service.place(), said)
    assert (reply.status, reply.body["code"]) == (404, "not_found")


async def test_client_chooses_max_retries(service: Service) -> None:
    """Max retries are the clients to choose."""
    service.cast.researcher.results = [[]]
    body = {"query": QUESTION, "max_retries": 0}
    reply = await service.send("POST", service.place(), body)
    run = await service.runs.get(None, reply.body["run_id"])
    assert run is not None
    assert run.max_retries == 0


async def test_chat_runs_reach_the_chat(service: Service) -> None:
    """Runs of a chat go on to the chat."""
    place = await service.repository.create_workspace(SLACK.owner, "acme")
    run = ChatRun(
        id="r1", tenant=SLACK, channel="C1", asker="U1", question="?", query="?",
        workspace_id=place.id,
    )  # fmt: skip
    await service.engine.accept(run)
    await service.until("r1", "finished")
    assert [each.id for each in service.chats] == ["r1"]


# --- the same once more --------------------------------------------------------------------


async def test_same_key_returns_same_run(service: Service) -> None:
    """The same key is the same run."""
    replies = await asyncio.gather(*(service.ask(Idempotency_Key="k-1") for _ in range(4)))
    assert {reply.status for reply in replies} == {200}
    assert len({reply.body["run_id"] for reply in replies}) == 1
    assert await rows(service) == await rows(service, runs) == 1
    assert len(service.cast.critic.asked) == 1


async def test_reused_key_conflicts(service: Service) -> None:
    """A key that stands for another question is a conflict."""
    await service.ask(Idempotency_Key="k-1")
    problem(await service.ask("Another one?", Idempotency_Key="k-1"), 409, "key_reused")
    assert await rows(service) == 1


async def test_idempotency_keys_are_per_token(service: Service) -> None:
    """Another token has keys of its own."""
    other = await service.another(service.workspace)
    first = await service.ask(Idempotency_Key="k-1")
    second = await service.ask(Idempotency_Key="k-1", Authorization=f"Bearer {other}")
    assert first.body["run_id"] != second.body["run_id"]
    assert (await service.look(first.body["run_id"], Authorization=f"Bearer {other}")).status == 200


async def test_invalid_idempotency_key_is_refused(service: Service) -> None:
    """What cannot be a key is refused."""
    for key in ("", "with blanks ", "é", "x" * 256):
        problem(await service.ask(Idempotency_Key=key), 400, "malformed")
    assert await rows(service) == 0


# --- who may -------------------------------------------------------------------------------


async def test_missing_valid_token_is_refused(service: Service) -> None:
    """Without a token that works nobody is let in."""
    run_id = (await service.ask()).body["run_id"]
    for shown in ("", "nonsense", service.token[:-1] + "!", service.token[:-2]):
        for method, path in (("POST", service.place()), ("GET", f"/masis/runs/{run_id}")):
            reply = await service.send(method, path, {"query": "?"}, token=shown)
            problem(reply, 401, "unauthenticated")
            assert reply.headers["WWW-Authenticate"].startswith('Bearer realm="masis"')
    basic = await service.ask(Authorization=f"Basic {service.token}")
    problem(basic, 401, "unauthenticated")
    assert await rows(service) == 1


async def test_expired_token_is_refused(service: Service) -> None:
    """An expired token is as good as none."""
    lifetime = dt.timedelta(seconds=-1)
    place = service.workspace.id
    _, shown = await service.tokens.create(LOCAL_TENANT, place, lifetime=lifetime)
    reply = await service.ask(Authorization=f"Bearer {shown.get_secret_value()}")
    problem(reply, 401, "unauthenticated")
    assert "invalid_token" in reply.headers["WWW-Authenticate"]


async def test_foreign_workspace_looks_missing(service: Service) -> None:
    """A foreign workspace is not found like a missing one."""
    foreign = await service.repository.create_workspace("local", "payroll")
    theirs = await service.repository.create_workspace(SLACK.owner, "acme")
    bodies = [
        problem(await service.send("POST", path, {"query": "?"}), 404, "not_found")
        for path in (
            service.place(foreign),
            service.place(theirs),
            "/masis/workspaces/w_nosuch",
            "/masis/workspaces/handbook",
        )
    ]
    assert all(body == bodies[0] for body in bodies)
    assert await rows(service) == 0


async def test_only_workspace_tokens_see_a_run(service: Service) -> None:
    """A run is found by its workspaces tokens alone."""
    run_id = (await service.ask()).body["run_id"]
    payroll = await service.repository.create_workspace("local", "payroll")
    theirs = await service.repository.create_workspace(SLACK.owner, "acme")
    for other in (await service.another(payroll), await service.another(theirs, SLACK)):
        problem(await service.look(run_id, Authorization=f"Bearer {other}"), 404, "not_found")
    for wrong in (str(uuid.uuid4()), "nosuch", "%00", "x" * 500):
        problem(await service.look(wrong), 404, "not_found")


async def test_chat_run_is_not_found(service: Service) -> None:
    """What was asked in a chat is not found."""
    theirs = await service.repository.create_workspace(SLACK.owner, "acme")
    token = await service.another(theirs, SLACK)
    run = ChatRun(
        id="r1", tenant=SLACK, channel="C1", asker="U1", question="?", query="?",
        workspace_id=theirs.id,
    )  # fmt: skip
    await service.engine.accept(run)
    problem(await service.look("r1", Authorization=f"Bearer {token}"), 404, "not_found")


async def test_team_token_uses_team_workspace(service: Service) -> None:
    """A teams token asks the teams workspace."""
    theirs = await service.repository.create_workspace(SLACK.owner, "acme")
    token = await service.another(theirs, SLACK)
    path = service.place(theirs)
    reply = await service.send("POST", path, {"query": QUESTION}, token=token)
    assert reply.status == 200
    run = await service.runs.get(SLACK, reply.body["run_id"])
    assert run is not None
    assert run.workspace_id == theirs.id


async def test_token_revoked_meanwhile_refuses_question(idle: Service) -> None:
    """A question of a token that is revoked meanwhile is refused."""
    await idle.start(working=False)
    other = await idle.another(idle.workspace)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    token = await idle.tokens.of(idle.token)
    assert token is not None
    await idle.tokens.revoke(token.tenant, token.id)
    await idle.stop()
    await idle.start()
    problem(await idle.look(run_id), 401, "unauthenticated")
    reply = await idle.look(run_id, Prefer="wait=10", Authorization=f"Bearer {other}")
    assert (reply.status, reply.body["status"]) == (200, "refused")
    assert "revoked" in reply.body["error"]
    assert idle.cast.researcher.asked == []


# --- how it ends otherwise -----------------------------------------------------------------


async def test_quotas_are_those_of_every_surface(idle: Service) -> None:
    async with held(idle):
        await idle.start()
        taken = [await idle.ask(f"Question {n}?", Prefer="wait=0") for n in range(2)]
        assert [reply.status for reply in taken] == [202, 202]
        reply = await idle.ask("One more?", Idempotency_Key="k-1")
        assert problem(reply, 429, "over_quota")["detail"] == (
            "2 of your questions are still being worked on. Ask again when one of them is done."
        )
        assert int(reply.headers["Retry-After"]) > 0
        other = await idle.another(idle.workspace)
        else_ = await idle.ask("?", Prefer="wait=0", Authorization=f"Bearer {other}")
        assert else_.status == 202
    for each in taken:
        await idle.until(each.body["run_id"], "finished")
    assert (await idle.ask("One more?", Idempotency_Key="k-1")).status == 200


async def test_spent_budget_defers_to_tomorrow(idle: Service) -> None:
    """A spent budget says to come back tomorrow."""
    charge = Charge(
        id="c1",
        payer=Payer(workspace_id=idle.workspace.id),
        role="writer",
        model="m",
        prompt_tokens=1000,
        completion_tokens=0,
        cost=None,
        at=dt.datetime.now(dt.UTC),
    )
    await SqlLedger(idle.database).write([charge])
    await idle.start(budget=Budget(tokens=1000))
    reply = await idle.ask()
    assert "used up its 1,000 tokens" in str(problem(reply, 429, "over_quota")["detail"])
    assert 0 < int(reply.headers["Retry-After"]) <= 24 * 3600
    assert idle.cast.researcher.asked == []


async def test_stopped_question_has_no_answer(idle: Service) -> None:
    """A question that somebody stopped has no answer."""
    async with held(idle) as critic:
        await idle.start()
        run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
        await critic.reached.wait()
        assert await idle.engine.cancel(run_id, "operator")
        reply = await idle.look(run_id, Prefer="wait=10")
    assert (reply.status, reply.body["status"]) == (200, "cancelled")
    assert reply.body["answer"] is None
    assert reply.body["run_id"] == run_id


async def test_failure_is_in_the_result(service: Service) -> None:
    """What fails says so in its result."""
    service.cast.researcher.results = []  # no planned error
    reply = await service.ask()
    assert (reply.status, reply.body["status"]) == (200, "failed")
    assert reply.body["run_id"] in reply.body["error"]


async def test_repeatedly_broken_run_ends_in_apology(idle: Service) -> None:
    """A run that broke off too often ends in an apology."""
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
    await idle.runs.mark(run_id, "queued", attempt=RUN_ATTEMPTS)
    await idle.stop()
    await idle.start()
    reply = await idle.look(run_id, Prefer="wait=10")
    assert (reply.body["status"], reply.body["error"]) == ("failed", GAVE_UP.format(run=run_id))
    assert idle.cast.researcher.asked == []


# --- crashes -------------------------------------------------------------------------------


async def test_accepted_question_survives_a_crash(idle: Service) -> None:
    """What was accepted before a crash is answered after it."""
    await idle.start(working=False)
    run_id = (await idle.ask(Prefer="wait=0", Idempotency_Key="k-1")).body["run_id"]
    await idle.stop()
    await idle.start()
    again = await idle.ask(Idempotency_Key="k-1", Prefer="wait=10")
    assert (again.status, again.body["run_id"], again.body["status"]) == (200, run_id, "success")
    assert (await rows(idle), await rows(idle, runs)) == (1, 1)


async def test_crash_keeps_finished_steps(idle: Service) -> None:
    """A crash in the middle costs no finished step."""
    async with held(idle) as critic:
        await idle.start()
        run_id = (await idle.ask(Prefer="wait=0")).body["run_id"]
        await critic.reached.wait()
        await idle.stop()
    await idle.start()
    reply = await idle.look(run_id, Prefer="wait=10")
    assert (reply.status, reply.body["status"]) == (200, "success")
    assert len(idle.cast.synthesizer.asked) == 1
    assert await rows(idle, runs) == 1


async def test_deleting_document_deletes_answer_texts(service: Service) -> None:
    """A deleted document takes the answers texts along."""
    run_id = (await service.ask()).body["run_id"]
    document = await service.repository.document(service.workspace.id, "paper-0.md")
    assert document is not None
    await service.repository.delete_document(service.workspace.id, document.id)
    reply = await service.look(run_id)
    assert (reply.status, reply.body["status"], reply.body["answer"]) == (200, "success", "")
    assert "nine in the morning" not in str(reply.body)
    assert "was deleted" in reply.body["error"]


async def test_locked_database_stores_nothing(idle: Service, folder: Path) -> None:
    """A locked database is said and nothing is stored."""
    await idle.start(working=False, accept_seconds=0.1)
    await idle.look("nosuch")  # the token's use is noted by now
    other = sqlite3.connect(folder / "masis.db", isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        reply = await idle.ask()
    finally:
        other.close()
    problem(reply, 503, "unavailable")
    assert reply.headers["Retry-After"] == "5"
    assert str(folder) not in str(reply.body)
    assert await rows(idle) == 0


# --- what is no request --------------------------------------------------------------------


async def test_wrong_method_or_path_is_problem(service: Service) -> None:
    """Other methods and places are problems too."""
    wrong = await service.send("GET", service.place())
    problem(wrong, 405, "method_not_allowed")
    assert wrong.headers["Allow"] == "POST"
    assert (await service.send("DELETE", "/masis/runs/x")).headers["Allow"] == "GET"
    problem(await service.send("GET", "/masis/nothing/here"), 404, "not_found")


async def test_questions_and_tokens_are_not_logged(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither question nor token nor answer is logged."""
    caplog.set_level(logging.DEBUG)
    canary = "what-is-the-salary-of-the-chief"
    answered = await service.ask(f"{QUESTION} {canary}", Idempotency_Key=f"{canary}-key")
    await service.send("POST", service.place(), {"query": QUESTION, canary: canary})
    await service.send("POST", service.place(), f'{{"query": "{canary}'.encode())
    await service.ask(canary, Authorization=f"Bearer {canary}")
    await service.look(canary)
    assert answered.status == 200
    assert canary not in caplog.text
    assert service.token not in caplog.text
    assert "nine in the morning" not in caplog.text
    assert "Traceback" not in caplog.text
