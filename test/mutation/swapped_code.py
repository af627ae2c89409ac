"""Changes functions of a module where they stand, so that nothing has to be imported again to try another source."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType


def swap(path: str, before: str, after: str) -> bool:
    """Gives every function of a loaded module the code that it has in another source of it.

    Args:
        path: File of the module, as it was imported.
        before: Its source as it was imported.
        after: The other source, with the same functions.

    Returns:
        Whether this was all there was to do; nothing has changed otherwise. What a module or a class body computes
        while it is imported is not computed again.
    """
    codes = other_codes(path, before, after)
    for function, code in (codes or {}).items():
        function.__code__ = code
    return codes is not None


def other_codes(path: str, before: str, after: str) -> dict[FunctionType, CodeType] | None:
    """What `swap` gives to which function; None where that would not be all there is to do."""
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
    """Each code object with its counterpart, however deep."""
    yield old, new
    for one, other in zip(_nested(old), _nested(new), strict=True):
        yield from _pairs(one, other)


def _nested(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _is_function(code: CodeType) -> bool:
    return bool(code.co_flags & inspect.CO_OPTIMIZED)  # the bodies of modules and classes are not


def _body(code: CodeType) -> tuple[bytes, tuple[str, ...], str]:
    """What a code object does, but for the code objects within; 1 and True are told apart."""
    constants = [None if isinstance(each, CodeType) else each for each in code.co_consts]
    return code.co_code, code.co_names, repr(constants)
