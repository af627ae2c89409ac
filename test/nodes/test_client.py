"""The node of a command."""

from __future__ import annotations

import sys

import pytest

from reachy_agent_ros.core import names
from reachy_agent_ros.nodes.client import GraphClient


def test_an_argument_of_the_graph_renames_no_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["reachy-agent", "up", "attention:=always"])
    with GraphClient("test", names.NAMESPACE) as client:
        assert client.node.resolve_topic_name(names.ATTENTION) == f"{names.NAMESPACE}/{names.ATTENTION}"
