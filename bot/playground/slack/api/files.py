"""`files.*`: what the app uploads, and what it may know of others' files."""

from bot.playground.slack.api.call import Call, Refused
from bot.playground.slack.api.chat import check, check_thread, echo, said, writable
from bot.playground.slack.entities import File, Json
from bot.slack import limits


def info(call: Call) -> Json:
    """`files.info`: of a file that the bot may see."""
    file = call.world.files.get(call.text("file"))
    if file is None or not may_see(call, file):
        raise Refused("file_not_found")
    if file.deleted:
        raise Refused("file_deleted")
    return {"file": file.json(full=True), "comments": []}


def may_see(call: Call, file: File) -> bool:
    """Say whether the bot owns a file, was given it in a form, or is in a channel with it."""
    shared = [call.world.channels[channel_id] for channel_id in file.channels]
    own = call.bot.id in {file.user_id, *file.given_to}
    return own or any(call.is_in(channel) for channel in shared)


def get_upload_url(call: Call) -> Json:
    """`files.getUploadURLExternal`."""
    length = int(call.args["length"])
    if not 0 < length <= limits.FILE_BYTES:
        raise Refused("file_upload_size_restricted")
    url = f"{call.hub.base_url}/files-pri/{{id}}/{call.text('filename')}"
    file = call.world.file(call.bot, call.text("filename"), b"", url)
    file.told_size = length
    return {"upload_url": f"{call.hub.base_url}/upload/v1/{file.id}", "file_id": file.id}


def complete_upload(call: Call) -> Json:
    """`files.completeUploadExternal`: the files become a message where a channel is named."""
    files = []
    for given in call.args["files"]:
        file = call.world.files.get(str(given.get("id"))) if isinstance(given, dict) else None
        if file is None or file.user_id != call.bot.id:
            raise Refused("file_not_found")
        file.title = str(given.get("title") or file.name)
        file.told_size = None
        files.append(file)
    if call.text("channel_id"):
        shown = Call(call.hub, {**call.args, "channel": call.text("channel_id")}, call.token)
        channel = writable(shown)
        check_thread(call, channel)
        given = {"text": call.text("initial_comment"), "blocks": call.args.get("blocks") or []}
        if any(given.values()):
            check(given)
        message = call.world.post(channel, said(call, given, files=files, subtype="file_share"))
        echo(call, channel, message)
    return {"files": [file.json(full=True) for file in files]}
