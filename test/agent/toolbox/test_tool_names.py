from reachy_agent_ros.agent.toolbox.tool_names import unknown_names

TOOLS = ("take_photo", "dance", "notion_*")


def test_unknown_tool_is_described_with_closest_name() -> None:
    assert unknown_names(["dance", "take_foto"], TOOLS) == "There is no tool 'take_foto'. Did you mean take_photo?"


def test_pattern_is_never_unknown() -> None:
    assert unknown_names(["*", "take_*", "home_*"], TOOLS) == ""


def test_tool_of_configured_server_is_known_before_server_lists_it() -> None:
    assert unknown_names(["notion_search"], TOOLS) == ""
