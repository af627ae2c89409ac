"""Revision 2, which adds row checksums in SQLite. PostgreSQL already has page checksums."""

from alembic import op

from reachy_agent_ros.storage.row_checksums import sealing

revision = "2"
down_revision = "1"

_COLUMNS = {
    "acts": "act_id turn_id skill context action probability policy_version began",
    "outcomes": "act_id ended outcome",
    "judgements": "feedback_id source text given turn_id rating person",
    "rewards": "feedback_id act_id weight sign rating confidence axes stop policy_version",
    "policy_versions": "skill version first_acted",
}


def upgrade() -> None:
    """Adds a checksum to every row."""
    if op.get_context().dialect.name == "sqlite":
        for table, columns in _COLUMNS.items():
            for statement in filter(None, sealing(table, *columns.split()).split(";")):
                op.execute(statement)
