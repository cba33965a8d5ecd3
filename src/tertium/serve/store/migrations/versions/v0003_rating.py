"""Campaigns, links, logins, the log, ratings and annotations."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0003"
down_revision: Final = "0002"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("protocol", sa.String(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("state IN ('draft', 'open', 'closed')", name="ck_campaign_state"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_campaign_project_id"),
        sa.ForeignKeyConstraint(["test_set_id"], ["test_set.id"], name="fk_campaign_test_set_id"),
        sa.PrimaryKeyConstraint("id", name="pk_campaign"),
        sa.UniqueConstraint("project_id", "name", name="uq_campaign_project_id_name"),
    )
    op.create_index("ix_campaign_project_id", "campaign", ["project_id"])
    op.create_index("ix_campaign_test_set_id", "campaign", ["test_set_id"])
    op.create_table(
        "link",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_link_campaign_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_link_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_link"),
        sa.UniqueConstraint("token_hash", name="uq_link_token_hash"),
    )
    op.create_index("ix_link_campaign_id", "link", ["campaign_id"])
    op.create_index("ix_link_project_id", "link", ["project_id"])
    op.create_table(
        "login_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("link_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name="fk_login_session_link_id"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_login_session_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_login_session"),
        sa.UniqueConstraint("token_hash", name="uq_login_session_token_hash"),
    )
    op.create_index("ix_login_session_link_id", "login_session", ["link_id"])
    op.create_index("ix_login_session_user_id", "login_session", ["user_id"])
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_api_token_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_api_token"),
        sa.UniqueConstraint("token_hash", name="uq_api_token_token_hash"),
    )
    op.create_index("ix_api_token_user_id", "api_token", ["user_id"])
    op.create_table(
        "log_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_log_entry_project_id"),
        sa.PrimaryKeyConstraint("id", name="pk_log_entry"),
    )
    op.create_index("ix_log_entry_at", "log_entry", ["at"])
    op.create_index("ix_log_entry_project_id", "log_entry", ["project_id"])
    op.create_table(
        "campaign_output",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("output_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_campaign_output_campaign_id"
        ),
        sa.ForeignKeyConstraint(["output_id"], ["output.id"], name="fk_campaign_output_output_id"),
        sa.PrimaryKeyConstraint("id", name="pk_campaign_output"),
        sa.UniqueConstraint(
            "campaign_id", "output_id", name="uq_campaign_output_campaign_id_output_id"
        ),
    )
    op.create_index("ix_campaign_output_campaign_id", "campaign_output", ["campaign_id"])
    op.create_index("ix_campaign_output_output_id", "campaign_output", ["output_id"])
    op.create_table(
        "rater",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.Integer(), nullable=True),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_rater_campaign_id"),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name="fk_rater_link_id"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_rater_user_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rater"),
        sa.UniqueConstraint("campaign_id", "label", name="uq_rater_campaign_id_label"),
    )
    op.create_index("ix_rater_campaign_id", "rater", ["campaign_id"])
    op.create_index("ix_rater_link_id", "rater", ["link_id"])
    op.create_index("ix_rater_user_id", "rater", ["user_id"])
    op.create_table(
        "rating_item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("document", sa.String(), nullable=True),
        sa.Column("segments", sa.JSON(), nullable=False),
        sa.Column("outputs", sa.JSON(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('regular', 'tutorial', 'repeated', 'degraded')", name="ck_rating_item_kind"
        ),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_rating_item_campaign_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_rating_item"),
        sa.UniqueConstraint("campaign_id", "position", name="uq_rating_item_campaign_id_position"),
    )
    op.create_index("ix_rating_item_campaign_id", "rating_item", ["campaign_id"])
    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("assigned_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_assignment_campaign_id"),
        sa.ForeignKeyConstraint(["item_id"], ["rating_item.id"], name="fk_assignment_item_id"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_assignment_rater_id"),
        sa.PrimaryKeyConstraint("id", name="pk_assignment"),
        sa.UniqueConstraint("rater_id", "item_id", name="uq_assignment_rater_id_item_id"),
        sa.UniqueConstraint("rater_id", "position", name="uq_assignment_rater_id_position"),
    )
    op.create_index("ix_assignment_campaign_id", "assignment", ["campaign_id"])
    op.create_index("ix_assignment_item_id", "assignment", ["item_id"])
    op.create_table(
        "rating_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("client_key", sa.String(), nullable=False),
        sa.CheckConstraint("action IN ('rate', 'undo', 'skip')", name="ck_rating_event_action"),
        sa.ForeignKeyConstraint(["item_id"], ["rating_item.id"], name="fk_rating_event_item_id"),
        sa.ForeignKeyConstraint(["rater_id"], ["rater.id"], name="fk_rating_event_rater_id"),
        sa.PrimaryKeyConstraint("id", name="pk_rating_event"),
        sa.UniqueConstraint("client_key", name="uq_rating_event_client_key"),
    )
    op.create_index("ix_rating_event_item_id", "rating_event", ["item_id"])
    op.create_index("ix_rating_event_rater_item", "rating_event", ["rater_id", "item_id"])
    op.create_table(
        "annotation_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("target_kind", sa.String(), nullable=False),
        sa.Column("target_id", sa.Integer(), nullable=False),
        sa.Column("annotator", sa.String(), nullable=False),
        sa.Column("segment", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("client_key", sa.String(), nullable=False),
        sa.CheckConstraint(
            "action IN ('add', 'remove', 'retype')", name="ck_annotation_event_action"
        ),
        sa.CheckConstraint(
            "target_kind IN ('source', 'reference', 'output')",
            name="ck_annotation_event_target_kind",
        ),
        sa.ForeignKeyConstraint(
            ["test_set_id"], ["test_set.id"], name="fk_annotation_event_test_set_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_annotation_event"),
        sa.UniqueConstraint("client_key", name="uq_annotation_event_client_key"),
    )
    op.create_index(
        "ix_annotation_event_target",
        "annotation_event",
        ["test_set_id", "target_kind", "target_id"],
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("annotation_event")
    op.drop_table("rating_event")
    op.drop_table("assignment")
    op.drop_table("rating_item")
    op.drop_table("rater")
    op.drop_table("campaign_output")
    op.drop_table("log_entry")
    op.drop_table("api_token")
    op.drop_table("login_session")
    op.drop_table("link")
    op.drop_table("campaign")
