"""Alembic runs this file; the connection comes from `storage.sql.migrations.config`."""

from alembic import context

from storage.sql.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite cannot alter most of a table in place; Alembic then copies it.
    render_as_batch=True,
)
context.run_migrations()
