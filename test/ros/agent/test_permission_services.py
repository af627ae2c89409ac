from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest
from reachy_agent_msgs.msg import Principal
from reachy_agent_msgs.srv import AddGrant, ListPersonas, RevokeGrant

from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.permissions.permission_service import AUDIT_FILE, POLICY_FILE
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from support.locked_file import locked_file
from support.nodes.agent_client import AgentClient
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until


@pytest.fixture
def client(ros: Ros, tmp_path: Path) -> Iterator[AgentClient]:
    with NodeProcess("agent", {"directory": str(tmp_path)}) as agent:
        agent.wait_ready()
        yield AgentClient(ros)


def test_agent_answers_while_decision_waits_for_audit_log(client: AgentClient, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as thread:
        with locked_file(tmp_path / AUDIT_FILE):
            granted: Future[AddGrant.Response] = thread.submit(
                client.ask, AddGrant, names.ADD_GRANT, tools=["dance"], given_by=Principal(name="Ada")
            )
            assert client.ask(ListPersonas, names.LIST_PERSONAS).personas
            assert not granted.done()
        assert granted.result().error_code == ErrorCode.NONE


def test_audit_log_names_person_who_revoked_grant(client: AgentClient, tmp_path: Path) -> None:
    grant = client.ask(AddGrant, names.ADD_GRANT, tools=["dance"], given_by=Principal(name="Ada"))
    client.ask(RevokeGrant, names.REVOKE_GRANT, grant_id=grant.grant_id, revoked_by="Grace")
    logged = [(record["event"], record["decided_by"]) for record in records(tmp_path / AUDIT_FILE)]
    assert logged == [("grant", "service: Ada"), ("revoke", "service: Grace")]


def test_agent_reports_unknown_tool_of_rule_or_grant(ros: Ros, tmp_path: Path) -> None:
    rule = "extends: standard\nrules: [{tools: take_foto, tier: forbidden}]\n"
    (tmp_path / POLICY_FILE).write_text(rule)
    place = {"directory": str(tmp_path)}
    with NodeProcess("hardware_bridge") as bridge, NodeProcess("tool_server") as tools, NodeProcess("agent", place):
        bridge.wait_ready()
        tools.wait_ready()
        client = AgentClient(ros)
        note = "permissions.yaml: There is no tool 'take_foto'. Did you mean take_photo?"
        wait_until(lambda: client.agent.last is not None and client.agent.last.detail == note, "the note")
        assert client.agent.ready
        assert not client.agent.degraded
        refused = client.ask(AddGrant, names.ADD_GRANT, tools=["take_fotos"], given_by=Principal(name="Ada"))
        assert refused.error_code == ErrorCode.UNKNOWN_TOOL
        assert "Did you mean take_photo?" in refused.error_msg
