from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def test_worker_returns_tool_result_with_printed_output(run: Any) -> None:
    end = run("def tool(a: int) -> dict:\n    print('adding')\n    return {'sum': a + 1}\n", arguments={"a": 2})
    assert end == {"result": {"sum": 3}, "log": "adding\n"}


def test_worker_runs_tool_that_is_a_coroutine(run: Any) -> None:
    source = "import asyncio\nasync def tool() -> dict:\n    await asyncio.sleep(0)\n    return {'ok': True}\n"
    assert run(source)["result"] == {"ok": True}


def test_synchronous_tool_can_run_event_loop(run: Any) -> None:
    source = (
        "import asyncio\nasync def _part(): return 3\ndef tool() -> dict:\n    return {'n': asyncio.run(_part())}\n"
    )
    assert run(source)["result"] == {"n": 3}


def test_worker_converts_numpy_values_to_json(run: Any) -> None:
    source = (
        "import numpy as np\n"
        "def tool() -> dict:\n"
        "    numbers = {'a': np.arange(3), 'b': np.float32(0.5), 'c': np.bool_(True)}\n"
        "    return {**numbers, 'd': (1, 2), 'e': np.eye(2, dtype=int)}\n"
    )
    assert run(source)["result"] == {"a": [0, 1, 2], "b": 0.5, "c": True, "d": [1, 2], "e": [[1, 0], [0, 1]]}


@pytest.mark.parametrize(
    ("expression", "kind", "hint"),
    [
        ("[1]", "TypeError", "returned a list"),
        ("{'a': [float('nan')]}", "ValueError", "result['a'][0] is nan: numbers must be finite"),
        ("{'a': 'x' * 2_000_000}", "ValueError", "cannot be returned: 2000"),
        ("{'a': 10 ** 5000}", "ValueError", "cannot be returned"),
    ],
)
def test_tool_result_that_is_not_json_fails_with_reason(run: Any, expression: str, kind: str, hint: str) -> None:
    failed = run(f"def tool() -> dict:\n    return {expression}\n")["failed"]
    assert failed["type"] == kind
    assert hint in failed["message"]


@pytest.mark.parametrize(
    ("source", "kind", "line"),
    [
        ("def tool() -> dict:\n    x = 1\n    return {'a': 1 // (x - 1)}\n", "ZeroDivisionError", 3),
        ("import statistics\ndef tool() -> dict:\n    return {'a': statistics.mean([])}\n", "StatisticsError", 3),
        ("async def tool() -> dict:\n    raise KeyError('k')\n", "KeyError", 2),
        ("def tool() -> dict:\n    raise SystemExit(0)\n", "SystemExit", 2),
        ("def tool() -> dict:\n    return tool()\n", "RecursionError", 2),
        ("x = 1\ndef tool( -> dict:\n", "SyntaxError", 2),
        (
            "import asyncio\n"
            "async def _part(): return [][0]\n"
            "async def tool() -> dict:\n"
            "    async with asyncio.TaskGroup() as group: group.create_task(_part())\n",
            "IndexError",
            2,
        ),
        ("raise ValueError('at once')\n", "ValueError", 1),
        ("def other() -> dict:\n    return {}\n", "KeyError", 0),
    ],
)
def test_tool_exception_is_reported_with_line(run: Any, source: str, kind: str, line: int) -> None:
    failed = run(source)["failed"]
    assert (failed["type"], failed["line"]) == (kind, line)


@pytest.mark.slow
def test_worker_truncates_long_error_message(run: Any) -> None:
    failed = run("def tool() -> dict:\n    raise ValueError('x' * 10_000_000)\n")["failed"]
    assert len(failed["message"]) == 1000


def test_worker_truncates_long_output_of_tool(run: Any) -> None:
    end = run("def tool() -> dict:\n    for _ in range(100_000): print('word' * 10)\n    return {}\n")
    assert end["result"] == {}
    assert 4096 <= len(end["log"]) < 4200
    assert end["log"].endswith("(output truncated)")


def test_host_error_is_raised_as_builtin_exception_in_tool(run: Any) -> None:
    def answer(_verb: str, _arguments: Mapping[str, Any]) -> Any:
        raise AgentError(ErrorCode.OUT_OF_ENVELOPE, "head.pitch of 90.0 deg is beyond its limits")

    source = "from reachy_agent import say\ndef tool() -> dict:\n    say('hello')\n    return {}\n"
    failed = run(source, answer)["failed"]
    assert failed == {
        "type": "ValueError",
        "message": "OUT_OF_ENVELOPE: head.pitch of 90.0 deg is beyond its limits",
        "line": 3,
    }


@pytest.mark.slow
def test_host_receives_placeholder_for_request_that_is_not_json(run: Any) -> None:
    asked: list[tuple[str, list[str]]] = []

    def answer(verb: str, arguments: dict[str, Any]) -> None:
        asked.append((verb, list(arguments)))
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{verb}: no number")

    source = "def tool() -> dict:\n    look_at(float('nan'), 0.0, 0.0)\n    return {}\n"
    failed = run(source, answer)["failed"]
    assert asked == [("look_at", ["unsuitable"])]
    assert (failed["type"], failed["line"]) == ("ValueError", 2)


@pytest.mark.slow
def test_threads_of_tool_share_connection_to_host(run: Any) -> None:
    source = (
        "import asyncio\n"
        "async def tool() -> dict:\n"
        "    said = await asyncio.gather(*(asyncio.to_thread(say, str(n)) for n in range(20)))\n"
        "    return {'said': sorted(said, key=int)}\n"
    )
    end = run(source, lambda verb, arguments: (0.0, True) if verb == "sleep" else arguments["text"])
    assert end["result"] == {"said": [str(n) for n in range(20)]}


def test_worker_does_not_import_reachy_agent_ros(run: Any) -> None:
    source = (
        "import sys\ndef tool() -> dict:\n    return {'ours': [n for n in sys.modules if 'reachy_agent_ros' in n]}\n"
    )
    assert run(source)["result"] == {"ours": []}
