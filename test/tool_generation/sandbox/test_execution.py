"""Handling of sandbox processes that send invalid messages, incomplete messages or no messages."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.job import Clock, Job, Limits
from reachy_agent_ros.tool_generation.sandbox import backend
from reachy_agent_ros.tool_generation.sandbox.execution import LONGEST_LOG
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from support.tool_generation.unguarded_box import Run

BROKEN = {
    "nothing at all": "import os; os._exit(0)",
    "a closed pipe": "import os, time; os.close(writer.fileno()); time.sleep(60)",
    "a crash": "import ctypes; ctypes.string_at(0)",
    "a deep recursion": "import sys; sys.setrecursionlimit(10**9); f = lambda _=0: list(map(f, [0])); f()",
    "rubbish": "writer.write(b'\\xff' * 100); writer.flush()",
    "invalid JSON": "writer.write(b'\\0\\0\\0\\2{,'); writer.flush()",
    "not an object": "writer.write(b'\\0\\0\\0\\2[]'); writer.flush()",
    "not a number": "writer.write(b'\\0\\0\\0\\x0e{\"result\": NaN'); writer.flush()",
    "half a frame": "import os; writer.write(b'\\0\\0\\1\\0{'); writer.flush(); os._exit(0)",
    "a huge frame": "writer.write(b'\\x7f\\xff\\xff\\xff{'); writer.flush()",
    "a deep frame": """
data = b'{"result":' + b'[' * 99999
writer.write(len(data).to_bytes(4, 'big') + data)
writer.flush()
""",
    "a second ready": "wire.write_frame(writer, {'ready': True}, 99)",
    "an end without a log": "wire.write_frame(writer, {'result': 1}, 99)",
    "an end with more": "wire.write_frame(writer, {'result': 1, 'log': '', 'passed': True}, 99)",
    "both ends": "wire.write_frame(writer, {'result': 1, 'failed': {}, 'log': ''}, 99)",
    "two results": "wire.write_frame(writer, {'result': 1, 'log': ''}, 99)",
    "a call after the end": """
wire.write_frame(writer, {'result': 1, 'log': ''}, 99)
wire.write_frame(writer, {'call': 'hold', 'arguments': {}}, 99)
""",
    "bytes after the end": "wire.write_frame(writer, {'result': 1, 'log': ''}, 99); writer.write(b'x'); writer.close()",
    "an end that does not end": """
import time
wire.write_frame(writer, {'result': 1, 'log': ''}, 99)
time.sleep(60)
""",
    "an invalid verb": "wire.write_frame(writer, {'call': 3, 'arguments': {}}, 99)",
    "invalid arguments": "wire.write_frame(writer, {'call': 'hold', 'arguments': []}, 99)",
}

ENDLESS = {
    "a loop": "while True: pass",
    "a sleep": "import time; time.sleep(60)",
    "one long step": "9 ** 9 ** 9",
    "a regular expression": "import re; re.match('(a+)+$', 'a' * 64 + 'b')",
    "swallowed exceptions": """
while True:
    try:
        while True: pass
    except BaseException:
        pass
""",
    "ignored signals": """
import signal, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGALRM): signal.signal(number, signal.SIG_IGN)
time.sleep(60)
""",
    "half a frame": "import time; writer.write(b'\\0\\0\\1\\0{'); writer.flush(); time.sleep(60)",
    "calls without end": "while True: call('hold')",
    "an answer that is not read": """
import time
wire.write_frame(writer, {'call': 'frame', 'arguments': {}}, 99)
time.sleep(60)
""",
}


@pytest.mark.parametrize("what", BROKEN)
def test_protocol_violation_by_worker_fails_tool_run(run: Run, what: str) -> None:
    end = run(BROKEN[what])
    assert end.result is None
    assert end.error is not None
    assert end.error.code is ErrorCode.TOOL_FAILED


@pytest.mark.parametrize("what", ENDLESS)
def test_endless_tool_times_out_in_sandbox(run: Run, what: str) -> None:
    end = run(ENDLESS[what], answer=lambda verb, arguments: "x" * (1 << 20), time=0.3)
    assert end.error is not None
    assert end.error.code is ErrorCode.TIMEOUT
    assert "0.3 s" in end.error.message


def test_tool_that_exceeds_its_processor_time_is_told_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "WARM_UP", -19)  # a limit of 1 s, so that a single thread reaches it
    end = run("while True: pass", time=20.0)
    assert end.error is not None
    assert end.error.code is ErrorCode.TIMEOUT
    assert "Stopped after its limit of 1 s of processor time, to which all its threads count" in end.error.message


@pytest.mark.slow
def test_excessive_number_of_frames_ends_tool_run(run: Run) -> None:
    end = run("while True: wire.write_frame(writer, {'call': 'say', 'arguments': {'x': 'x' * 10**6}}, 1 << 20)")
    assert end.error is not None
    assert end.error.code is ErrorCode.TOOL_FAILED
    assert "bytes in total" in end.error.message


def test_creating_too_many_files_ends_tool_run(run: Run) -> None:
    end = run("import os\nfor n in range(10**9): os.close(os.open(f'/tmp/{n}', os.O_CREAT))", time=60.0)
    assert end.error is not None
    assert end.error.code is ErrorCode.TOOL_FAILED
    refused = "Operation not permitted" in end.error.message  # the Landlock sandbox has no scratch folder
    assert refused or "it created more than 2000 files" in end.error.message  # well before its time limit


def test_sandboxed_tool_returns_result(run: Run) -> None:
    assert run("return {'text': 'お元気', 'list': [1, 2.5, None, True]}").result == {
        "text": "お元気",
        "list": [1, 2.5, None, True],
    }


def test_failed_tool_run_states_exception_and_line(run: Run) -> None:
    end = run("x = 1\nraise KeyError('head')")
    assert (end.raised, end.log) == ("KeyError", "printed")
    assert end.error is not None
    assert end.error.message == "KeyError on line 3: 'head'"


def test_sandbox_truncates_long_output_of_tool(run: Run) -> None:
    end = run("wire.write_frame(writer, {'result': 1, 'log': 'x' * 99999}, 1 << 20); import os; os._exit(0)")
    assert len(end.log) == LONGEST_LOG


def test_tool_requests_are_handled_in_thread_of_caller(run: Run) -> None:
    calls: list[tuple[str, Mapping[str, Any], threading.Thread]] = []

    def answer(verb: str, arguments: Mapping[str, Any]) -> Any:
        calls.append((verb, arguments, threading.current_thread()))
        return {"yaw": 0.5}

    assert run("return call('look', yaw=1.5)", answer).result == {"yaw": 0.5}
    assert calls == [("look", {"yaw": 1.5}, threading.current_thread())]


def test_rejected_tool_request_raises_error_in_tool(run: Run) -> None:
    def refuse(verb: str, arguments: Mapping[str, Any]) -> Any:
        raise AgentError(ErrorCode.OUT_OF_ENVELOPE, "Too far.")

    body = """
try:
    call('look')
except RuntimeError as error:
    return str(error)
"""
    assert run(body, refuse).result == "OUT_OF_ENVELOPE"


def test_response_that_is_not_json_raises_error_in_tool(run: Run) -> None:
    end = run("call('frame')", lambda verb, arguments: float("nan"))
    assert end.error is not None
    assert "INTERNAL" in end.error.message


def test_asyncio_and_threads_work_in_sandbox(run: Run) -> None:
    body = """
import asyncio
async def main():
    await asyncio.sleep(0.001)
    return await asyncio.to_thread(sum, [1, 2])
return asyncio.run(main())
"""
    assert run(body).result == 3


def test_cancel_ends_tool_run(sandbox: Sandbox) -> None:
    cancel = CancelToken()

    def answer(verb: str, arguments: Mapping[str, Any]) -> None:
        threading.Thread(target=cancel.cancel).start()

    source = "import time\ndef tool():\n    call('started')\n    time.sleep(60)\n"
    end = sandbox.run(Job(source, "tool", limits=Limits(time=50)), answer, cancel)
    assert end.error is not None
    assert end.error.code is ErrorCode.CANCELED


def test_tool_run_canceled_before_start_does_not_start(sandbox: Sandbox) -> None:
    cancel = CancelToken()
    cancel.cancel()
    end = sandbox.run(Job("def tool():\n    return 1\n", "tool"), lambda verb, arguments: None, cancel)
    assert end.error is not None
    assert end.error.code is ErrorCode.CANCELED


@pytest.mark.slow
def test_tool_time_limit_excludes_request_handling_with_virtual_clock(sandbox: Sandbox) -> None:
    waiting = threading.Event()

    def slow(verb: str, arguments: Mapping[str, Any]) -> None:
        waiting.wait(0.4)

    job = Job("def tool():\n    call('goto')\n    return 1\n", "tool", limits=Limits(time=0.3), clock=Clock.VIRTUAL)
    assert sandbox.run(job, slow, CancelToken()).result == 1
    real = sandbox.run(Job(job.source, "tool", limits=job.limits), slow, CancelToken())
    assert real.error is not None
    assert real.error.code is ErrorCode.TIMEOUT


def test_rejects_tool_arguments_that_are_not_json(sandbox: Sandbox) -> None:
    job = Job("def tool(x):\n    return x\n", "tool", {"x": float("inf")})
    end = sandbox.run(job, lambda verb, arguments: None, CancelToken())
    assert end.error is not None
    assert end.error.code is ErrorCode.INVALID_ARGUMENTS
