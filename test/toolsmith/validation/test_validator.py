import pytest
from validation_sources import HONEST, complaint, tool

from reachy_agent_ros.core.arguments import schema_of
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.toolsmith.limits import MEBIBYTE
from reachy_agent_ros.toolsmith.program import Need
from reachy_agent_ros.toolsmith.validation.rejection import Rejection
from reachy_agent_ros.toolsmith.validation.text_gate import read_text
from reachy_agent_ros.toolsmith.validation.validator import validate
from reachy_agent_ros.toolsmith.verdict import Stage

DOCUMENTED = '''def move_twice(
    yaw_deg: float,
    mood: Literal["calm", "glad"] = "calm",
    names: list[str] | None = None,
    times: int = TIMES,
    note: str = None,
) -> dict[str, float]:
    """Move there
    and back.

    Args:
        yaw_deg: Degrees to the left.
        mood: How.
        names: Whom for.
        times: How often.
        note: Kept.

    Returns:
        What was reached.
    """
    with ReachyMini() as mini:
        mini.goto_target(antennas=[0.0, 0.0])
    requests.get("https://example.org")
    return {"reached": yaw_deg}
'''

BEFORE = '''"""A file with a docstring."""
import requests
from typing import Literal
from reachy_mini import ReachyMini

TIMES = 1 + 1
TIME_LIMIT_S = 2 * 60
MEMORY_MB: int = 128

'''


@pytest.mark.parametrize("source", HONEST, ids=lambda source: source.split("def ", 1)[1].split("(")[0])
def test_an_honest_tool_is_accepted(source: str) -> None:
    program = validate(read_text(source.encode()))
    assert schema_of(program.arguments)["type"] == "object"
    assert program.summary
    assert all(parameter.description for parameter in program.parameters)


def test_a_program_holds_what_the_source_says() -> None:
    program = validate(BEFORE + DOCUMENTED)
    assert (program.name, program.summary) == ("move_twice", "Move there and back.")
    assert program.needs == {Need.BODY, Need.WEB}
    assert (program.limits.time, program.limits.memory) == (120.0, 128 * MEBIBYTE)
    assert [(one.name, one.required, one.default) for one in program.parameters] == [
        ("yaw_deg", True, None),
        ("mood", False, "calm"),
        ("names", False, None),
        ("times", False, 2),
        ("note", False, None),
    ]
    properties = schema_of(program.arguments)["properties"]
    assert properties["mood"] == {"enum": ["calm", "glad"], "type": "string", "default": "calm", "description": "How."}
    assert properties["note"]["anyOf"] == [{"type": "string"}, {"type": "null"}]


@pytest.mark.parametrize(
    ("body", "needs"),
    [
        ("say('hi')", {Need.VOICE}),
        ("take_photo()", {Need.EYES}),
        ("ReachyMini().media.get_frame()", {Need.BODY, Need.EYES}),
        ("import reachy_agent as agent\nagent.dance('polka')", {Need.BODY}),
        ("requests.get(x)", {Need.WEB}),
        ("math.sin(1.0)", set()),
    ],
)
def test_the_needs_are_what_is_named(body: str, needs: set[Need]) -> None:
    assert validate(tool(body)).needs == needs


def test_all_complaints_come_at_once_in_the_order_of_the_lines() -> None:
    with pytest.raises(Rejection) as caught:
        validate("import os\nimport sys\n\n\ndef probe(y):\n    return eval(y)\n")
    assert caught.value.code is ErrorCode.VALIDATION_FAILED
    assert caught.value.stage is Stage.SYNTAX
    assert [each.line for each in caught.value.complaints] == [1, 2, 5, 5, 5, 6]
    assert caught.value.message.startswith("line 1: os cannot be imported")


def test_no_more_complaints_than_anybody_repairs_are_told() -> None:
    with pytest.raises(Rejection) as caught:
        validate("import os\n" * 100)
    assert len(caught.value.complaints) == 20
    assert caught.value.message.endswith("and 81 more")


@pytest.mark.parametrize("source", ["", "\n\n", "# nothing\n", '"""Only words."""'])
def test_nothing_is_no_tool(source: str) -> None:
    assert "there is no public function" in complaint(source)


@pytest.mark.parametrize(
    "body",
    [
        "print(f'{type(x).__name__}: {x!r:>{10}}')",
        "'{:.2f} {}'.format(1.0, x)",
        "'{:{}}'.format(x, 10)",
        "isinstance(x, (np.ndarray, list))",
        "def g(y: 'np.ndarray', z: typing.Optional[np.ndarray] = None) -> np.ndarray: return y",
        "p = functools.partial(print, sep='')\np.func",
        "max = 3\nprint(max)",
        "n = 0\ndef g():\n    nonlocal n\n    n += 1",
        "cv2.cvtColor(cv2.imread('a.png'), cv2.COLOR_BGR2GRAY).astype(np.float32)",
        "np.linalg.norm(np.random.default_rng(1).normal(size=3))",
        "asyncio.get_running_loop().time()",
        "await analyze_scene(prompt='what')",
        "print('a' % ())",
        "'\\d'",
        "return {'a': _HALF, 'b': _PAIR}",
    ],
)
def test_what_harms_nobody_is_accepted(body: str) -> None:
    assert validate(tool(body)).name == "probe"
