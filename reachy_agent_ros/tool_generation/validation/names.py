"""Checks the names that a tool uses, and the name of the tool itself.

A tool may use its own names, imported names, harmless built-ins, and names that the sandbox declares. Its name must not
be in use, imitate a name in use, or have a meaning in Python.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import symtable
import sys
from collections.abc import Collection, Iterator
from difflib import get_close_matches

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.validation.imports import MODULES, PREDECLARED, import_line, stored_names
from reachy_agent_ros.tool_generation.verdict import Complaint

_FUNCTIONS_AND_TYPES = """
    abs aiter all anext any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate filter
    float format frozenset hasattr hash hex id int isinstance issubclass iter len list map max min next object oct ord
    pow print property range repr reversed round set slice sorted staticmethod str sum tuple zip Ellipsis
    NotImplemented"""

_EXCEPTIONS = """
    ArithmeticError AssertionError AttributeError ConnectionError EOFError Exception FileNotFoundError
    FloatingPointError ImportError IndexError KeyError LookupError MemoryError NameError NotImplementedError OSError
    OverflowError PermissionError RecursionError RuntimeError RuntimeWarning StopAsyncIteration StopIteration
    SyntaxError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UserWarning
    ValueError Warning ZeroDivisionError"""

EXCEPTIONS = frozenset(_EXCEPTIONS.split())
"""Built-in exceptions that a tool may use."""

BUILTINS = frozenset(_FUNCTIONS_AND_TYPES.split()) | EXCEPTIONS
"""Built-in functions, types and exceptions that a tool may use."""

_ALLOWED = BUILTINS | PREDECLARED

_INSTEAD = {
    "BaseException": "catch Exception",
    "__name__": "a tool is called by its function; remove code that runs on its own",
    "getattr": "write the attribute: thing.name",
    "input": "a tool gets its input as arguments",
    "open": "tools cannot keep files; return the data instead",
    "setattr": "keep values in variables and dictionaries",
    "super": "write the fields of all classes into one",
    "type": "use isinstance; type(error).__name__ is allowed",
    "vars": "use a dictionary",
}


def identifier_complaints(tree: ast.Module, special: frozenset[int]) -> Iterator[Complaint]:
    """Yields complaints about forbidden arguments, and names that are not ASCII or are reserved by Python.

    Args:
        tree: The source.
        special: The `id` of each method that may have a special name.
    """
    for node in ast.walk(tree):
        if id(node) in special:
            continue
        for name in _identifiers(node):
            line = getattr(node, "lineno", 1)
            if not name.isascii():
                yield Complaint(line, f"the name {name!a:.60} is not ASCII; use a to z, 0 to 9 and _")
            elif name.startswith("__"):
                instead = _INSTEAD.get(name, "Python uses such names itself")
                yield Complaint(line, f"the name {name:.60} is not allowed; {instead}")
            elif name.startswith("_") and isinstance(node, ast.keyword):
                yield Complaint(line, f"the argument {name:.60} is private; use public arguments")
            elif name == "refcheck":  # of ndarray.resize, which could free memory that other arrays use
                yield Complaint(line, "the argument refcheck is not allowed; use np.resize")


def name_complaints(text: str, tree: ast.Module) -> Iterator[Complaint]:
    """Yields complaints about undefined names, and about forbidden built-ins."""
    table = symtable.symtable(text, "tool", "exec")
    own = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }
    places = _places(tree)
    known = own | _ALLOWED | {name for _, name in stored_names(tree)}
    for first, name in sorted(set(_unresolved(table))):
        if name in own | _ALLOWED or name.startswith("__") or (name == "type" and name not in places):
            continue
        line = next((line for line in places.get(name, ()) if line >= first), first)
        yield Complaint(line, _message(name, known))


def _unresolved(table: symtable.SymbolTable) -> Iterator[tuple[int, str]]:
    """Yields each name that a scope reads from the global scope, with the first line of the scope."""
    of_class = table.get_type() == "class"
    for symbol in table.get_symbols():
        # In a class body, `open = open` reads the built-in function although the class defines the name.
        if symbol.is_referenced() and (symbol.is_global() or (of_class and hasattr(builtins, symbol.get_name()))):
            yield table.get_lineno(), symbol.get_name()
    for child in table.get_children():
        yield from _unresolved(child)


def _places(tree: ast.Module) -> dict[str, list[int]]:
    """Returns the lines on which each name is used, in ascending order.

    The name `type` in `type(error).__name__` is not included, because it is safe.
    """
    harmless = {id(name) for node in ast.walk(tree) if (name := _type_asked_for_its_name(node))}
    places: dict[str, list[int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in harmless:
            places.setdefault(node.id, []).append(node.lineno)
    return {name: sorted(lines) for name, lines in places.items()}


def _type_asked_for_its_name(node: ast.AST) -> ast.Name | None:
    """Returns the node of the name `type` in an expression such as `type(error).__name__`, which is safe.

    Returns None for other nodes.
    """
    match node:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="type") as name, args=[one], keywords=[]), attr="__name__"):
            return None if isinstance(one, ast.Starred) else name
    return None


def _identifiers(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.arg(arg=name):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case (
            ast.keyword(arg=str(name))
            | ast.alias(asname=str(name))
            | ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            yield name
        case ast.Nonlocal(names=names):
            yield from names


def _message(name: str, known: set[str]) -> str:
    if instead := _INSTEAD.get(name):
        return f"{name} is not available to tools; {instead}"
    if hasattr(builtins, name):
        return f"{name} is not available to tools; use variables, dictionaries and functions"
    if line := import_line(name):
        return f"the name {name:.60} is not defined; begin with: {line}"
    alike = get_close_matches(name, sorted(known), n=1, cutoff=0.8)
    hint = f"did you mean {alike[0]}?" if alike else "define it, import it, or make it a parameter"
    return f"the name {name:.60} is not defined; {hint}"


_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}", re.ASCII)

_DIGITS = str.maketrans("013457", "oleast")
"""Letters by the digits that resemble them."""

_MODULES = frozenset(module.partition(".")[0] for module in MODULES) | sys.stdlib_module_names
_RESERVED = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins))) | _MODULES


def require_free_name(name: str, taken: Collection[str]) -> None:
    """Checks that a name is valid and available for a new tool.

    Args:
        name: Name of the tool, and of its function.
        taken: Names of other tools, which the name must not imitate.

    Raises:
        AgentError: `VALIDATION_FAILED`: the name is not allowed. The message gives the rule.
    """
    if not _NAME.fullmatch(name):
        rule = "a name must have 3 to 41 characters (a to z, 0 to 9 and _) and begin with a letter"
        raise AgentError(ErrorCode.VALIDATION_FAILED, f"{name!a:.80} is not a valid tool name; {rule}")
    if name in _RESERVED:
        raise AgentError(ErrorCode.VALIDATION_FAILED, f"{name} already has a meaning in Python; choose another name")
    for other in (*taken, *sorted(PREDECLARED)):
        if other == name:
            raise AgentError(ErrorCode.VALIDATION_FAILED, f"there is already a tool {name}; choose another name")
        if skeleton(other) == skeleton(name):
            message = f"{name} looks like the tool {other:.80}; choose a name that cannot be confused with it"
            raise AgentError(ErrorCode.VALIDATION_FAILED, message)


def skeleton(name: str) -> str:
    """Returns the skeleton of a name. If two names have the same skeleton, they are easily confused.

    Digits among letters count as the letters that they resemble, i as l, m as rn, and w as vv; doubled letters count
    once, and underscores do not count. A number that is a separate word is kept, so that `step_1` and `step_11` differ.
    Follows the skeletons of Unicode Technical Standard 39, for the characters that a name may have.
    """
    words = name.casefold().split("_")
    letters = "".join(word if word.isdigit() else word.translate(_DIGITS) for word in words)
    return _single(_single(letters).replace("m", "rn").replace("w", "v").replace("i", "l"))


def _single(letters: str) -> str:
    return re.sub(r"([a-z])\1+", r"\1", letters)
