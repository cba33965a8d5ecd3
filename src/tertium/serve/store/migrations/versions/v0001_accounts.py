"""Users, projects and roles."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0001"
down_revision: Final = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "user",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=False),
        sa.Column("admin", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_user"),
        sa.UniqueConstraint("name", name="uq_user_name"),
    )
    op.create_table(
        "project",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_project"),
        sa.UniqueConstraint("slug", name="uq_project_slug"),
    )
    op.create_table(
        "membership",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_membership_project_id"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_membership_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_membership"),
        sa.UniqueConstraint("project_id", "user_id", name="uq_membership_project_id_user_id"),
    )
    op.create_index("ix_membership_project_id", "membership", ["project_id"])
    op.create_index("ix_membership_user_id", "membership", ["user_id"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("membership")
    op.drop_table("project")
    op.drop_table("user")
