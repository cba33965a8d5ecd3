"""Run by Alembic: the connection is handed over by ``tertium.serve.store.migration``."""

from alembic import context

from tertium.serve.store.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
