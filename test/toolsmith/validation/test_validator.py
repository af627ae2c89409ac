import pytest
from hypothesis import given
from hypothesis import strategies as st
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


EVASIONS = {
    "import os": "os cannot be imported; tools cannot reach the system",
    "import os.path as math2": "os.path cannot be imported",
    "from os import system": "os cannot be imported",
    "import sys, math as m2": "sys cannot be imported",
    "import subprocess": "subprocess cannot be imported; tools cannot start programs",
    "import socket": "a tool may import: PIL, array, asyncio",
    "import builtins": "builtins cannot be imported",
    "import importlib": "importlib cannot be imported",
    "import ctypes": "ctypes cannot be imported",
    "import rclpy": "through reachy_mini and reachy_agent",
    "import threading": "use asyncio.gather",
    "import concurrent.futures": "use asyncio.gather",
    "from reachy_mini.motion.recorded_move import RecordedMoves": "use play_move, dance",
    "import asyncio.subprocess": "asyncio.subprocess cannot be imported",
    "import asyncio.events as e": "asyncio.events cannot be imported",
    "import numpy.f2py": "numpy.f2py cannot be imported",
    "import numpy.testing": "numpy.testing cannot be imported",
    "import numpy.ctypeslib": "numpy.ctypeslib cannot be imported",
    "from numpy import ctypeslib": "numpy.ctypeslib cannot be used",
    "from asyncio import events": "asyncio.events cannot be used",
    "from asyncio import subprocess": "asyncio.subprocess cannot be used",
    "from cv2 import os": "cv2.os cannot be used",
    "from random import _os": "random._os cannot be used",
    "from requests import utils": "requests.utils cannot be used",
    "from operator import attrgetter": "operator.attrgetter cannot be used",
    "from . import secrets2": "relative imports are not allowed",
    "from .os import path": "relative imports are not allowed",
    "asyncio.events.os.system('ls')": "asyncio.events cannot be used",
    "asyncio.create_subprocess_shell('ls')": "asyncio.create_subprocess_shell cannot be used",
    "asyncio.get_running_loop().subprocess_exec(print, 'ls')": "the attribute subprocess_exec is not allowed",
    "asyncio.get_event_loop().run_in_executor(None, print)": "the attribute run_in_executor is not allowed",
    "asyncio.current_task().get_stack()[0].f_globals": "the attribute f_globals is not allowed",
    "typing.sys.modules": "typing.sys cannot be used",
    "typing.get_type_hints(probe)": "typing.get_type_hints cannot be used",
    "requests.utils.os": "requests.utils cannot be used",
    "requests.post('http://x', data='y')": "only GET requests are possible",
    "cv2.os.system('ls')": "cv2.os cannot be used",
    "cv2.FileStorage('/etc/passwd', 0)": "cv2.FileStorage cannot be used",
    "cv2.dnn.readNet('x')": "cv2.dnn cannot be used",
    "cv2.DISK_create('/etc/passwd')": "cv2.DISK_create cannot be used",
    "cv2.imshow('a', 1)": "there is no screen",
    "cv2.VideoCapture(0)": "ReachyMini().media.get_frame()",
    "json.codecs.open('x')": "json.codecs cannot be used",
    "random._os.system('ls')": "random._os cannot be used",
    "re.enum.sys": "re.enum cannot be used",
    "string.Formatter().format('{0.x}', 1)": "string.Formatter cannot be used",
    "datetime.sys.modules": "datetime.sys cannot be used",
    "functools.update_wrapper(print, print)": "functools.update_wrapper cannot be used",
    "operator.methodcaller('x')": "operator.methodcaller cannot be used",
    "np.load('x.npy', allow_pickle=True)": "tools keep no files",
    "np.save('x', 1)": "tools keep no files",
    "np.memmap('x')": "numpy.memmap cannot be used",
    "np.fromfile('x')": "numpy.fromfile cannot be used",
    "np.lib.npyio.DataSource()": "numpy.lib.npyio cannot be used",
    "np.lib.stride_tricks.as_strided(1)": "numpy.lib.stride_tricks.as_strided cannot be used",
    "np.ndarray((1,), dtype=object, buffer=b'x')": "numpy.ndarray is for annotations and isinstance",
    "list(map(np.ndarray, [1]))": "numpy.ndarray is for annotations",
    "from numpy import ndarray as a\na(1)": "numpy.ndarray is for annotations",
    "isinstance = asyncio.to_thread\nisinstance(print, np.ndarray)": "numpy.ndarray is for annotations",
    "from functools import partial as isinstance\nisinstance(1, np.ndarray)": "numpy.ndarray is for annotations",
    "def g():\n    from numpy import ndarray as a\n    return a\nfrom math import sin as a": "a stands for both",
    "kept = {}\ndef g(y: kept[np.ndarray]): pass": "numpy.ndarray is for annotations",
    "np.array([1]).tofile('x')": "the attribute tofile is not allowed",
    "np.array([1]).ctypes.data": "the attribute ctypes is not allowed",
    "np.random.default_rng().bit_generator": "the attribute bit_generator is not allowed",
    "np.array([1]).dump('x')": "the attribute dump is not allowed",
    "n = np\nn.load('x')": "numpy is a module, which cannot be passed on",
    "[np][0].load('x')": "numpy is a module, which cannot be passed on",
    "la = np.linalg": "numpy.linalg is a module, which cannot be passed on",
    "(lambda m: m.load)(np)": "numpy is a module, which cannot be passed on",
    "(m := np).load": "numpy is a module, which cannot be passed on",
    "print(math)": "math is a module, which cannot be passed on",
    "f'{math}'": "math is a module, which cannot be passed on",
    "np.sin = eval": "numpy cannot be changed",
    "del math.sin": "math cannot be changed",
    "np = 1": "np is an imported module; give what is stored here another name",
    "def g(np): return np.load": "np is an imported module",
    "for json in []: pass": "json is an imported module",
    "try: pass\nexcept Exception as re: pass": "re is an imported module",
    "from datetime import datetime": "datetime stands for both datetime.datetime and datetime; import one",
    "eval('1')": "eval is not for tools",
    "exec('1')": "exec is not for tools",
    "compile('1', '', 'eval')": "compile is not for tools",
    "open('/etc/passwd')": "open is not for tools; tools keep no files",
    "__import__('os')": "the name __import__ is not allowed",
    "__builtins__['eval']": "the name __builtins__ is not allowed",
    "print(__name__)": "a tool is called by its function",
    "globals()": "globals is not for tools",
    "vars()": "vars is not for tools",
    "locals()": "locals is not for tools",
    "dir()": "dir is not for tools",
    "breakpoint()": "breakpoint is not for tools",
    "input()": "a tool gets its input as arguments",
    "getattr(x, 'y')": "write the attribute: thing.name",
    "setattr(x, 'y', 1)": "setattr is not for tools",
    "[getattr][0](x, 'y')": "getattr is not for tools",
    "list(map(eval, ['1']))": "eval is not for tools",
    "g = lambda f=exec: f('1')": "exec is not for tools",
    "{'e': eval}['e']('1')": "eval is not for tools",
    "[y\n for y in [eval]]": "eval is not for tools",
    "type(x)": "use isinstance",
    "type('X', (), {})": "use isinstance",
    "type(*[x]).__name__": "use isinstance",
    "raise SystemExit": "SystemExit is not for tools",
    "try: pass\nexcept BaseException: pass": "catch Exception",
    "memoryview(b'x')": "memoryview is not for tools",
    "x.__class__": "use type(thing).__name__ for its name",
    "().__class__.__bases__[0].__subclasses__()": "the attribute __subclasses__ is not public",
    "probe.__globals__": "the attribute __globals__ is not public",
    "x._private": "the attribute _private is not public",
    "(y for y in []).gi_frame": "the attribute gi_frame is not allowed",
    "asyncio.sleep(0).cr_frame": "the attribute cr_frame is not allowed",
    "try: 1 / 0\nexcept Exception as e: e.__traceback__.tb_frame.f_back": "the attribute tb_frame is not allowed",
    "str.mro()": "the attribute mro is not allowed",
    "x.format(1)": "use an f-string",
    "'{0.__class__}'.format(x)": "use an f-string",
    "'{0[a]}'.format(x)": "use an f-string",
    "'{:{0.a}}'.format(x)": "use an f-string",
    "'{'.format(x)": "use an f-string",
    "str.format('{0.a}', x)": "use an f-string",
    "list(map('{0.a}'.format, [x]))": "use an f-string",
    "'{a}'.format_map({})": "the attribute format_map is not allowed",
    "f'{x.__class__}'": "the attribute __class__ is not public",
    "f'{eval(x)}'": "eval is not for tools",
    "class A: pass": "classes are not allowed",
    "global y\ny = 1": "global is not allowed",
    "match x:\n    case object(sys=y): pass": "class patterns are not allowed",
    "match x:\n    case {'a': 1, **__b}: pass": "the name __b is not allowed",
    "print(_x=1)": "the argument _x is private",
    "try: pass\nexcept* ValueError: pass": "except* is not allowed",
    "def g(): yield 1\nyield 2": "this is no Python: 'return' with value in async generator",
    "return 'text'": "this returns no dict",
    "return": "this returns no dict",
    "return [1]": "this returns no dict",
    "uuid.uuid4()": "the name uuid is not defined; import it",
    "undefined_thing()": "the name undefined_thing is not defined",
    "total = 1\nprint(totel)": "is total meant?",
    "detekt_objects([])": "is detect_objects meant?",
    "\u0430 = 1": "is not ASCII",
    "f'{\u0430}'": "is not ASCII",
    "f'{\uff45val(x)}'": "eval is not for tools",
    "print('\\ud800')": "this text has half of a character",
    "break": "this is no Python: 'break' outside loop",
    "x = = 1": "this is no Python: invalid syntax in 'x = = 1'",
    "nonlocal y": "this is no Python",
    "print('a'": "this is no Python: '(' was never closed",
    "x = 1\\n": "end lines with a line break instead of a backslash",
    "print('a\n')": "close the text on its line",
    "pass\n```": "give the source alone, without a fence around it",
}


@pytest.mark.parametrize(("body", "message"), EVASIONS.items(), ids=[body.replace("\n", " ; ") for body in EVASIONS])
def test_an_evasion_is_refused_with_what_is_allowed_instead(body: str, message: str) -> None:
    assert message in complaint(tool(body))


TOP_LEVEL = {
    "print('hi')": "at the top level only imports, constants and functions may be",
    "if 1:\n    import math": "at the top level only",
    "while True: pass": "at the top level only",
    "a, b = 1, 2": "at the top level only",
    "A = print('x')": "the constant A must have a literal value",
    "A: int": "the constant A must have a literal value",
    "A = [y for y in 'abc']": "the constant A must have a literal value",
    "A = 9 ** 9 ** 9": "the constant A must have a literal value",
    "A = 9 ** 99999999": "the constant A must have a literal value",
    "A = 1 << 99999999999": "the constant A must have a literal value",
    "A = 'x' * 10 ** 9": "the constant A must have a literal value",
    "A = 1000000000 * [0]": "the constant A must have a literal value",
    "probe = 1": "probe is the tool's function and means something else here",
    "from math import sin as probe": "probe is the tool's function and means something else here",
    "import probe.x": "probe is the tool's function",
    "A = lambda: 1": "the constant A must have a literal value",
    "from math import *": "import the names of math that are used, not *",
    "def _h(y=say('x')): return y": "defaults and annotations of _h must be literal",
    "def _h(y: print('x')): return y": "defaults and annotations of _h must be literal",
    "@print\ndef _h(): return 1": "no decorators but functools.cache are allowed",
    "@exec\ndef _h(): return 1": "exec is not for tools",
    "def other() -> dict: return {}": "is a second public function",
    "TIME_LIMIT_S = 10000": "TIME_LIMIT_S: a time limit is above 0 and at most 300 s",
    "TIME_LIMIT_S = 0": "a time limit is above 0",
    "MEMORY_MB = 'all'": "MEMORY_MB: it must be a plain number",
    "MEMORY_MB = 9 ** 9": "MEMORY_MB: it is no literal value",
    "MEMORY_MB = 99999": "at most 1024 MiB",
    "TIME_LIMIT_S = 1 / 0": "it has no finite value",
}


@pytest.mark.parametrize(("before", "message"), TOP_LEVEL.items(), ids=TOP_LEVEL)
def test_what_would_run_when_the_tool_is_loaded_is_refused(before: str, message: str) -> None:
    assert message in complaint(tool("pass", before))


SIGNATURES = {
    "def probe(y) -> dict:": "parameter y: its type is missing",
    "def probe(y: set) -> dict:": "parameter y: set is no type of an argument; use int, float",
    "def probe(y: 'print(1)') -> dict:": "print(1) is no type of an argument",
    "def probe(y: '\\ud800') -> dict:": "is no type of an argument",
    "def probe(y: int = 'a') -> dict:": "its default 'a' is not of its type",
    "def probe(y: dict = {1, 2}) -> dict:": "no literal that JSON has",
    "def probe(y: bytes = b'') -> dict:": "bytes is no type",
    "def probe(y: float = 1e999) -> dict:": "no literal that JSON has",
    "def probe(y: str = 'a' * 10 ** 9) -> dict:": "no literal that JSON has",
    "def probe(*y: int) -> dict:": "*y is not allowed; name each parameter",
    "def probe(**y: int) -> dict:": "*y is not allowed",
    "def probe(y: int, /) -> dict:": "y is positional only",
    "def probe(_y: int) -> dict:": "an argument's name begins with a letter",
    "def probe(y: int):": "a tool returns a dict; annotate it",
    "def probe(y: int) -> str:": "a tool returns a dict; annotate it",
    "def probe(y: int) -> 'x(':": "a tool returns a dict; annotate it",
    "def print(y: int) -> dict:": "print means something to Python",
    "def Probe(y: int) -> dict:": "'Probe' is no name of a tool",
    "def _probe(y: int) -> dict:": "there is no public function",
    "def take_phot0(y: int) -> dict:": "take_phot0 looks like the tool take_photo",
    "def nod_twice(y: int) -> dict:": "there is a tool nod_twice already",
}


@pytest.mark.parametrize(("head", "message"), SIGNATURES.items(), ids=SIGNATURES)
def test_a_signature_that_cannot_be_called_is_refused(head: str, message: str) -> None:
    assert message in complaint(f'{head}\n    """Do it."""\n    return {{}}\n', "nod_twice")


@pytest.mark.parametrize(
    ("docstring", "message"),
    [
        ("pass", "probe has no docstring"),
        ('""""""', "probe has no docstring"),
        ('"""Do.\n\n    Returns:\n        It."""', "the docstring does not say what y is; add a line 'y: ...'"),
        ('"""Do.\n\n    Args:\n        z: Zed.\n\n    Returns:\n        It."""', "does not say what y is"),
        ('"""Do.\n\n    Args:\n        y: Why."""', "the docstring does not say what is returned"),
        ('"""Do \\u202eit."""', "U+202E (right-to-left override) may not be in the docstring"),
        ('"""Do \\x1b[31mit."""', "U+001B (a control character) may not be in the docstring"),
    ],
)
def test_a_docstring_that_does_not_say_enough_is_refused(docstring: str, message: str) -> None:
    assert message in complaint(f"def probe(y: int) -> dict:\n    {docstring}\n    return {{}}\n")


def test_a_function_without_a_result_is_refused() -> None:
    assert "yields nothing" in complaint('def probe() -> dict:\n    """Do it."""\n    yield {}\n')
    assert "probe returns nothing" in complaint('def probe() -> dict:\n    """Do it."""\n    print(1)\n')


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
    validate(tool(body))


PIECES = st.sampled_from(
    [
        "def f(",
        "):",
        "x",
        " = ",
        "1",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        "\n",
        "\n    ",
        "lambda ",
        "import os",
        "class A:",
        "await ",
        "yield ",
        "return ",
        "f'{",
        "}'",
        "'",
        '"""',
        ".",
        "__class__",
        "@",
        "->",
        "match x:",
        "case ",
        "*",
        "**",
        "\\",
        "#",
        "async ",
        "-",
        "not ",
        "1e999",
        "0x",
        "\u0430",
        "\ufb01",
        "try:",
        "except ",
        "with ",
        "if ",
        "else:",
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=200))
def test_every_text_is_accepted_or_refused(text: str) -> None:
    try:
        program = validate(text)
    except Rejection as rejection:
        assert rejection.stage is Stage.SYNTAX  # noqa: PT017 - and nothing else was raised
        return
    assert program.name


@given(st.integers(0, len(HONEST) - 1), st.data())
def test_every_part_of_an_honest_tool_is_accepted_or_refused(chosen: int, data: st.DataObject) -> None:
    source = HONEST[chosen]
    first, last = sorted(data.draw(st.tuples(st.integers(0, len(source)), st.integers(0, len(source)))))
    try:
        validate(source[:first] + source[last:])
    except Rejection as rejection:
        assert rejection.complaints  # noqa: PT017 - and nothing else was raised
