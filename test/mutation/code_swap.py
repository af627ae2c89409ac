"""Replaces the code of a module's functions in place, so that no module has to be imported again for a mutant."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType


def swap(path: str, before: str, after: str) -> bool:
    """Gives every function of a loaded module the code that it has in a changed source.

    Args:
        path: File of the module, as it was imported.
        before: Its source as it was imported.
        after: The changed source, with the same functions.

    Returns:
        Whether that applies the whole change. If not, nothing is replaced: what a module or class body computes at
        import is not computed again.
    """
    codes = changed_codes(path, before, after)
    for function, code in (codes or {}).items():
        function.__code__ = code
    return codes is not None


def changed_codes(path: str, before: str, after: str) -> dict[FunctionType, CodeType] | None:
    """Returns the code that `swap` gives to each function; None if that would not apply the whole change."""
    try:
        pairs = list(_pairs(_compiled(before, path), _compiled(after, path)))
    except ValueError:  # a lambda or a comprehension is gone
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
    """Each code object with its counterpart, at every depth."""
    yield old, new
    for one, other in zip(_nested(old), _nested(new), strict=True):
        yield from _pairs(one, other)


def _nested(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _is_function(code: CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_OPTIMIZED)  # not set for the bodies of modules and classes


def _body(code: CodeType) -> tuple[bytes, tuple[str, ...], str]:
    """Key of a code object without nested ones. The text of the constants distinguishes 1 and True."""
    constants = [None if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.co_code, code.co_names, repr(constants)
