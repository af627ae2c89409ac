"""Replaces the code of a module's functions in place, so that a mutant needs no new import."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType


def swap(path: str, before: str, after: str) -> bool:
    """Replaces the code of all functions of a loaded module with the code from a changed source.

    Args:
        path: Path of the module's file at import.
        before: Source of the module at import.
        after: The changed source, with the same functions.

    Returns:
        Whether the change is fully applied. A change of code that runs at import, in the body of a module or class,
        cannot be applied; no code is replaced then.
    """
    codes = changed_codes(path, before, after)
    for function, code in (codes or {}).items():
        function.__code__ = code
    return codes is not None


def changed_codes(path: str, before: str, after: str) -> dict[FunctionType, CodeType] | None:
    """Returns the new code of each function, or None if replacing the code would not fully apply the change."""
    try:
        pairs = list(_pairs(_compiled(before, path), _compiled(after, path)))
    except ValueError:  # the change removed a lambda or a comprehension
        return None
    if any(not _is_function(old) and _body(old) != _body(new) for old, new in pairs):
        return None
    codes = {old: new for old, new in pairs if _is_function(old)}
    functions = [each for each in gc.get_objects() if isinstance(each, FunctionType) and each.__code__ in codes]
    found = {each: codes[each.__code__] for each in functions if each.__code__.co_filename == path}
    fits = all(code.co_freevars == each.__code__.co_freevars for each, code in found.items())
    return found if fits else None


def _compiled(source: str, path: str) -> CodeType:
    return compile(source, path, "exec", dont_inherit=True)


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yields the pairs of corresponding code objects in two code objects, including nested ones."""
    yield old, new
    for one, other in zip(_nested(old), _nested(new), strict=True):
        yield from _pairs(one, other)


def _nested(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _is_function(code: CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_OPTIMIZED)  # not set for the bodies of modules and classes


def _body(code: CodeType) -> tuple[bytes, tuple[str, ...], str]:
    """Returns a key for comparing a code object without its nested code objects.

    `repr` distinguishes 1 from True.
    """
    constants = [None if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.co_code, code.co_names, repr(constants)
