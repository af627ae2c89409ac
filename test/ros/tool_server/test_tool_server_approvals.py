from __future__ import annotations

import json
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.agent.permissions.approval_store import FILE_NAME, ApprovalOutcome, ApprovalStore
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from support import TEST
from support.logged_process import LoggedProcess
from support.nodes.node_process import Ros
from support.nodes.tool_client import ToolClient
from support.waiting import wait_until

SERVER = TEST / "support/nodes/tool_server_that_erases.py"
ARGUMENTS = json.dumps({"name": "the desk"})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state") / FILE_NAME


@pytest.fixture(scope="module")
def client(ros: Ros, store: Path) -> Iterator[ToolClient]:
    command = [sys.executable, str(SERVER), "--ros-args", "-p", f"directory:={store.parent}"]
    with LoggedProcess(command, names.TOOL_SERVER):
        client = ToolClient(ros)
        wait_until(lambda: client.server.ready, "the tool server's heartbeat")
        yield client


def approval(store: Path, outcome: ApprovalOutcome = ApprovalOutcome.APPROVED) -> uuid.UUID:
    """Stores the decision of a user, as the agent process does. Returns the id of the approval."""
    now = time.time()
    pending = PendingApproval("erase", ARGUMENTS, uuid.uuid4(), "robot", now, now + 60.0)
    agent = ApprovalStore(store)
    agent.add(pending, outcome)
    agent.close()
    return pending.approval_id


def test_tool_that_requires_approval_does_not_run_without_approval(client: ToolClient, store: Path) -> None:
    for given in ({}, {"approval_id": uuid.uuid4()}, {"approval_id": approval(store, ApprovalOutcome.REFUSED)}):
        answer = client.run("erase", ARGUMENTS, **given)
        assert answer.error_code == ErrorCode.APPROVAL_REQUIRED
        assert answer.result_json == "{}"


def test_approval_permits_only_one_tool_call(client: ToolClient, store: Path) -> None:
    yes = approval(store)
    answer = client.run("erase", ARGUMENTS, approval_id=yes)
    assert (answer.error_code, json.loads(answer.result_json)) == (ErrorCode.NONE, {"erased": "the desk"})
    assert client.run("erase", ARGUMENTS, approval_id=yes).error_code == ErrorCode.APPROVAL_REQUIRED


def test_approval_does_not_cover_other_arguments(client: ToolClient, store: Path) -> None:
    yes = approval(store)
    answer = client.run("erase", json.dumps({"name": "the house"}), approval_id=yes)
    assert answer.error_code == ErrorCode.APPROVAL_REQUIRED
    assert client.run("erase", ARGUMENTS, approval_id=yes).error_code == ErrorCode.NONE


def test_rejects_tool_call_if_approvals_are_unreadable(client: ToolClient, store: Path) -> None:
    yes = approval(store)
    kept = store.read_bytes()
    store.write_bytes(b"no database at all" * 100)
    answer = client.run("erase", ARGUMENTS, approval_id=yes)
    store.write_bytes(kept)
    assert answer.error_code == ErrorCode.STORAGE_FAILED
