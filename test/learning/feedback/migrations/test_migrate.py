import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.migrations import migrate
from reachy_agent_ros.learning.feedback.rows import row_of_judgment
from reachy_agent_ros.learning.feedback.schema import METADATA, TABLES
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from support.learning.feedback_cases import said

AddRevision = Callable[[str], None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "feedback.db"


@pytest.fixture
def add_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AddRevision:
    """Returns a function that adds a database revision, as a newer version of the program would."""
    scripts = tmp_path / "100 % migrations"
    shutil.copytree(migrate.SCRIPTS, scripts)

    def add(body: str) -> None:
        number = migrate.NEWEST + 1
        head = f'from alembic import op\nrevision = "{number}"\ndown_revision = "{migrate.NEWEST}"\n'
        (scripts / "versions" / f"revision_{number}.py").write_text(f"{head}def upgrade():\n{body}")
        monkeypatch.setattr(migrate, "SCRIPTS", scripts)
        monkeypatch.setattr(migrate, "NEWEST", number)

    return add


def texts(path: Path) -> list[str]:
    with closing(FeedbackStore(path)) as store:
        return [row.values["text"] for row in store.rows() if row.table == "judgements"]


def columns(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {row[1] for row in connection.execute("PRAGMA table_info(judgements)")}


def test_migrations_create_tables_of_current_schema(path: Path) -> None:
    with closing(FeedbackStore(path)) as store, store._database.reading() as connection:
        found = compare_metadata(MigrationContext.configure(connection), METADATA)
        # Expected removals: the version table that preceded Alembic, and the checksum columns.
        assert [one for one in found if one[0] not in ("remove_table", "remove_column")] == []
        sealed = {table.name: connection.execute(text(f"SELECT seal FROM {table.name}")).all() for table in TABLES}
        assert sealed == {table.name: [] for table in TABLES}


def test_newest_database_version_is_number_of_last_revision() -> None:
    assert ScriptDirectory(str(migrate.SCRIPTS)).get_current_head() == str(migrate.NEWEST)


def test_migrates_older_database_once(path: Path, add_revision: AddRevision) -> None:
    with closing(FeedbackStore(path)) as store:
        store.add([row_of_judgment(said("good"))])
    add_revision('    op.execute("ALTER TABLE judgements ADD COLUMN mood TEXT")\n')
    assert [texts(path), texts(path)] == [["good"], ["good"]]
    assert "mood" in columns(path)


def test_rejects_database_of_newer_revision(
    path: Path, add_revision: AddRevision, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_revision("    pass\n")
    FeedbackStore(path).close()
    monkeypatch.undo()
    before = path.read_bytes()
    with pytest.raises(AgentError, match=f"revision {migrate.NEWEST + 1}, newest known is {migrate.NEWEST}") as refused:
        FeedbackStore(path)
    assert refused.value.code is ErrorCode.STORAGE_FAILED
    assert path.read_bytes() == before


def test_rejects_newer_database_version_without_alembic_table(path: Path) -> None:
    FeedbackStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("UPDATE schema_version SET version = 99; DROP TABLE alembic_version;")
    with pytest.raises(AgentError, match="revision 99"):
        FeedbackStore(path)


def test_database_contains_version_in_format_of_older_programs(path: Path) -> None:
    FeedbackStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version FROM schema_version").fetchall() == [(3,)]


def test_database_is_unchanged_after_failed_migration(
    path: Path, add_revision: AddRevision, monkeypatch: pytest.MonkeyPatch
) -> None:
    FeedbackStore(path).close()
    add = '    op.execute("ALTER TABLE judgements ADD COLUMN mood TEXT")\n'
    add_revision(f'{add}    op.execute("ALTER TABLE nothing ADD COLUMN mood TEXT")\n')
    with closing(FeedbackStore(path)) as broken:
        assert "nothing" in broken.problem
        broken.add([row_of_judgment(said("kept"))])
    monkeypatch.undo()
    assert texts(path) == ["kept"]
    assert "mood" not in columns(path)


@pytest.mark.slow
def test_opens_current_database_without_importing_alembic(path: Path) -> None:
    FeedbackStore(path).close()
    program = (
        "import sys\nfrom pathlib import Path\nfrom reachy_agent_ros.learning.feedback.store import FeedbackStore\n"
        "FeedbackStore(Path(sys.argv[1])).close()\nsys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == 0
