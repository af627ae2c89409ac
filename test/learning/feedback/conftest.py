"""Fixtures: feedback stores in SQLite, and a private PostgreSQL server."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.learning.feedback import store as store_module
from reachy_agent_ros.learning.feedback.store import FeedbackStore


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the feedback store retry the database immediately after a failure."""
    monkeypatch.setattr(store_module, "RETRY", 0.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "feedback.db"


@pytest.fixture
def store(path: Path) -> Iterator[FeedbackStore]:
    store = FeedbackStore(path)
    yield store
    store.close()


class PostgresServer:
    """Private PostgreSQL server on a socket in its own folder.

    PostgreSQL rejects root, so that root starts it as the user nobody.
    """

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._data = folder / "data"
        self._folder = folder
        self._user = None if os.getuid() else "nobody"
        if self._user:
            account = pwd.getpwnam(self._user)
            os.chown(folder, account.pw_uid, account.pw_gid)
        self._run("initdb", "-D", str(self._data), "-U", "reachy", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.url = f"postgresql://reachy@/postgres?host={folder}"

    def start(self) -> None:
        options = f"-k {self._folder} -c listen_addresses='' -c shared_buffers=16MB -c max_connections=20"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._data), "-o", options, "-l", log, "-w", "-t", "60", "start")

    def stop(self, how: str = "immediate") -> None:
        self._run("pg_ctl", "-D", str(self._data), "-m", how, "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        subprocess.run(
            [self._programs / program, *arguments],
            check=True,
            user=self._user,
            cwd=self._folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=90,
        )


def _programs() -> Path | None:
    found = shutil.which("initdb")
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return Path(found).resolve().parent if found else versions[-1].parent if versions else None


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here")
    folder = Path(tempfile.mkdtemp(prefix="feedback-postgres-"))
    try:
        server = PostgresServer(programs, folder)
        server.start()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
