"""The tables of MASIS's database. `migrations/` builds them; a test keeps the two alike."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from storage.secrets import EncryptedText
from storage.sql.column_kinds import (
    UtcDateTime,
    chat_run_key,
    tenant_columns,
    tenant_key,
    version_column,
    workspace_column,
    workspace_key,
)
from storage.sql.column_kinds import metadata as metadata  # noqa: PLC0414 - what all are part of

workspaces = Table(
    "workspaces",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("owner", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("embedding_profile", String(200)),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("owner", "name"),
)
"""A body of documents: its owner (the command line, a team or an organisation) and its embedder."""

documents = Table(
    "documents",
    metadata,
    Column("id", String(64), primary_key=True),
    workspace_column(),
    Column("name", Text, nullable=False),
    UniqueConstraint("workspace_id", "name"),
)
"""A document of a workspace, by its name."""

versions = Table(
    "versions",
    metadata,
    Column("id", String(64), primary_key=True),
    workspace_column(),
    Column(
        "document_id",
        String(64),
        ForeignKey("documents.id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("number", Integer, nullable=False),
    # writing: invisible yet; active: the one people see; retired: replaced, to be removed.
    Column("state", String(10), nullable=False),
    Column("content_hash", String(128), nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("format", String(10)),
    Column("title", Text),
    Column("date", Date),
    Column("chunks", Integer, nullable=False),
    Column("begun_at", UtcDateTime, nullable=False),
    Column("ingested_at", UtcDateTime),
    # The folder that a sync had these bytes from, and what its file looked like; null otherwise.
    Column("source", Text),
    Column("stamp", Text),
    # Free fields: those of the document's own metadata, and those that it was given; null for none.
    Column("fields", JSON),
    Column("given_fields", JSON),
    # The version of the reader that read it; null for what was read before there were any.
    Column("parser", Integer),
    # Where the date stands: in the text, in the title or the name, or in what the file says of itself.
    Column("date_source", String(10)),
    UniqueConstraint("document_id", "number"),
    Index(None, "workspace_id", "state"),
    # The database itself refuses a second visible version of one document.
    Index(
        "uq_versions_active",
        "document_id",
        unique=True,
        sqlite_where=text("state = 'active'"),
        postgresql_where=text("state = 'active'"),
    ),
)
"""Each time that a document's bytes were put in; one of them is visible at a time."""

removed_versions = Table(
    "removed_versions",
    metadata,
    Column("id", String(64), primary_key=True),
    workspace_column(),
    Column("document_id", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Index(None, "workspace_id"),
    Index(None, "document_id"),
)
"""Ids of deleted documents' versions, until their vectors are gone: they stay hidden, and their
numbers are not given again, so that a late removal cannot hit a new version."""

chunks = Table(
    "chunks",
    metadata,
    workspace_key(),
    Column("id", String(64), primary_key=True),
    version_column(),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("place", JSON, nullable=False),
    UniqueConstraint("version_id", "position"),
)
"""The passages of a version, each with its text, its title and headings, and its place."""

version_terms = Table(
    # Ordered by term first: a question asks for few terms over all versions of a workspace.
    "version_terms",
    metadata,
    workspace_key(),
    Column("term", BigInteger, primary_key=True, autoincrement=False),
    version_column(is_key=True),
    Column("chunks", Integer, nullable=False),
    Index(None, "version_id"),
    sqlite_with_rowid=False,
)
"""In how many passages of a version a term stands."""

version_words = Table(
    "version_words",
    metadata,
    workspace_column(),
    version_column(is_key=True),
    Column("words", JSON, nullable=False),
    Index(None, "workspace_id"),
)
"""The words of a version as they are written, and in how many of its passages each stands."""

whole_tables = Table(
    "whole_tables",
    metadata,
    workspace_key(),
    Column("id", String(64), primary_key=True),
    version_column(),
    Column("position", Integer, nullable=False),
    Column("shape", JSON, nullable=False),
    Column("numbers", LargeBinary, nullable=False),
    Index(None, "version_id"),
)
"""A whole table of a version: what its columns are, and the numbers of its rows."""

whole_table_columns = Table(
    "whole_table_columns",
    metadata,
    Column("workspace_id", String(64), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("cells", LargeBinary, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "table_id"],
        ["whole_tables.workspace_id", "whole_tables.id"],
        ondelete="CASCADE",
    ),
)
"""The cells of a column, packed."""

synonyms = Table(
    "synonyms",
    metadata,
    workspace_column(),
    Column("id", String(64), primary_key=True),
    Column("phrases", JSON, nullable=False),
    Index(None, "workspace_id"),
)
"""Words and phrases of a workspace that mean the same, a group a row; its admins added them."""

suggested_questions = Table(
    "suggested_questions",
    metadata,
    workspace_key(),
    Column("documents", String(64), nullable=False),
    Column("questions", JSON, nullable=False),
)
"""Questions that a workspace answers, and the digest of the documents that they were tried on."""

runs = Table(
    "runs",
    metadata,
    workspace_key(),
    Column("run_id", String(64), primary_key=True),
    Column("graph", String(40), nullable=False),
    Column("parent_run_id", String(64)),
    Column("question", Text, nullable=False),
    Column("status", String(40), nullable=False),
    Column("outcome", JSON, nullable=False),
    Column("trace", JSON, nullable=False),
    Column("figures", JSON, nullable=False),
    Column("blanked", Boolean, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
)
"""A finished run: its outcome and its trail; emptied and marked when what it quotes is deleted."""

run_evidence = Table(
    "run_evidence",
    metadata,
    Column("workspace_id", String(64), primary_key=True),
    Column("run_id", String(64), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("document_id", String(64), nullable=False),
    Column("evidence", JSON, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "run_id"], ["runs.workspace_id", "runs.run_id"], ondelete="CASCADE"
    ),
    Index(None, "workspace_id", "document_id"),
)
"""The cited passages as they were, so that a trail outlives a change of the document."""

attached_files = Table(
    "attached_files",
    metadata,
    workspace_key(),
    Column("run_id", String(64), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    # Null where it could not be read; then `reason` says why.
    Column("document", JSON),
    Column("version_id", String(64)),
    Column("reason", Text, nullable=False),
    Column("left_out", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "at"),
    Index(None, "run_id"),
)
"""A file that came with a run's question: gone when the run has ended."""

attached_chunks = Table(
    "attached_chunks",
    metadata,
    Column("workspace_id", String(64), primary_key=True),
    Column("run_id", String(64), primary_key=True),
    Column("file", Integer, primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("id", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("place", JSON, nullable=False),
    ForeignKeyConstraint(
        ["workspace_id", "run_id", "file"],
        ["attached_files.workspace_id", "attached_files.run_id", "attached_files.position"],
        ondelete="CASCADE",
    ),
    Index(None, "workspace_id", "id"),
)
"""The passages of a file that came with a question, which no other run finds."""


# --- conversations -------------------------------------------------------------------------

links = Table(
    "links",
    metadata,
    *tenant_key(),
    Column("channel", String(64), primary_key=True),
    workspace_column(),
    Column("linked_by", String(64), nullable=False),
    Column("linked_at", UtcDateTime, nullable=False),
    Column("external_allowed", Boolean, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("suspended", Text, nullable=False),
    Column("follow_ups", String(20), nullable=False, default="mine"),
    Column("mode", String(20), nullable=False, server_default=text("'auto'")),
    Index(None, "workspace_id"),
)
"""Which workspace a channel asks, by team and the channel's id."""

teams_places = Table(
    "teams_places",
    metadata,
    Column("id", String(64), primary_key=True),
    *tenant_columns(),
    Column("kind", String(20), nullable=False),
    Column("conversation", Text, nullable=False),
    Column("service_url", Text, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False),
    Index(None, "chat", "enterprise", "team"),
)
"""Where in Teams MASIS was spoken to. Its id stands in other tables as the channel's."""

direct_choices = Table(
    "direct_choices",
    metadata,
    *tenant_key(),
    Column("user", String(64), primary_key=True),
    workspace_column(),
    Index(None, "workspace_id"),
)
"""Which workspace a person asks in direct messages."""

team_settings = Table(
    "team_settings",
    metadata,
    *tenant_key(),
    Column("settings", JSON, nullable=False),
    Column("changed_at", UtcDateTime, nullable=False),
)
"""What a team's admins decided: managers, guests, external channels, quotas."""

admin_log = Table(
    "admin_log",
    metadata,
    Column("id", String(64), primary_key=True),
    *tenant_columns(),
    Column("actor", String(64), nullable=False),
    Column("action", String(40), nullable=False),
    Column("target", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("allowed", Boolean, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "enterprise", "team", "at"),
)
"""Who did what to a team's links, documents and settings, or was refused."""

claims = Table(
    "claims",
    metadata,
    *tenant_key(),
    Column("key", String(200), primary_key=True),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "at"),
)
"""What was taken on already: the same key is taken once."""

chat_jobs = Table(
    "chat_jobs",
    metadata,
    Column("id", String(64), primary_key=True),
    *tenant_columns(),
    Column("user", String(64), nullable=False),
    Column("work", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("due_at", UtcDateTime, nullable=False),
    Index(None, "chat", "due_at"),
    Index(None, "chat", "enterprise", "team"),
)
"""What a chat handed over, and what is to be told of it, until that is done."""

chat_runs = Table(
    "chat_runs",
    metadata,
    Column("id", String(64), primary_key=True),
    *tenant_columns(),
    # Who shows it: mostly the tenant's chat.
    Column("surface", String(20), nullable=False, default="slack"),
    Column("channel", String(64), nullable=False),
    Column("thread", String(64), nullable=False),
    Column("asker", String(64), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("graph", String(40), nullable=False),
    Column("question", Text, nullable=False),
    Column("query", Text, nullable=False),
    Column("earlier", Text, nullable=False, default=""),
    Column("reply", Text, nullable=False, default=""),
    # Ids and names of what came with it; the chat has the bytes.
    Column("files", JSON, nullable=False, default=list),
    # Other people's words: emptied when the request ends.
    Column("heard", JSON, nullable=False, default=list),
    workspace_column(),
    Column("max_retries", Integer),
    Column("wider", Boolean, nullable=False),
    Column("direct", Boolean, nullable=False),
    Column("mode", String(20), nullable=False, server_default=text("'auto'")),
    Column("parent_run_id", String(64)),
    Column("session_id", String(64)),
    Column("message", String(64), nullable=False),
    Column("status", String(20), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("cancelled_by", String(64), nullable=False),
    Column("accepted_at", UtcDateTime, nullable=False),
    # When the last attempt began.
    Column("begun_at", UtcDateTime),
    Column("finished_at", UtcDateTime),
    Index(None, "enterprise", "team", "channel", "thread"),
    Index(None, "enterprise", "team", "accepted_at"),
    Index(None, "enterprise", "team", "asker", "accepted_at"),
    Index(None, "workspace_id", "accepted_at"),
    Index(None, "finished_at"),
    Index(None, "status"),
)
"""A request as it was accepted, and where it stands."""

outbox = Table(
    "outbox",
    metadata,
    chat_run_key(),
    Column("kind", String(40), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("state", String(10), nullable=False),
    Column("channel", String(64), nullable=False),
    Column("thread", String(64), nullable=False),
    Column("message", String(64), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "channel", "message"),
)
"""One row a message of a run, written before it is sent."""

run_steps = Table(
    "run_steps",
    metadata,
    chat_run_key(),
    # What was told first stands first, over all attempts and processes.
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("name", String(64), nullable=False),
    # The pass.
    Column("number", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("title", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)
"""The steps of a run as they began and ended, for who follows it over HTTP; no text of a document."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),
    *tenant_columns(),
    Column("channel", String(64), nullable=False),
    Column("thread", String(64), nullable=False),
    Column("asker", String(64), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("run_id", String(64), nullable=False),
    workspace_column(),
    Column("question", Text, nullable=False),
    Column("clarification", Text, nullable=False),
    Column("suggestions", JSON, nullable=False),
    Column("message", String(64), nullable=False),
    Column("status", String(20), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("answered_by", String(64), nullable=False),
    Column("reply", Text, nullable=False, default=""),
    Column("next_run_id", String(64)),
    Index(None, "workspace_id"),
    Index(None, "run_id"),
    Index(None, "status", "expires_at"),
    # A thread waits for one reply at a time.
    Index(
        "uq_sessions_open",
        "chat",
        "enterprise",
        "team",
        "channel",
        "thread",
        unique=True,
        sqlite_where=text("status = 'open'"),
        postgresql_where=text("status = 'open'"),
    ),
)
"""A question back, and the one reply that it takes."""

votes = Table(
    "votes",
    metadata,
    *tenant_key(),
    Column("run_id", String(64), primary_key=True),
    Column("user", String(64), primary_key=True),
    workspace_column(),
    Column("good", Boolean, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "workspace_id"),
)
"""What somebody thought of an answer; the last vote of each person counts."""


# --- installations -------------------------------------------------------------------------

installations = Table(
    "installations",
    metadata,
    *tenant_key(),
    Column("app_id", String(64), nullable=False),
    Column("bot_id", String(64), nullable=False),
    Column("bot_user_id", String(64), nullable=False),
    Column("enterprise_name", Text, nullable=False),
    Column("team_name", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("installed_by", String(64), nullable=False),
    Column("installed_at", UtcDateTime, nullable=False),
    # Why the token is not to be used any more; the tokens are gone then.
    Column("disabled", Text, nullable=False),
    Column("bot_token", EncryptedText),
    Column("refresh_token", EncryptedText),
    Column("expires_at", UtcDateTime),
    # The key that both tokens are encrypted with; empty where there are none.
    Column("key_id", String(32), nullable=False),
    # Who is renewing the token, and until when nobody else may.
    Column("renewal_claim", String(64), nullable=False),
    Column("renewal_until", UtcDateTime),
    Index(None, "key_id"),
)
"""What a chat granted: one row a team, or one for a whole organisation (its team is empty)."""

api_tokens = Table(
    "api_tokens",
    metadata,
    Column("id", String(64), primary_key=True),
    *tenant_columns(),
    workspace_column(),
    Column("name", Text, nullable=False),
    # What its holder may do, a list of words.
    Column("rights", JSON, nullable=False),
    Column("token_hash", String(64), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    # To the hour: a request is not to be a write.
    Column("last_used_at", UtcDateTime),
    Column("revoked_at", UtcDateTime),
    Index(None, "workspace_id"),
)
"""Who may ask a workspace over HTTP; hashes alone, so that who reads the table can ask nothing."""

uploads = Table(
    "uploads",
    metadata,
    chat_run_key(),
    workspace_column(),
    # processing, ready or refused; the last two are ends.
    Column("state", String(10), nullable=False),
    # Of the document's passages those that are embedded, from 0 to 1; null where it is not known.
    Column("share", Double),
    Column("result", JSON),
    Index(None, "workspace_id"),
)
"""What became of a file that was put in over HTTP, and how far that is."""

upload_parts = Table(
    "upload_parts",
    metadata,
    Column("content_id", String(64), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    workspace_column(),
    Column("content", LargeBinary, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "workspace_id"),
    Index(None, "at"),
)
"""The bytes of a file that came over HTTP, until it is put in or refused."""

install_states = Table(
    "install_states",
    metadata,
    Column("state_hash", String(64), primary_key=True),
    Column("browser_hash", String(64), nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Index(None, "expires_at"),
)
"""Installations that were begun; hashes alone, so that who reads the table can end none."""


# --- processes -----------------------------------------------------------------------------

executors = Table(
    "executors",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("started_at", UtcDateTime, nullable=False),
    # All moments are by the database's clock.
    Column("heartbeat_at", UtcDateTime, nullable=False),
    # Who hands the runs of this one to others, and until when nobody else may.
    Column("claimed_by", String(64), nullable=False),
    Column("claimed_until", UtcDateTime),
)
"""Each process that works on runs; one that stopped beating is dead, and its runs go to others."""

duties = Table(
    "duties",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("until", UtcDateTime, nullable=False),
)
"""What one process at a time does for all of them."""


# --- calls and costs -----------------------------------------------------------------------

call_scopes = Table(
    "call_scopes",
    metadata,
    Column("scope", String(64), primary_key=True),
    # The service asked everybody to stay away so long.
    Column("closed_until", Double, nullable=False),
    # How many calls may begin in a window.
    Column("permits", Integer, nullable=False),
)
"""A model service under one key. Its row is held by who decides who is next.

Times of calls are seconds of the epoch by the database's clock.
"""

call_permits = Table(
    "call_permits",
    metadata,
    Column("scope", String(64), primary_key=True),
    Column("free_at", Double, primary_key=True),
    Column("taken", Integer, nullable=False),
)
"""How many calls that began count until when, by steps of a window."""

permit_requests = Table(
    "permit_requests",
    metadata,
    Column("scope", String(64), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("process", String(64), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("expires_at", Double, nullable=False),
)
"""Who waits for a permit, in which process; that of a dead process expires."""

last_served = Table(
    "last_served",
    metadata,
    Column("workspace_id", String(64), primary_key=True),
    Column("at", Double, nullable=False),
)
"""When a workspace's requests were last let through.

Forgotten after an hour, so that it needs no foreign key: the workspace may be nobody's.
"""

ledger = Table(
    "ledger",
    metadata,
    Column("id", String(64), primary_key=True),
    *tenant_columns(),
    Column("channel", String(64), nullable=False),
    Column("user", String(64), nullable=False),
    Column("workspace_id", String(64), ForeignKey("workspaces.id", ondelete="CASCADE")),
    Column("run_id", String(64), nullable=False),
    Column("role", String(20), nullable=False),
    Column("model", String(200), nullable=False),
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("completion_tokens", BigInteger, nullable=False),
    Column("cost", BigInteger),
    Column("at", UtcDateTime, nullable=False),
    Index(None, "at"),
    Index(None, "enterprise", "team", "at"),
    Index(None, "workspace_id"),
)
"""One row a call that a service answered; `cost` is in millionths, null without a price."""

spent_days = Table(
    "spent_days",
    metadata,
    workspace_key(),
    Column("day", Date, primary_key=True),
    Column("tokens", BigInteger, nullable=False),
    Column("cost", BigInteger, nullable=False),
)
"""A workspace's sums of a day in UTC: budgets are looked up with every request."""

forgotten_runs = Table(
    "forgotten_runs",
    metadata,
    chat_run_key(),
)
"""Requests under way whose steps may quote what was deleted: to be forgotten at their end."""
