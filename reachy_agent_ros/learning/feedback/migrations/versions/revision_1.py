"""Revision 1, which creates the tables of actions, outcomes, judgments, rewards and policy versions."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    """Creates the tables."""
    op.create_table(
        "acts",
        sa.Column("act_id", sa.String(36), primary_key=True),
        sa.Column("turn_id", sa.String(36), index=True),
        sa.Column("skill", sa.Text, nullable=False),
        sa.Column("context", sa.JSON, nullable=False),
        sa.Column("action", sa.JSON, nullable=False),
        sa.Column("probability", sa.Double, nullable=False),
        sa.Column("policy_version", sa.Text, nullable=False),
        sa.Column("began", sa.Double, nullable=False, index=True),
    )
    op.create_table(
        "outcomes",
        sa.Column("act_id", sa.String(36), primary_key=True),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("outcome", sa.JSON, nullable=False),
    )
    op.create_table(
        "judgements",
        sa.Column("feedback_id", sa.String(36), primary_key=True),
        sa.Column("source", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("given", sa.Double, nullable=False, index=True),
        sa.Column("turn_id", sa.String(36)),
        sa.Column("rating", sa.Double),
        sa.Column("person", sa.Text, nullable=False, index=True),
    )
    op.create_table(
        "rewards",
        sa.Column("feedback_id", sa.String(36), primary_key=True),
        sa.Column("act_id", sa.String(36), primary_key=True),
        sa.Column("weight", sa.Double, nullable=False),
        sa.Column("sign", sa.Integer, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("confidence", sa.Double, nullable=False),
        sa.Column("axes", sa.JSON, nullable=False),
        sa.Column("stop", sa.Boolean, nullable=False),
        sa.Column("policy_version", sa.Text, nullable=False),
    )
    op.create_index("rewards_by_act", "rewards", ["act_id"])
    op.create_table(
        "policy_versions",
        sa.Column("skill", sa.Text, primary_key=True),
        sa.Column("version", sa.Text, primary_key=True),
        sa.Column("first_acted", sa.Double, nullable=False),
    )
    op.create_table("schema_version", sa.Column("version", sa.Integer, nullable=False))
    op.execute("INSERT INTO schema_version VALUES (1)")
