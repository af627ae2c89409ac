"""Alembic environment: runs the migrations in the connection and transaction of `migrate`."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
