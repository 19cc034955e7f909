"""How Alembic runs the migrations: on the connection it is handed, in one transaction."""

from alembic import context

from elcapitan.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot change a table in place
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
