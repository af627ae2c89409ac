from __future__ import annotations

import json

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.storage.checked_json import checked_json, read_checked_json


def test_checked_json_round_trips() -> None:
    text = checked_json("thing", {"b": [1, 2.5], "a": {"x", "y"}}, 3)
    assert json.loads(read_checked_json("thing", text, 3)) == {"a": ["x", "y"], "b": [1, 2.5]}


@pytest.mark.parametrize(("what", "begins"), [("", "The thing was"), ("The tool wave", "The tool wave was")])
def test_newer_format_of_checked_json_is_distinguished_from_damage(what: str, begins: str) -> None:
    with pytest.raises(AgentError, match=f"^STORAGE_FAILED: {begins} written by a later version of this program"):
        read_checked_json("thing", checked_json("thing", {}, 2), 1, what)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "check": "0", "thing": {}}', "[" * 9999]
)
def test_rejects_damaged_json(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of many kinds
        read_checked_json("thing", text, 1)


def test_rejects_content_of_another_type() -> None:
    with pytest.raises(ValueError, match="not a other"):
        read_checked_json("other", checked_json("thing", {}, 1), 1)
