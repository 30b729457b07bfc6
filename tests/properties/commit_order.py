"""In which order links changed and outcomes were begun, as the database itself committed it.

An outcome comes after a change of its channel's link where the note that it is about to be posted was
committed after it. When its post arrives says nothing: it may have been on its way, or tried again.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

# Its `of_team` is no `team`: what counts or looks for a team's rows means those of the product.
_KEPT: Final = """
CREATE TABLE commit_order (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    of_team TEXT, channel TEXT, workspace_id TEXT, run_id TEXT, direct INTEGER
);
INSERT INTO commit_order (of_team, channel, workspace_id) SELECT team, channel, workspace_id FROM links;
CREATE TRIGGER link_made AFTER INSERT ON links BEGIN
    INSERT INTO commit_order (of_team, channel, workspace_id) VALUES
        (NEW.team, NEW.channel, iif(NEW.suspended = '', NEW.workspace_id, ''));
END;
CREATE TRIGGER link_changed AFTER UPDATE ON links BEGIN
    INSERT INTO commit_order (of_team, channel, workspace_id) VALUES
        (NEW.team, NEW.channel, iif(NEW.suspended = '', NEW.workspace_id, ''));
END;
CREATE TRIGGER link_gone AFTER DELETE ON links BEGIN
    INSERT INTO commit_order (of_team, channel, workspace_id) VALUES (OLD.team, OLD.channel, '');
END;
CREATE TRIGGER outcome_begun AFTER INSERT ON outbox
WHEN NEW.kind IN ('answer', 'clarification') AND NEW.part = 0 BEGIN
    INSERT INTO commit_order (of_team, channel, workspace_id, run_id, direct)
        SELECT team, channel, workspace_id, id, direct FROM chat_runs WHERE id = NEW.run_id;
END;
"""


@dataclass
class Begun:
    """An outcome of a workspace's documents that began, and what could be asked there then."""

    run_id: str
    workspace_id: str
    asked_there: set[str] = field(default_factory=set)


def keep_order(database: Path) -> None:
    """Have the database write the order down from now on."""
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(_KEPT)


def begun_outcomes(database: Path) -> Iterator[Begun]:
    """Return what began, beside the links as they stood then.

    In a channel its own link counts; who asks alone may ask what any channel of the team does.
    """
    links: dict[tuple[str, str], str] = {}
    with closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        for row in connection.execute("SELECT * FROM commit_order ORDER BY number"):
            place = row["of_team"], row["channel"]
            if row["run_id"] is None:
                links[place] = row["workspace_id"]
                continue
            theirs = {asked for (team, _), asked in links.items() if team == row["of_team"]}
            there = theirs if row["direct"] else {links.get(place, "")}
            yield Begun(row["run_id"], row["workspace_id"], there)
