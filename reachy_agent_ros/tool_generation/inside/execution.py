"""Runs one job in this process, which is thrown away afterwards."""

from __future__ import annotations

import sys
from importlib import import_module
from types import CoroutineType
from typing import Any

from . import reachy_agent
from .failure import SOURCE_NAME, failure
from .host import Link
from .log import Log
from .plain import plain


def execute(job: dict[str, Any], link: Link) -> dict[str, Any]:
    """Runs a job to its end.

    Args:
        job: `source`, `function` and `arguments`.
        link: To the host.

    Returns:
        The last frame: `result` or `failed`, and the `log`.
    """
    log = Log()
    sys.stdout = sys.stderr = log
    import_module(f"{__package__}.clock").install(link)
    try:
        end = {"result": _result(job)}
    except BaseException as error:  # noqa: BLE001 - whatever it is, SystemExit too, it is the tool's and is told
        end = {"failed": failure(error)}
    return {**end, "log": log.text}


def _result(job: dict[str, Any]) -> Any:
    names = {"__name__": "tool", **{name: getattr(reachy_agent, name) for name in reachy_agent.__all__}}
    exec(compile(job["source"], SOURCE_NAME, "exec", dont_inherit=True), names)  # noqa: S102 - this is the box
    result: Any = names[job["function"]](**job["arguments"])
    if isinstance(result, CoroutineType):
        result = import_module("asyncio").run(result)
    if not isinstance(result, dict):
        raise TypeError(f"{job['function']} returned a {type(result).__name__}: a tool returns a dict")
    return plain(result)
