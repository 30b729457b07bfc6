"""Takes README's picture of a thread: the bot answers in the local stand-in, a browser draws it.

Run it with `python -m tests.bench.thread_picture`; it wants `chromium` on the PATH.
"""

import asyncio
import html
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt

from bot.playground.people.people import Person
from bot.playground.slack.entities import Message
from tests.walks.office import Office, office

ROOT: Final = Path(__file__).parents[2]
PICTURE: Final = ROOT / "docs" / "slack-thread.png"
SAMPLE: Final = ROOT / "bot" / "playground" / "sample" / "docs"
DOCUMENTS: Final = (
    "sales/account-plan-northmoor-water.md",
    "minutes/2026-03-12-operations-meeting.md",
    "minutes/2026-04-16-operations-meeting.md",
)
ANSWERED: Final = "When does Northmoor's framework tender for dosing equipment open?"
ASKED_BACK: Final = "What is the approved service tooling budget for 2026?"
SIZE: Final = "900,1100"
MARK: Final = {"complete": "✓", "in_progress": "◔", "pending": "○", "error": "✗"}

STYLE: Final = """
body { margin: 0; font: 15px/1.46 "DejaVu Sans", sans-serif; color: #1d1c1d; background: #fff; }
main { padding: 20px 28px; }
.message { display: flex; gap: 12px; margin: 0 0 14px; }
.thread { margin-left: 30px; border-left: 3px solid #e8e8e8; padding-left: 18px; }
.face { width: 36px; height: 36px; border-radius: 8px; background: #1f3a4d; color: #fff; flex: none;
        display: flex; align-items: center; justify-content: center; font-weight: bold; }
.who { font-weight: bold; } .app { font-size: 10px; background: #e8e8e8; padding: 1px 4px;
        border-radius: 3px; color: #616061; margin-left: 6px; vertical-align: 2px; }
.context { font-size: 13px; color: #616061; margin: 4px 0; }
.section { display: flex; justify-content: space-between; align-items: flex-start; margin: 5px 0; }
.buttons { margin: 8px 0; display: flex; gap: 8px; flex-wrap: wrap; }
button { font: bold 13px "DejaVu Sans", sans-serif; background: #fff; color: #1d1c1d;
         border: 1px solid #bbb; border-radius: 7px; padding: 5px 11px; white-space: nowrap; }
button.primary { background: #007a5a; color: #fff; border-color: #007a5a; }
.plan { border: 1px solid #ddd; border-radius: 9px; padding: 8px 14px; margin: 5px 0; }
.plan b { display: block; } .plan span { color: #007a5a; font-weight: bold; margin-right: 6px; }
p { margin: 3px 0; } .mention { background: #e8f5fa; color: #1264a3; padding: 0 2px; }
"""


def main() -> None:
    """Ask, draw, and photograph."""
    page = asyncio.run(_asked())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "thread.html"
        file.write_text(page, encoding="utf-8")
        browser = shutil.which("chromium")
        if browser is None:
            raise SystemExit("chromium is not on the PATH")
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        command += ["--disable-background-networking", f"--user-data-dir={folder}/profile"]
        command += [f"--window-size={SIZE}", f"--screenshot={PICTURE}", file.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)  # noqa: S603 - fixed words
    print(PICTURE.relative_to(ROOT))


async def _asked() -> str:
    documents = {name: (SAMPLE / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    with tempfile.TemporaryDirectory() as folder:
        async with office(Path(folder), documents=documents, model=False) as here:
            for question, sign in ((ANSWERED, "High"), (ASKED_BACK, "sources disagree")):
                await here.types(here.alice, question)
                await here.sees(here.alice, sign)
            await here.settled()
            return _page(here, here.alice)


def _page(here: Office, viewer: Person) -> str:
    drawn = [_drawn(here, message) for message in viewer.sees(here.channel) if not message.only_for]
    style, shown = STYLE, "".join(drawn)
    return f'<meta charset="utf-8"><style>{style}</style><main>{shown}</main>'


def _drawn(here: Office, message: Message) -> str:
    place = "message thread" if message.is_reply else "message"
    shown = "".join(_block(here, block) for block in message.blocks)
    face = '<div class="face">M</div>'
    who = '<div class="who">MASIS<span class="app">APP</span></div>'
    return f'<div class="{place}">{face}<div style="flex:1">{who}{shown}</div></div>'


def _block(here: Office, block: dict[str, Any]) -> str:
    kind, shown = block["type"], ""
    if kind == "markdown":
        shown = str(MarkdownIt().render(html.unescape(block["text"])))
    elif kind == "section":
        beside = _button(block["accessory"]) if "accessory" in block else ""
        shown = f'<div class="section"><div>{_text(here, block["text"])}</div>{beside}</div>'
    elif kind == "context":
        inside = " ".join(_text(here, element) for element in block["elements"])
        shown = f'<div class="context">{inside}</div>'
    elif kind == "plan":
        tasks = "".join(
            f"<div><span>{MARK[task['status']]}</span>{html.escape(task['title'])}</div>"
            for task in block["tasks"]
        )
        shown = f'<div class="plan"><b>{html.escape(block["title"])}</b>{tasks}</div>'
    elif kind == "context_actions":
        shown = '<div class="buttons"><button>👍</button><button>👎</button></div>'
    elif kind == "actions":
        shown = f'<div class="buttons">{_buttons(block["elements"])}</div>'
    return shown


def _buttons(elements: Iterable[dict[str, Any]]) -> str:
    return "".join(_button(element) for element in elements)


def _button(element: dict[str, Any]) -> str:
    return f'<button class="{element.get("style", "")}">{html.escape(element["text"]["text"])}</button>'


def _text(here: Office, text: dict[str, Any]) -> str:
    """Slack's own markup of a text, as far as the bot uses it."""
    told = re.sub(r"<@(\w+)>", lambda found: _mention(here, found[1]), str(text["text"]))
    told = re.sub(r"\*([^*\n]+)\*", r"<b>\1</b>", told)
    return told.replace("\n", "<br>")


def _mention(here: Office, user: str) -> str:
    return f'<span class="mention">@{here.slack.world.users[user].shown}</span>'


if __name__ == "__main__":
    main()
