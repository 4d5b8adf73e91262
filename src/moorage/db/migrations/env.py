"""How Alembic reaches the database: over the connection that `moorage.db.upgrade` has opened and locked."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
