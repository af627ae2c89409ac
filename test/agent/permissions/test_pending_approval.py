import pytest

from reachy_agent_ros.agent.permissions.pending_approval import question


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", ""),
        ("{}", ""),
        ('{"yaw_deg": 20, "how": "slowly"}', " with yaw deg 20, how slowly"),
        ('{"who": ["Zo\u00eb", true]}', ' with who ["Zo\u00eb", true]'),
        ("[1]", ""),
        ("{", ""),
        ("[" * 100_000, ""),
    ],
)
def test_question_describes_tool_and_arguments(arguments: str, told: str) -> None:
    assert question("move_head", arguments) == f"May I turn my head{told}? Please say yes or no."


def test_question_truncates_long_arguments() -> None:
    assert question("say", f'{{"text": "{"z" * 195}"}}').count("z") == 195
    assert f"text {'z' * 194}\u2026? " in question("say", f'{{"text": "{"z" * 196}"}}')
