"""Classes and string templates that a tool may or may not define."""

from __future__ import annotations

import pytest

from support.tool_generation.validation_sources import IMPORTS, complaint, tool, validate

BEFORE = f"import dataclasses, enum\nfrom dataclasses import dataclass, field\n{IMPORTS}"

ALLOWED = [
    "@dataclass\nclass A:\n    x: int\n    y: list[int] = field(default_factory=list)\n",
    "@dataclasses.dataclass(frozen=True, order=True)\nclass A:\n    x: int = 1\n",
    "@dataclass\nclass A:\n    x: int = field(default=2, repr=False)\n    z: int = field(default_factory=lambda: 3)\n",
    "@dataclass\nclass A:\n    x: int\n    def __post_init__(self):\n        self.x += 1\n",
    "@dataclass\nclass A:\n    x: int\n    @property\n    def half(self) -> float:\n        return self.x / 2\n"
    "    @half.setter\n    def half(self, value):\n        self.x = 2 * value\n",
    "@dataclass\nclass A:\n    x: int\n    @classmethod\n    def read(cls, text):\n        return cls(text)\n",
    "@dataclass\nclass A:\n    x: int\n\n@dataclass\nclass B(A):\n    y: int = 0\n",
    "class A:\n    LIMIT = 3\n    def __init__(self, x: int) -> None:\n        self.x = x\n",
    "class A(typing.NamedTuple):\n    x: int = 1\n",
    "class A(typing.TypedDict, total=False):\n    x: int\n",
    "class A(ValueError):\n    pass\n",
    "@enum.unique\nclass A(str, enum.Enum):\n    RED = 'red'\n    def __str__(self):\n        return self.value\n",
    "@dataclass\nclass A:\n    x: np.ndarray\n    LIMIT: typing.ClassVar[int] = 3\n    y: int = LIMIT\n",
    "class A(enum.Flag):\n    X = enum.auto()\n",
]

REFUSED = {
    "class A(dict):\n    pass\n": "may inherit only from",
    "class A(np.ndarray):\n    pass\n": "may inherit only from",
    "class A(BaseException):\n    pass\n": "may inherit only from",
    "class A(json.JSONEncoder):\n    pass\n": "may inherit only from",
    "class A(metaclass=int):\n    pass\n": "must not have a metaclass",
    "class A(**{}):\n    pass\n": "must not have a metaclass",
    "class math:\n    pass\n": "has another meaning",
    "class isinstance:\n    pass\n": "has another meaning",
    "class say:\n    pass\n": "has another meaning",
    "class A:\n    pass\n\nclass A:\n    pass\n": "has another meaning",
    "class A:\n    class B:\n        pass\n": "at the top level",
    "class A:\n    x = say('hello')\n": "fields with literal values",
    "class A:\n    for x in (1, 2):\n        pass\n": "fields with literal values",
    "class A:\n    x: say('hello') = 1\n": "fields with literal values",
    "class A:\n    x = [say('hello') for _ in (1,)]\n": "fields with literal values",
    "class A:\n    getattr = getattr\n": "getattr is not available to tools",
    "class A:\n    open: int = open\n": "open is not available to tools",
    "class A:\n    eval = eval\n    def m(self, run=eval):\n        pass\n": "eval is not available to tools",
    "class A:\n    def m(self, x=say('hello')):\n        pass\n": "must be literal",
    "@dataclass(**{})\nclass A:\n    x: int\n": "the only class decorators allowed",
    "@dataclass(eq=print)\nclass A:\n    x: int\n": "the only class decorators allowed",
    "@print\nclass A:\n    x: int\n": "the only class decorators allowed",
    "@dataclass\nclass A:\n    x: int = field(default=say('hello'))\n": "fields with literal values",
    "class A:\n    x: np.ndarray = field(default=1)\n": "fields with literal values",
    "@dataclass\nclass A:\n    x: np.ndarray = field(default=1)\n    y = x\n": "cannot be read",
    "@dataclass\nclass A:\n    x: np.ndarray = field()\n    def m(self, y=x):\n        pass\n": "cannot be read",
    "@dataclass\nclass A:\n    x: int = field(default_factory=np.ndarray)\n": "numpy.ndarray is only for annotations",
    "from dataclasses import fields\n": "cannot be used",
    "_MAKE = dataclass\n": "are class decorators",
    "class A(enum.Enum):\n    X = 1\n    def _generate_next_value_(*x):\n        pass\n": "an enumeration may not",
    "class A(enum.Enum):\n    X = 1\n    def __init__(self, x):\n        say('hello')\n": "an enumeration may not",
    "from dataclasses import make_dataclass\n": "cannot be used",
}


@pytest.mark.parametrize("source", ALLOWED)
def test_validator_accepts_class_whose_definition_runs_no_code(source: str) -> None:
    assert validate(tool("pass", before=BEFORE + source)).name == "probe"


@pytest.mark.parametrize("source", REFUSED)
def test_validator_rejects_class_that_runs_code_or_inherits_from_library(source: str) -> None:
    assert REFUSED[source] in complaint(tool("pass", before=BEFORE + source))


@pytest.mark.parametrize(
    "name", ["__eq__", "__exit__", "__getattr__", "__new__", "__set_name__", "__reduce__", "__del__"]
)
def test_validator_rejects_special_method(name: str) -> None:
    source = f"class A:\n    def {name}(self, *parts):\n        return 1\n"
    assert f"the name {name} is not allowed" in complaint(tool("pass", before=BEFORE + source))


@pytest.mark.parametrize("body", ["@property\ndef g(): pass", "@dataclass\nclass A: pass", "def __init__(self): pass"])
def test_validator_rejects_class_syntax_outside_class(body: str) -> None:
    assert complaint(tool(body, before=BEFORE))


def test_validator_rejects_private_attribute_of_self() -> None:
    source = "class A:\n    def m(self):\n        return self._os\n"
    assert "the attribute _os is not public" in complaint(tool("pass", before=BEFORE + source))


def test_validator_accepts_constant_string_template() -> None:
    assert validate(tool("_TEXT.format(x=x)", before=f"{IMPORTS}_TEXT = 'x is {{x:>10}}'\n")).name == "probe"


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("_TEXT = '{0.x}'\n", "_TEXT.format(x)"),
        ("_TEXT = '{0}'\n", "_TEXT = x\n_TEXT.format(x)"),
        ("_TEXT = '{0}'\n", "from string import digits as _TEXT\n_TEXT.format(x)"),
        ("_TEXT = '{0}'\n", "def g(_TEXT): return _TEXT.format(x)"),
        ("_TEXT = '{0}' + '{0}'\n", "_TEXT.format(x)"),
        ("", "text = '{' + x + '}'\ntext.format(x)"),
        ("", "'{:{0.x}}'.format(x)"),
    ],
)
def test_validator_rejects_computed_string_template_and_suggests_alternative(before: str, body: str) -> None:
    told = complaint(tool(body, before=IMPORTS + before))
    assert "use an f-string, f'{value:>{width}}', or format(value, layout)" in told
