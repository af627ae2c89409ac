import pytest

from reachy_agent_ros.agent.permissions.pending_approval import question


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("", "take a photo"),
        ("{}", "take a photo"),
        ('{"zoom": 2, "how": "slowly"}', 'take a photo with zoom 2 and how "slowly"'),
        ("[1]", "take a photo"),
        ("{", "take a photo"),
        ("[" * 100_000, "take a photo"),
    ],
)
def test_approval_question_describes_tool_and_arguments(arguments: str, told: str) -> None:
    assert question("take_photo", arguments) == f"May I {told}? Please say yes or no."


def test_approval_question_begins_with_reason() -> None:
    asked = question("move_head", '{"yaw_deg": 60}', "it follows text from a web page")
    told = "It follows text from a web page: may I turn my head 60 degrees to the left? Please say yes or no."
    assert asked == told


def test_approval_question_truncates_long_request() -> None:
    assert question("speak", f'{{"text": "{"z" * 234}"}}').count("z") == 234
    assert f'say "{"z" * 234}\u2026? ' in question("speak", f'{{"text": "{"z" * 235}"}}')
