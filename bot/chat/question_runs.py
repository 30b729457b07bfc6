"""Make the run of a message out of what went before it in its thread."""

from bot.results import outcome_of
from masis.conversation import ChatRun, Session
from masis.domain import Answered, NeedsClarification, Question
from masis.ports import Repository
from masis.questions.replies import answering, asks_anew, is_wrong


def following(run: ChatRun, earlier: ChatRun | None) -> ChatRun:
    """A question in a thread where another one was asked of the same workspace goes on from that."""
    if earlier is None or earlier.workspace_id != run.workspace_id or earlier.id == run.id:
        return run
    change = {"kind": "follow_up", "earlier": earlier.question, "parent_run_id": earlier.id}
    return run.model_copy(update=change)


def replying(run: ChatRun, session: Session, replied: ChatRun | None, reply: str) -> ChatRun:
    """The first question once more, with the reply to what was asked back, where there is one."""
    text = replied.asked.text if replied and replied.query else session.question
    question = Question(text=text, standalone=session.question)
    if reply:
        offered = [each for each in session.suggestions if each.endswith("?")]
        question = answering(text, session.question, session.kind, reply, questions=offered)
    return run.model_copy(
        update={
            "kind": "reply",
            "question": question.text,
            "query": question.standalone,
            "earlier": replied.earlier if replied else "",
            "reply": question.reply,
            "thread": session.thread,
            "parent_run_id": session.run_id,
            "session_id": session.id,
        }
    )


def going_on(run: ChatRun, session: Session, replied: ChatRun | None) -> ChatRun:
    """A question of its own where a reply was waited for; nothing is waited for any more."""
    return run.model_copy(
        update={
            "kind": "follow_up",
            "earlier": replied.question if replied else "",
            "thread": session.thread,
            "parent_run_id": session.run_id,
            "session_id": session.id,
        }
    )


def widening(run: ChatRun, earlier: ChatRun, session: Session | None) -> ChatRun:
    """The same question once more, with the net that a retry casts."""
    return run.model_copy(
        update={
            "kind": "wider",
            "wider": True,
            "question": earlier.question,
            "query": earlier.query,
            "earlier": earlier.earlier,
            "files": earlier.files,
            "thread": earlier.thread,
            "direct": earlier.direct,
            "parent_run_id": earlier.id,
            "session_id": None if session is None else session.id,
        }
    )


async def is_own_question(repository: Repository, session: Session, text: str) -> bool:
    """Say whether what is written under a question back is a question of its own."""
    kept = await repository.run(session.workspace_id, session.run_id)
    outcome = outcome_of(kept) if kept and not kept.blanked else None
    return isinstance(outcome, NeedsClarification) and asks_anew(text.strip(), outcome)


async def turns_code_down(repository: Repository, earlier: ChatRun | None, text: str) -> bool:
    """Say whether a message says of the code that its thread was given that it is not it.

    Another one is looked for then: of any other answer that is small talk.
    """
    if earlier is None or not is_wrong(text):
        return False
    kept = await repository.run(earlier.workspace_id, earlier.id)
    outcome = outcome_of(kept) if kept and not kept.blanked else None
    return isinstance(outcome, Answered) and outcome.code is not None
