"""Every sentence about codes and lists of them that people see in Slack."""

from typing import Final

from bot.slack.ids import COMMAND

NOTHING_TO_CLASSIFY: Final = (
    f"Say what it is that wants a code: `{COMMAND} classify` and a description behind it."
)
CODE_LISTS: Final = "Code lists"
ARE_CODE_LISTS: Final = "Each of these files is a list of codes"
CODE_LISTS_HINT: Final = (
    f"A table with a code and a title in each row, in which `{COMMAND} classify` finds codes. Most are "
    "recognised without this."
)
