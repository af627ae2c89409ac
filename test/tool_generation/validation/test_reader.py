import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.validation import reader
from reachy_agent_ros.tool_generation.validation.reader import SourceReader, read_program
from reachy_agent_ros.tool_generation.verdict import SourceRejectedError, VerificationStage
from support.tool_generation.validation_sources import HONEST, tool, validate
from support.waiting import wait_until

TOO_COMPLEX = "line 1: the source is too complex to be read; write shorter expressions with fewer levels of nesting"


def refusal(data: bytes, *taken: str) -> SourceRejectedError:
    with pytest.raises(SourceRejectedError) as caught:
        read_program(data, taken)
    return caught.value


@pytest.mark.parametrize("source", HONEST[::8], ids=lambda source: source.split("def ", 1)[1].split("(")[0])
def test_reader_process_returns_result_of_validator(source: str) -> None:
    assert read_program(source.encode()) == validate(source)


def test_reader_process_returns_all_errors() -> None:
    source = tool("import os\nprint(undefined)")
    with pytest.raises(SourceRejectedError) as caught:
        validate(source)
    rejection = refusal(source.encode())
    assert rejection.complaints == caught.value.complaints
    assert rejection.message == caught.value.message
    assert rejection.stage is VerificationStage.SYNTAX


def test_reader_process_checks_text_before_syntax() -> None:
    assert refusal(b"\xff").stage is VerificationStage.TEXT


def test_reader_process_rejects_name_of_existing_tool() -> None:
    assert "there is already a tool probe" in refusal(tool("pass").encode(), "probe").message


@pytest.mark.parametrize(
    "expression",
    [
        "a." * 9000 + "a",
        "1+" * 9500 + "1",
        "a(" * 39 + ")" * 39 + "[0]" * 6000,
        "a if a else " * 1500 + "a",
        "await " * 3000 + "a",
        "lambda:" * 2500 + "a",
        "a**" * 6000 + "a",
        "[a for a in " * 30 + "a" + "]" * 30 + ".b" * 6000,
        "'" + "{" * 18_000 + "'",
        "f'" + "{a!r:" * 3000 + "'",
        "9" * 18_000,
        "a:=" * 5000 + "a",
    ],
    ids=lambda expression: expression[:12],
)
def test_deeply_nested_expression_is_rejected_without_crash(expression: str) -> None:
    rejection = refusal(f"def probe() -> dict:\n    return {expression}\n".encode())
    assert rejection.complaints


def test_source_with_one_million_nesting_levels_is_rejected_without_crash() -> None:
    assert "more than 20000" in refusal(b"x = " + b"-" * 1_000_000 + b"1").message


@pytest.mark.parametrize(
    "program",
    [
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "raise SystemExit(1)",
        "stream.write(b'junk')",
        "x = bytearray(1 << 40)",
        "import time; time.sleep(600)",
        "while True: stream.write(b'x' * 10**6)",
        "stream.write((2).to_bytes(4, 'big') + b'{}')",
        "m = b'{\"outline\": {\"name\": 3}}'; stream.write(len(m).to_bytes(4, 'big') + m)",
        "m = b'{\"complaints\": [[1]]}'; stream.write(len(m).to_bytes(4, 'big') + m)",
    ],
)
def test_failure_of_reader_process_is_reported_as_too_complex_source(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_PROGRAM", serving(program))
    monkeypatch.setattr(reader, "TIMEOUT", 1.0)
    assert refusal(tool("pass").encode()).message == TOO_COMPLEX


def serving(program: str) -> str:
    """Returns a reader server for tests.

    Its forked processes run `program` with `stream` instead of reading a source.
    """
    return f"""
import sys
sys.path.extend(sys.argv[2:])
from reachy_agent_ros.tool_generation.validation.reading_process import serve

def handle(stream):
    stream.read(int.from_bytes(stream.read(4), "big"))  # an early answer could end the fork before the request
    exec({program!r})

serve(int(sys.argv[1]), handle)
"""


def test_killed_reader_process_does_not_affect_next_source() -> None:
    with SourceReader() as source_reader:
        with pytest.raises(SourceRejectedError):
            source_reader.read(b"def probe() -> dict:\n    return " + b"a." * 9000 + b"a\n")
        assert source_reader.read(HONEST[0].encode()) == validate(HONEST[0])


def test_reader_restarts_killed_server() -> None:
    others = psutil.Process().children()
    with SourceReader() as source_reader:
        source_reader.read(HONEST[0].encode())
        [process] = [child for child in psutil.Process().children() if child not in others]
        process.kill()
        process.wait()
        assert source_reader.read(HONEST[0].encode()) == validate(HONEST[0])


def test_closing_reader_ends_hanging_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hangs = tmp_path / "hangs"
    monkeypatch.setattr(reader, "_PROGRAM", serving(f"import time; open({str(hangs)!r}, 'w').close(); time.sleep(600)"))
    others = psutil.Process().children()
    with SourceReader() as source_reader, ThreadPoolExecutor(1) as thread:
        reading = thread.submit(source_reader.read, tool("pass").encode())
        wait_until(hangs.exists, "a hanging process")
        [process] = [child for child in psutil.Process().children() if child not in others]
        [hanging] = process.children()
        source_reader.close()
        with pytest.raises(SourceRejectedError):
            reading.result()
    assert not process.is_running()
    wait_until(lambda: not hanging.is_running(), "the hanging process to be reaped")


def test_reader_reads_many_sources_concurrently() -> None:
    with SourceReader() as source_reader, ThreadPoolExecutor(8) as threads:
        programs = threads.map(lambda source: source_reader.read(source.encode()), HONEST)
        assert list(programs) == [validate(source) for source in HONEST]


def test_reader_reports_process_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(AgentError) as caught:
        read_program(tool("pass").encode())
    assert caught.value.code is ErrorCode.SANDBOX_UNAVAILABLE


def test_reader_process_receives_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import json, os; m = json.dumps({'complaints': [[1, ' '.join(sorted(os.environ))]]}).encode();"
        "stream.write(len(m).to_bytes(4, 'big') + m)"
    )
    monkeypatch.setattr(reader, "_PROGRAM", serving(program))
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/somewhere")
    told = refusal(tool("pass").encode()).message
    assert "API_KEY" not in told
    assert "LD_LIBRARY_PATH" in told


def test_timeout_timer_of_reader_ends_with_result() -> None:
    before = set(threading.enumerate())
    read_program(HONEST[0].encode())
    wait_until(lambda: set(threading.enumerate()) <= before, "the timer to end", timeout=reader.TIMEOUT / 2.0)


LIMITED = """
import io
import resource
from reachy_agent_ros.tool_generation.validation.reading_process import read
read(io.BytesIO())
try:
    bytearray(300 << 20)
except MemoryError:
    print("no memory")
try:
    with open("file", "w") as file:
        file.write("a")
except OSError:
    print("no file")
seconds, _ = resource.getrlimit(resource.RLIMIT_CPU)
print("no core" if resource.getrlimit(resource.RLIMIT_CORE) == (0, 0) else "", 0 < seconds < 10)
bytearray(100 << 20)
"""


def test_reader_process_limits_its_resources_before_reading_source(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout.split("\n")) == (0, ["no memory", "no file", "no core True", ""])
