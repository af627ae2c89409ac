"""Revision 3: the number of the revision is Alembic's.

The table that held it until now stays, so that an earlier version of this program refuses the database instead of
taking it for an empty one.
"""

from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Makes earlier versions of this program refuse the database."""
    op.execute("UPDATE schema_version SET version = 3")
