"""Files of names as they were sent, and the type that a name had before."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0007"
down_revision: Final = "0006"

TABLE: Final = "annotation_file"


def upgrade() -> None:
    """Make the table, which the database lets nobody change, and add the column."""
    op.add_column("annotation_event", sa.Column("was", sa.String(), nullable=True))
    op.create_table(
        TABLE,
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("target_kind", sa.String(), nullable=False),
        sa.Column("target_id", sa.Integer(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("sent_by", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "target_kind IN ('source', 'reference', 'output')",
            name="ck_annotation_file_target_kind",
        ),
        sa.CheckConstraint("format IN ('muc', 'conll', 'jsonl')", name="ck_annotation_file_format"),
        sa.ForeignKeyConstraint(
            ["test_set_id"], ["test_set.id"], name="fk_annotation_file_test_set_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_annotation_file"),
    )
    op.create_index("ix_annotation_file_target", TABLE, ["test_set_id", "target_kind", "target_id"])
    if op.get_bind().dialect.name == "sqlite":
        for change in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {TABLE}_no_{change} BEFORE {change.upper()} ON {TABLE} "
                f"BEGIN SELECT RAISE(ABORT, '{TABLE}: rows are only added'); END"
            )
    else:
        op.execute(
            f"CREATE TRIGGER {TABLE}_only_added BEFORE UPDATE OR DELETE ON {TABLE} "
            "FOR EACH ROW EXECUTE FUNCTION only_added()"
        )


def downgrade() -> None:
    """Drop both."""
    op.drop_table(TABLE)
    op.drop_column("annotation_event", "was")
