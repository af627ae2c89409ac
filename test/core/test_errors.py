from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from scripts.reference_pages.definitions import read_definition

MESSAGE = Path(__file__).parents[2] / "reachy_agent_msgs" / "msg" / "ErrorCode.msg"


def test_error_codes_match_message() -> None:
    constants = read_definition(MESSAGE).sections[0].constants
    assert [(item.name, int(item.value or -1)) for item in constants] == [(code.name, code.value) for code in ErrorCode]


def test_error_text_has_code_and_message() -> None:
    error = AgentError(ErrorCode.UNREACHABLE, "The head cannot get there.")
    assert (error.code, error.message) == (ErrorCode.UNREACHABLE, "The head cannot get there.")
    assert str(error) == "UNREACHABLE: The head cannot get there."
