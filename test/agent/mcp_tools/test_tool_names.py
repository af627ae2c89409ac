import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.mcp_tools.tool_names import tool_name

names = st.text(max_size=100)
servers = st.from_regex(r"[a-z][a-z0-9-]{0,23}", fullmatch=True)


def test_a_name_that_is_valid_stays_as_it_is() -> None:
    assert tool_name("files", "read_file") == "files_read_file"
    assert tool_name("files", "readFile-2") == "files_readFile-2"


@pytest.mark.slow
@given(servers, names)
def test_every_name_is_valid(server: str, tool: str) -> None:
    name = tool_name(server, tool)
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)
    assert name.startswith(f"{server}_")


@given(servers, st.sets(st.text(alphabet="ab._! é", max_size=4), min_size=2), st.text("a", min_size=58, max_size=70))
def test_no_two_tools_get_one_name(server: str, tools: set[str], end: str) -> None:
    assert len({tool_name(server, tool) for tool in tools}) == len(tools)
    assert len({tool_name(server, tool + end) for tool in tools}) == len(tools)
