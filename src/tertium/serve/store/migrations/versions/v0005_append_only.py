"""Let the database itself refuse to change or delete events and entries of the log."""

from typing import Final

from alembic import op

revision: Final = "0005"
down_revision: Final = "0004"

TABLES: Final = ("log_entry", "rating_event", "annotation_event")


def upgrade() -> None:
    """Make the triggers."""
    if op.get_bind().dialect.name == "sqlite":
        for table in TABLES:
            for change in ("update", "delete"):
                op.execute(
                    f"CREATE TRIGGER {table}_no_{change} BEFORE {change.upper()} ON {table} "
                    f"BEGIN SELECT RAISE(ABORT, '{table}: rows are only added'); END"
                )
        return
    op.execute(
        "CREATE FUNCTION only_added() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION '%: rows are only added', TG_TABLE_NAME; END $$"
    )
    for table in TABLES:
        op.execute(
            f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION only_added()"
        )


def downgrade() -> None:
    """Drop the triggers."""
    if op.get_bind().dialect.name == "sqlite":
        for table in TABLES:
            for change in ("update", "delete"):
                op.execute(f"DROP TRIGGER {table}_no_{change}")
        return
    for table in TABLES:
        op.execute(f"DROP TRIGGER {table}_only_added ON {table}")
    op.execute("DROP FUNCTION only_added()")
