"""Putting a text file into a thread, in Slack's three steps."""

from typing import Final, NamedTuple

from bot.slack.client.calls import Calls, doubt
from bot.slack.client.lookups import word
from bot.slack.client.wire import FILE_HOSTS
from bot.slack.slack_errors import Garbled
from masis.conversation import Tenant

_FINE: Final = 200


class TextFile(NamedTuple):
    """A file to put into a thread; `comment` is the message that brings it."""

    name: str
    text: str
    comment: str = ""


async def put(calls: Calls, tenant: Tenant, channel: str, thread: str, file: TextFile) -> str:
    """Reserve a place, send the bytes there, and share the file; gives the file's id.

    Only the last step is seen by people, so that the first two may be repeated.

    Raises:
        Ambiguous: the file may be in the thread.
        SlackError: it is certainly not there.
    """
    client, content = calls.wire.client, file.text.encode()
    place = await calls.paced(
        tenant, client.files_getUploadURLExternal, filename=file.name, length=len(content)
    )
    url = calls.wire.trusted(word(place, "upload_url"), FILE_HOSTS)
    if url is None:
        raise Garbled("Slack named an upload address that is not its own.")

    async def send() -> None:
        # The address is the permission: no token goes along.
        reply = await calls.wire.send("a file upload", "POST", url, {"data": content})
        calls.wire.check("a file upload", reply.status, reply.headers)
        if reply.status != _FINE:
            raise Garbled(f"Slack took no file: status {reply.status}.")

    await calls.pacing.call(tenant, "a file upload", send, repeat=True)
    with doubt("A file"):
        await calls.paced(
            tenant,
            client.files_completeUploadExternal,
            repeat=False,
            files=[{"id": word(place, "file_id"), "title": file.name}],
            channel_id=channel,
            thread_ts=thread or None,
            initial_comment=file.comment or None,
        )
    return word(place, "file_id")
