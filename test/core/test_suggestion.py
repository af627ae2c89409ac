from reachy_agent_ros.core.suggestion import did_you_mean


def test_suggests_most_similar_name() -> None:
    assert did_you_mean("move_haed", ["look", "move_body", "move_head"]) == " Did you mean move_head?"


def test_suggests_nothing_without_similar_name() -> None:
    assert did_you_mean("fly", ["look", "move_head"]) == ""
