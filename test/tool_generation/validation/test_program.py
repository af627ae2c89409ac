import pytest

from reachy_agent_ros.core.arguments import schema_of
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tool_generation.job import MEBIBYTE, Need
from reachy_agent_ros.tool_generation.validation.text_gate import read_text
from reachy_agent_ros.tool_generation.verdict import SourceRejectedError, VerificationStage
from support.tool_generation.validation_sources import HONEST, IMPORTS, complaint, tool, validate

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
def test_validator_accepts_harmless_tool(source: str) -> None:
    program = validate(read_text(source.encode()))
    assert schema_of(program.arguments)["type"] == "object"
    assert program.summary
    assert all(parameter.description for parameter in program.parameters)


def test_validated_program_matches_source() -> None:
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
        ("ReachyMini().look_at_image(1, 2)", {Need.BODY, Need.EYES}),
        ("from reachy_agent import say as hum\n[hum]", {Need.VOICE}),
        ("requests.get(x)", {Need.WEB}),
        ("from requests import get as fetch\nfetch(x)", {Need.WEB}),
        ("math.sin(1.0)", set()),
    ],
)
def test_capabilities_of_program_follow_from_used_names(body: str, needs: set[Need]) -> None:
    assert validate(tool(body)).needs == needs


def test_validator_reports_all_errors_ordered_by_line() -> None:
    with pytest.raises(SourceRejectedError) as caught:
        validate("import os\nimport sys\n\n\ndef probe(y):\n    return eval(y)\n")
    assert caught.value.code is ErrorCode.VALIDATION_FAILED
    assert caught.value.stage is VerificationStage.SYNTAX
    assert [each.line for each in caught.value.complaints] == [1, 2, 5, 5, 5, 6]
    assert caught.value.message.startswith("line 1: os cannot be imported")


def test_validator_limits_number_of_reported_errors() -> None:
    with pytest.raises(SourceRejectedError) as caught:
        validate("import os\n" * 100)
    assert len(caught.value.complaints) == 20
    assert caught.value.message.endswith("and 81 more")


def test_validator_omits_remainder_note_if_all_errors_are_reported() -> None:
    with pytest.raises(SourceRejectedError) as caught:
        validate("import os\n" * 19)  # plus the error about the missing function
    assert len(caught.value.complaints) == 20
    assert "more" not in caught.value.message.splitlines()[-1]


def test_validator_reports_syntax_error_with_line() -> None:
    assert complaint("\n\nx = (1, \n").startswith("line 3: this is not valid Python: '(' was never closed")


@pytest.mark.parametrize("source", ["x = " + "a." * 9000 + "a", "x = '\ud800'"])
def test_parser_failure_is_reported_as_too_complex_source(source: str) -> None:
    assert "too complex" in complaint(source)


def test_invalid_escape_sequence_in_source_causes_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    validate(tool("return {'a': '\\d'}"))
    assert list(recwarn) == []


@pytest.mark.parametrize(
    "constant",
    [
        '"a b".split()',
        'frozenset(("a", "b"))',
        're.compile("[a-z]")',
        "math.radians(30)",
        "np.array([1.0, 2.0])",
        "2 ** 64",
    ],
)
def test_validator_accepts_constant_that_is_cheap_to_compute(constant: str) -> None:
    assert validate(tool("pass", before=f"{IMPORTS}_WORDS = {constant}\n")).name == "probe"


@pytest.mark.parametrize(
    "constant",
    ["2 ** 65", "len('a')", "random.random()", "json.loads('1')", "probe()", '"a".join(("b",))', "print.split()"],
)
def test_validator_rejects_computed_constant_that_is_not_allowed(constant: str) -> None:
    assert complaint(tool("pass", before=f"{IMPORTS}_WORDS = {constant}\n"))


@pytest.mark.parametrize("decorator", ["functools.cache", "functools.lru_cache(maxsize=None)"])
def test_validator_accepts_helper_function_with_cache_decorator(decorator: str) -> None:
    helper = f"@{decorator}\ndef _twice(n: int) -> int:\n    return 2 * n\n"
    assert validate(tool("pass", before=IMPORTS + helper)).name == "probe"


@pytest.mark.parametrize("decorator", ["functools.wraps(print)", "(lambda f: f)", "_HELPERS[0]", "print"])
def test_validator_rejects_decorator_that_is_not_allowed(decorator: str) -> None:
    helper = f"@{decorator}\ndef _twice(n: int) -> int:\n    return 2 * n\n"
    assert "the only decorators allowed are functools.cache" in complaint(tool("pass", before=IMPORTS + helper))


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("def __wrap__():\n    pass", "__wrap__"),
        ("match x:\n    case {'a': 1, **__rest__}:\n        pass", "__rest__"),
    ],
)
def test_validator_rejects_binding_of_special_name(body: str, name: str) -> None:
    assert f"the name {name} is not allowed" in complaint(tool(body))


@pytest.mark.parametrize(
    "body",
    [
        "math = 1",
        "for math in []:\n    pass",
        "def g(math: int) -> int:\n    return math",
        "try:\n    pass\nexcept ValueError as math:\n    pass",
        "match x:\n    case [math, *_]:\n        pass",
        "match x:\n    case [_, *math]:\n        pass",
        "match x:\n    case {'a': 1, **math}:\n        pass",
    ],
)
def test_validator_rejects_rebinding_of_module_name(body: str) -> None:
    assert "math is an imported module" in complaint(tool(body))


def test_validator_reports_every_use_of_special_name() -> None:
    told = complaint(tool("__n__ = 0\ndef g():\n    nonlocal __n__\n    return 1"))
    assert told.count("the name __n__ is not allowed") == 2


@pytest.mark.parametrize(("stated", "holds"), [("999", True), ("-1", False), ("1e9", False), ("True", False)])
def test_validator_requires_plain_numbers_for_limit_constants(stated: str, holds: bool) -> None:
    refused = "it must be a plain number"
    message = complaint(tool("print(undefined)", before=f"{IMPORTS}TIME_LIMIT_S = {stated}\n"))
    assert (refused not in message) is holds


@pytest.mark.parametrize("source", ["", "\n\n", "# nothing\n", '"""Only words."""'])
def test_validator_rejects_source_without_public_function(source: str) -> None:
    assert "there is no public function" in complaint(source)


@pytest.mark.parametrize(
    "body",
    [
        "print(f'{type(x).__name__}: {x!r:>{10}}')",
        "'{:.2f} {}'.format(1.0, x)",
        "'{:{}}'.format(x, 10)",
        "'{:>{width}.{digits}f}'.format(x, width=10, digits=2)",
        "print(format(x, '>' + str(10)), f'{x:{x}{\"<\"}{10}}')",
        "match x:\n    case str() | int(): pass\n    case datetime.date(year=y): print(y)",
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
def test_validator_accepts_harmless_code(body: str) -> None:
    assert validate(tool(body)).name == "probe"
