"""Attributes that a tool may use: the names of allowed modules, and safe attributes of objects.

Also restricts `numpy.ndarray` to type annotations and `isinstance`: when called with a buffer and `dtype=object`, it
would interpret numbers as addresses.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Collection, Iterator, Mapping

from reachy_agent_ros.tool_generation.validation.imports import (
    Imports,
    is_allowed,
    is_module,
    name_complaint,
    stored_names,
)
from reachy_agent_ros.tool_generation.verdict import Complaint

_HARMLESS = frozenset(("__name__", "_asdict", "_fields", "_replace"))
"""Harmless names with underscores: a name as text, and the methods of a named tuple."""

_FRAMES = re.compile(r"(ag|co|cr|f|gi|tb)_\w+|func_\w+|mro")
"""Attributes of frames, coroutines, generators, tracebacks, code, functions and classes that lead out of a scope."""

_HAZARDS = """
    add_reader add_signal_handler add_writer bit_generator call_exception_handler capsule cffi connect_accepted_socket
    connect_read_pipe connect_write_pipe create_connection create_datagram_endpoint create_server
    create_unix_connection create_unix_server ctypes dump dumps format_map fromfile get_coro get_loop get_stack
    getaddrinfo getnameinfo load_module obj print_stack remove_signal_handler run_in_executor sendfile
    set_default_executor set_exception_handler set_state set_task_factory show sock_accept sock_connect start_tls
    subprocess_exec subprocess_shell tofile with_traceback
"""
"""Methods of objects that write files, start programs, open connections, or lead to memory and stacks."""

_HAZARDOUS = frozenset(_HAZARDS.split())


_INSTEAD = {
    "__class__": "use type(thing).__name__ for its name and isinstance for its kind",
    "__dict__": "use a dictionary",
    "run_in_executor": "use asyncio.to_thread",
    "set_state": "numpy reads memory at the position in the state; create a generator with a seed",
    "show": "there is no screen; return what was found",
    "tofile": "tools cannot keep files; return the data instead, with tolist()",
}

_ARRAY = "numpy.ndarray"
_GENERIC = ("collections.abc.", "numpy.typing.", "typing.")


def is_hazard(name: str) -> bool:
    """Returns whether an attribute of an object is forbidden."""
    if name in _HARMLESS:
        return False
    return name.startswith("_") or name in _HAZARDOUS or _FRAMES.fullmatch(name) is not None


def path_of(node: ast.expr, imports: Imports) -> str:
    """Returns the dotted path of an imported name, or of a name in a module that tools may import, otherwise "".

    Members of a function or class in a module have no path: `datetime.datetime` has one, its `now` does not.
    """
    if isinstance(node, ast.Name):
        return imports.get(node.id, "")
    if isinstance(node, ast.Attribute) and is_module(base := path_of(node.value, imports)):
        return f"{base}.{node.attr}"
    return ""


def attribute_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Yields complaints about forbidden attributes, and about modules used as values."""
    plain_calls = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and _names_options(node)}
    bases = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    templates = _templates(tree, imports)
    for node in ast.walk(tree):
        if isinstance(node, ast.MatchClass):
            hazards = filter(is_hazard, node.kwd_attrs)
            yield from (Complaint(node.lineno, _hazard(name)) for name in hazards)
        if not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        loaded = isinstance(node.ctx, ast.Load)
        if loaded and id(node) not in bases and is_module(path := path_of(node, imports)):
            yield Complaint(
                node.lineno, f"{path} is a module and cannot be used as a value; use its names, {path}.NAME"
            )
        if isinstance(node, ast.Attribute):
            base = path_of(node.value, imports)
            message = _of_module(node, base) if is_module(base) else _of_object(node, templates)
            if node.attr == "resize" and not is_module(base) and id(node) not in plain_calls:
                message = (
                    "resize must be called directly with named arguments; ** could contain refcheck, which frees memory"
                )
            if message:
                yield Complaint(node.lineno, message)


def array_type_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Yields complaints about uses of the array type other than in annotations and `isinstance`.

    Elsewhere, the type could be stored and called later.
    """
    own = {name for _, name in stored_names(tree)}
    types = {id(part) for node in ast.walk(tree) for part in _types(node, imports, own)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and path_of(node, imports) == _ARRAY and id(node) not in types:
            where = f"{_ARRAY} is only for annotations and isinstance"
            yield Complaint(node.lineno, f"{where}; make arrays with numpy.array or numpy.zeros")


def _of_module(node: ast.Attribute, module: str) -> str:
    if not is_allowed(module, node.attr):
        return name_complaint(module, node.attr)
    return "" if isinstance(node.ctx, ast.Load) else f"{module} cannot be changed; keep the value in a variable"


def _names_options(call: ast.Call) -> bool:
    return all(option.arg is not None for option in call.keywords)


def _of_object(node: ast.Attribute, templates: Mapping[str, ast.expr]) -> str:
    if node.attr == "format" and not _is_plain_template(node.value, templates):
        return (
            "format is allowed on a literal text, or a constant that is one, with plain fields like '{:.2f}' or "
            "'{name}'; use an f-string, f'{value:>{width}}', or format(value, layout)"
        )
    return _hazard(node.attr) if is_hazard(node.attr) else ""


def _hazard(name: str) -> str:
    if name.startswith("_"):
        instead = _INSTEAD.get(name, "use public attributes, without a leading underscore")
        return f"the attribute {name:.60} is not public; {instead}"
    instead = _INSTEAD.get(name, "it reaches beyond the tool")
    return f"the attribute {name:.60} is not allowed; {instead}"


def _templates(tree: ast.Module, imports: Imports) -> Mapping[str, ast.expr]:
    """Returns the top-level constants that are assigned only once in the complete source."""
    stored = [*imports, *(name for _, name in stored_names(tree))]
    assigned = (
        (one.targets[0].id, one.value)
        for one in tree.body
        if isinstance(one, ast.Assign) and len(one.targets) == 1 and isinstance(one.targets[0], ast.Name)
    )
    return {name: value for name, value in assigned if stored.count(name) == 1}


def _is_plain_template(node: ast.expr, templates: Mapping[str, ast.expr]) -> bool:
    """Returns whether an expression is a template string that reads no attributes or items.

    For example, the template `{0.name}` reads an attribute.
    """
    if isinstance(node, ast.Name):
        node = templates.get(node.id, node)
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    try:
        return _reads_nothing(node.value)
    except ValueError:
        return False


def _reads_nothing(template: str) -> bool:
    """Returns whether a template reads no attributes or items, in its fields and the fields nested in their formats."""
    return all(
        "." not in name and "[" not in name and _reads_nothing(layout or "")
        for _, name, layout, _ in string.Formatter().parse(template)
        if name is not None
    )


def _types(node: ast.AST, imports: Imports, own: Collection[str]) -> Iterator[ast.expr]:
    """Yields the expressions that a node uses only as types, for example in annotations."""
    match node:
        case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
            yield from _parts(annotation, imports, own)
        case ast.FunctionDef(returns=ast.expr() as annotation) | ast.AsyncFunctionDef(returns=ast.expr() as annotation):
            yield from _parts(annotation, imports, own)
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]) if not {"isinstance"} & {*own, *imports}:
            yield from kind.elts if isinstance(kind, ast.Tuple) else [kind]


def _parts(annotation: ast.expr, imports: Imports, own: Collection[str]) -> Iterator[ast.expr]:
    """Yields the parts of an annotation.

    The subscripts of the tool's own objects are not included, because these objects could store the subscript.
    """
    yield annotation
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            parts = [left, right]
        case ast.Subscript(value=base, slice=inner) if _is_generic(base, imports, own):
            parts = inner.elts if isinstance(inner, (ast.Tuple, ast.List)) else [inner]
        case _:
            parts = []
    for part in parts:
        yield from _parts(part, imports, own)


def _is_generic(base: ast.expr, imports: Imports, own: Collection[str]) -> bool:
    if path := path_of(base, imports):
        return path.startswith(_GENERIC)
    return isinstance(base, ast.Name) and base.id not in own
