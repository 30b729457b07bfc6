"""The settings as people read them: README's table and `.env.example`, made from the fields."""

import sys
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from bot.settings import Settings, variable

BEGIN: Final = "<!-- settings -->"
END: Final = "<!-- /settings -->"

SECTIONS: Final[dict[str, str]] = {
    "data_dir": "Where things are kept",
    "agents": "Who writes and audits",
    "embedder": "Vectors",
    "relevance_threshold": "When an answer passes",
    "slack_bot_token": "Slack",
    "teams_app_id": "Microsoft Teams",
    "public_url": "The server",
    "parser_processes": "The machine",
}
"""The heading that stands before a field."""

_SHOWN: Final = {
    "data_dir": "the user data folder of the platform",
    "database_url": "`masis.db` in the data folder",
}
"""Defaults that differ between machines, or are decided later."""


def default(field: str) -> str:
    """The default as people read it; empty when there is none."""
    value = Settings.model_fields[field].default
    if field in _SHOWN:
        return _SHOWN[field]
    if value is None or isinstance(value, SecretStr) or value == "":
        return ""
    return f"`{_written(value)}`"


def _written(value: object) -> str:
    """A value as it stands in the environment."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def table() -> str:
    """The Markdown table of all settings, as it stands in README between the markers."""
    rows = ["| Variable | Default | What it does |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        rows.append(f"| `{variable(name)}` | {default(name)} | {field.description} |")
    return "\n".join(rows)


def env_example() -> str:
    """The text of `.env.example`: every setting, switched off, at its default."""
    lines = [
        "# Settings of MASIS. Copy to `.env` and remove the `#` before what you want to change.",
        "# The environment wins over this file. Made by `python -m bot.settings_docs`.",
    ]
    for name, field in Settings.model_fields.items():
        if name in SECTIONS:
            lines += ["", f"# --- {SECTIONS[name]} ---"]
        value = "" if name in _SHOWN else default(name).strip("`")
        lines += ["", f"# {field.description}"]
        if name in _SHOWN:
            lines.append(f"# Default: {_SHOWN[name]}.")
        lines.append(f"#{variable(name)}={value}")
    return "\n".join(lines) + "\n"


def refreshed(page: str) -> str:
    """The page with the table between its markers made anew; a page without markers as it is."""
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    return f"{head}{begin}\n{table()}\n{end}{tail}" if begin and end else page


def write(folder: Path) -> None:
    """Bring `.env.example` and README's table in this folder up to date."""
    (folder / ".env.example").write_text(env_example(), encoding="utf-8")
    readme = folder / "README.md"
    if readme.is_file():
        readme.write_text(refreshed(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
