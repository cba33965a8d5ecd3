"""Texts, test sets, systems, outputs and scores."""

from typing import Final

import sqlalchemy as sa
from alembic import op

revision: Final = "0002"
down_revision: Final = "0001"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("lines", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_text"),
        sa.UniqueConstraint("sha256", name="uq_text_sha256"),
    )
    op.create_table(
        "test_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("source_language", sa.String(), nullable=False),
        sa.Column("target_language", sa.String(), nullable=False),
        sa.Column("licence", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("segments", sa.Integer(), nullable=False),
        sa.Column("sources_text_id", sa.Integer(), nullable=True),
        sa.Column("documents_text_id", sa.Integer(), nullable=True),
        sa.Column("genres_text_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["documents_text_id"], ["text.id"], name="fk_test_set_documents_text_id"
        ),
        sa.ForeignKeyConstraint(["genres_text_id"], ["text.id"], name="fk_test_set_genres_text_id"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_test_set_project_id"),
        sa.ForeignKeyConstraint(
            ["sources_text_id"], ["text.id"], name="fk_test_set_sources_text_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_test_set"),
        sa.UniqueConstraint("project_id", "slug", name="uq_test_set_project_id_slug"),
    )
    op.create_index("ix_test_set_documents_text_id", "test_set", ["documents_text_id"])
    op.create_index("ix_test_set_genres_text_id", "test_set", ["genres_text_id"])
    op.create_index("ix_test_set_project_id", "test_set", ["project_id"])
    op.create_index("ix_test_set_sources_text_id", "test_set", ["sources_text_id"])
    op.create_table(
        "reference",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["test_set_id"], ["test_set.id"], name="fk_reference_test_set_id"),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name="fk_reference_text_id"),
        sa.PrimaryKeyConstraint("id", name="pk_reference"),
        sa.UniqueConstraint("test_set_id", "position", name="uq_reference_test_set_id_position"),
    )
    op.create_index("ix_reference_test_set_id", "reference", ["test_set_id"])
    op.create_index("ix_reference_text_id", "reference", ["text_id"])
    op.create_table(
        "system",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["test_set_id"], ["test_set.id"], name="fk_system_test_set_id"),
        sa.PrimaryKeyConstraint("id", name="pk_system"),
        sa.UniqueConstraint("test_set_id", "name", name="uq_system_test_set_id_name"),
    )
    op.create_index("ix_system_test_set_id", "system", ["test_set_id"])
    op.create_table(
        "output",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("system_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("uploaded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("uploaded_by", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["system_id"], ["system.id"], name="fk_output_system_id"),
        sa.ForeignKeyConstraint(["text_id"], ["text.id"], name="fk_output_text_id"),
        sa.PrimaryKeyConstraint("id", name="pk_output"),
        sa.UniqueConstraint("system_id", "number", name="uq_output_system_id_number"),
    )
    op.create_index("ix_output_system_id", "output", ["system_id"])
    op.create_index("ix_output_text_id", "output", ["text_id"])
    op.create_table(
        "score",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("output_id", sa.Integer(), nullable=False),
        sa.Column("spec", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("columns", sa.Integer(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["output_id"], ["output.id"], name="fk_score_output_id"),
        sa.PrimaryKeyConstraint("id", name="pk_score"),
        sa.UniqueConstraint("output_id", "spec", "version", name="uq_score_output_id_spec_version"),
    )
    op.create_index("ix_score_output_id", "score", ["output_id"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("score")
    op.drop_table("output")
    op.drop_table("system")
    op.drop_table("reference")
    op.drop_table("test_set")
    op.drop_table("text")
