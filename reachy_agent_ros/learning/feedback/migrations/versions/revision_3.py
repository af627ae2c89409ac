"""Revision 3, in which Alembic manages the revision number.

The previous table of the revision number is kept, so that earlier versions of this program reject the database instead
of treating it as empty.
"""

from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Raises the stored schema version, so that earlier versions of this program reject the database."""
    op.execute("UPDATE schema_version SET version = 3")
