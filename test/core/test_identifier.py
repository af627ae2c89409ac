import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.identifier import by_beginning

NAMES = {"abc1-and-so-on": "dance", "abd2-and-so-on": "erase"}


@pytest.mark.parametrize("beginning", ["abc", "ABC1-"])
def test_finds_identifier_by_unique_prefix(beginning: str) -> None:
    assert by_beginning(NAMES, beginning, "grant") == "abc1-and-so-on"


def test_empty_prefix_finds_identifier_if_only_one_exists() -> None:
    assert by_beginning({"abc": "dance"}, "", "grant") == "abc"


@pytest.mark.parametrize(
    ("names", "beginning", "code", "told"),
    [
        ({}, "", ErrorCode.NOT_FOUND, "There is no grant."),
        (NAMES, "x", ErrorCode.NOT_FOUND, "There is no grant that begins with 'x'."),
        (NAMES, "", ErrorCode.INVALID_ARGUMENTS, "more than one grant: abc1-and (dance), abd2-and (erase)."),
        (NAMES, "ab", ErrorCode.INVALID_ARGUMENTS, "begins with 'ab': abc1-and (dance), abd2-and (erase)."),
    ],
)
def test_rejects_unknown_or_ambiguous_prefix_of_identifier(
    names: dict[str, str], beginning: str, code: ErrorCode, told: str
) -> None:
    with pytest.raises(AgentError) as raised:
        by_beginning(names, beginning, "grant")
    assert raised.value.code is code
    assert told in raised.value.message
