"""Which token or link made another, and what a token may do; stored secrets are cleared."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0008"
down_revision: Final = "0007"

PARENTS: Final = (
    ("api_token", "parent_token_id"),
    ("link", "parent_token_id"),
    ("link", "parent_link_id"),
)


def upgrade() -> None:
    """Add the columns, and forget answers that showed a token or a link."""
    op.add_column(
        "api_token", sa.Column("scope", sa.String(), nullable=False, server_default="full")
    )
    for table, column in PARENTS:
        op.add_column(table, sa.Column(column, sa.Integer(), nullable=True))
    op.execute(
        "UPDATE idempotency SET status = NULL, body = NULL "
        "WHERE path LIKE '%/tokens' OR path LIKE '%/links' OR path LIKE '%/raters'"
    )


def downgrade() -> None:
    """Drop the columns."""
    for table, column in reversed(PARENTS):
        op.drop_column(table, column)
    op.drop_column("api_token", "scope")
