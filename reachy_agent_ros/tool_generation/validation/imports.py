"""Imports of a tool: the allowed modules and their names, and the dotted path of each imported name.

A deny-list cannot be complete: `asyncio.events.os`, `typing.sys` and `cv2.os` all reach the machine by public names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from reachy_agent_ros.tool_generation.validation.allowed_names.picture_names import OPENCV, PILLOW
from reachy_agent_ros.tool_generation.validation.allowed_names.standard_names import NUMPY, STANDARD
from reachy_agent_ros.tool_generation.verdict import Complaint

ROBOT: Mapping[str, str] = {
    "reachy_agent": "analyze_scene dance detect_objects express_emotion gesture look_at play_move say take_photo",
    "reachy_mini": "ReachyMini",
    "reachy_mini.utils": "create_head_pose",
    "requests": """
        ConnectionError HTTPError JSONDecodeError RequestException Response Timeout TooManyRedirects get""",
    "requests.exceptions": """
        ConnectTimeout ConnectionError HTTPError InvalidURL JSONDecodeError ReadTimeout RequestException Timeout
        TooManyRedirects""",
}
"""Allowed names by module, separated by spaces."""

PREDECLARED = frozenset(ROBOT["reachy_agent"].split())
"""Functions that the sandbox declares without an import."""

MODULES: Mapping[str, frozenset[str]] = {
    module: frozenset(names.split()) for module, names in {**STANDARD, **NUMPY, **OPENCV, **PILLOW, **ROBOT}.items()
}
"""Allowed names by module."""

_FEW = 20
"""Maximum number of a module's names that a message lists."""

_NO_FILES = "tools cannot keep files; return the data instead"
_NO_SCREEN = "there is no screen; return what was found, or write the picture with cv2.imwrite"
_DETECTION = "use detect_objects([...]) of reachy_agent"
_ONLY_GET = "only GET requests are possible: requests.get(url)"

_INSTEAD = {
    "builtins": "call built-in functions by name",
    "concurrent": "use asyncio.gather",
    "glob": _NO_FILES,
    "httpx": _ONLY_GET,
    "logging": "use print, which is logged",
    "multiprocessing": "use asyncio.gather",
    "os": "tools cannot reach the system; write a picture under a plain name: cv2.imwrite('photo.jpg', frame)",
    "pathlib": "a picture's name is a plain string: cv2.imwrite('photo.jpg', frame)",
    "pickle": "use json.dumps and json.loads",
    "reachy_mini.apps": "a tool is one function",
    "reachy_mini.motion": "use play_move, dance and express_emotion of reachy_agent",
    "rclpy": "tools reach the robot through reachy_mini and reachy_agent",
    "scipy": "use numpy",
    "shutil": _NO_FILES,
    "subprocess": "tools cannot start programs",
    "sys": "tools cannot reach the interpreter",
    "tempfile": _NO_FILES,
    "threading": "use asyncio.gather",
    "cv2.CascadeClassifier": _DETECTION,
    "cv2.FaceDetectorYN": _DETECTION,
    "cv2.VideoCapture": "frames come from ReachyMini().media.get_frame()",
    "cv2.data": _DETECTION,
    "cv2.destroyAllWindows": _NO_SCREEN,
    "cv2.getTickCount": "use time.perf_counter()",
    "cv2.getTickFrequency": "use time.perf_counter()",
    "cv2.dnn": _DETECTION,
    "cv2.imshow": _NO_SCREEN,
    "cv2.waitKey": _NO_SCREEN,
    "functools.wraps": "decorators are not allowed; call the function instead",
    "json.dump": "use json.dumps and return the text",
    "json.load": "use json.loads with a text",
    "numpy.load": _NO_FILES,
    "numpy.loadtxt": _NO_FILES,
    "numpy.save": _NO_FILES,
    "numpy.savetxt": _NO_FILES,
    "numpy.trapz": "use numpy.trapezoid",
    "requests.Session": _ONLY_GET,
    "requests.delete": _ONLY_GET,
    "requests.post": _ONLY_GET,
    "requests.put": _ONLY_GET,
    "requests.request": _ONLY_GET,
    "urllib.request": _ONLY_GET,
}
"""Alternatives for modules and names that models like to use."""

Imports = Mapping[str, str]
"""Dotted path by the name to which an import binds it, in any scope."""


def is_module(path: str) -> bool:
    """Returns whether a dotted path is the path of an allowed module."""
    return path in MODULES


def is_allowed(module: str, name: str) -> bool:
    """Returns whether a tool may use a name of an allowed module. The name may be a submodule."""
    return name in MODULES[module] or is_module(f"{module}.{name}")


def import_line(name: str) -> str:
    """Returns the import line that a tool needs for an undefined name. Returns "" if the name is unknown."""
    if name == "np":
        return "import numpy as np"
    if is_module(name):
        return f"import {name}"
    owner = next((module for module, names in ROBOT.items() if name in names.split()), "")
    return f"from {owner} import {name}" if owner else ""


def import_complaint(path: str) -> str:
    """Returns the complaint about the import of a forbidden module. The complaint suggests alternatives."""
    parts = path.split(".")
    beginnings = (".".join(parts[:number]) for number in range(len(parts), 0, -1))
    instead = next((_INSTEAD[each] for each in beginnings if each in _INSTEAD), "")
    allowed = ", ".join(sorted(module for module in MODULES if "." not in module and module != "__future__"))
    return f"{path:.60} cannot be imported; {instead or f'a tool may import: {allowed}'}"


def name_complaint(module: str, name: str) -> str:
    """Returns the complaint about a forbidden name of an allowed module. The complaint suggests similar names."""
    instead = _INSTEAD.get(f"{module}.{name}")
    alike = get_close_matches(name, MODULES[module], n=3, cutoff=0.7)
    if not instead and alike:
        instead = f"similar: {', '.join(f'{module}.{one}' for one in alike)}"
    if not instead and len(MODULES[module]) <= _FEW:
        instead = f"available: {', '.join(sorted(MODULES[module]))}"
    return f"{module}.{name:.60} cannot be used; {instead or 'compute it another way'}"


def read_imports(tree: ast.Module) -> Imports:
    """Returns the dotted path of each imported name. If a name is imported twice, a module takes precedence.

    An imported name has one meaning in the complete source, in any scope, and the name of a module has no other meaning
    at all: `import_complaints` rejects everything else.
    """
    bound = sorted(((alias, path) for _, alias, path in _bound(tree)), key=lambda each: is_module(each[1]))
    return dict(bound)


def import_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Yields complaints about forbidden imports, and about names that would shadow a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if not is_module(one.name):
                    yield Complaint(node.lineno, import_complaint(one.name))
        elif isinstance(node, ast.ImportFrom):
            yield from _from_complaints(node)
    for line, alias, path in _bound(tree):
        if imports[alias] != path:
            message = f"{alias:.60} stands for both {path:.60} and {imports[alias]:.60}; import one under another name"
            yield Complaint(line, message)
    for line, name in stored_names(tree):
        if is_module(imports.get(name, "")):
            yield Complaint(line, f"{name} is an imported module; give what is stored here another name")


def stored_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields the line and name of every binding that is neither an import nor a class.

    Such bindings are assignments, deletions, parameters, functions, exceptions and match patterns.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            yield node.lineno, node.name or ""
        elif isinstance(node, ast.MatchMapping):
            yield node.lineno, node.rest or ""


def _from_complaints(node: ast.ImportFrom) -> Iterator[Complaint]:
    if node.level or not node.module:
        yield Complaint(node.lineno, "relative imports are not allowed; a tool is one file")
        return
    if not is_module(node.module):
        yield Complaint(node.lineno, import_complaint(node.module))
        return
    for one in node.names:
        if one.name == "*":
            yield Complaint(node.lineno, f"import the names that you use from {node.module}, not *")
        elif not is_allowed(node.module, one.name):
            yield Complaint(node.lineno, name_complaint(node.module, one.name))


def _bound(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yields the line, name and dotted path of every name that an import binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                top = one.name.partition(".")[0]
                yield node.lineno, one.asname or top, one.name if one.asname else top
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                yield node.lineno, one.asname or one.name, f"{node.module}.{one.name}"
