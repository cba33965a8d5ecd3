"""What a test set is scored by, what names its segments, and what was taken away."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0006"
down_revision: Final = "0005"

HIDDEN: Final = ("test_set", "system", "output")


def upgrade() -> None:
    """Add the columns."""
    usual = '["bleu", "chrf", "ter"]'
    op.add_column("test_set", sa.Column("metrics", sa.JSON(), nullable=False, server_default=usual))
    op.add_column("test_set", sa.Column("keys", sa.LargeBinary(), nullable=True))
    for table in HIDDEN:
        op.add_column(table, sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Drop the columns; what was hidden is seen again."""
    for table in HIDDEN:
        op.drop_column(table, "deleted_at")
    op.drop_column("test_set", "keys")
    op.drop_column("test_set", "metrics")
