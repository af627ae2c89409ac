import asyncio
from typing import Any

import pytest

from reachy_agent_ros.agent.mcp_tools.stdio_process import LONGEST_WORDS, StdioProcess
from support.agent.mcp_world import program


def last_words(code: str, **settings: Any) -> str:
    """Runs a program until its output ends, and returns its last words."""

    async def run() -> str:
        ended = asyncio.Event()
        process = StdioProcess(program(code, **settings), ended.set)
        async with asyncio.timeout(30.0), process.streams():
            await ended.wait()
        return process.last_words

    return asyncio.run(run())


def test_last_words_are_a_complete_line_even_if_it_arrives_in_parts() -> None:
    code = "import os; os.write(2, b' ' * 4085 + b'the database is locked\\n')"
    assert last_words(code) == "the database is locked"


def test_secret_is_masked_in_line_longer_than_one_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_TOKEN", "s3cret-value")
    code = "import os; os.write(2, b' ' * 4090 + b'token ' + os.environb[b'API_TOKEN'])"
    assert last_words(code, env={"API_TOKEN": "${OUR_TOKEN}"}) == "token ***"


def test_beginning_of_endless_line_is_kept() -> None:
    code = f"import os; os.write(2, b'out of memory ' + b'x' * {4 * LONGEST_WORDS})"
    assert last_words(code).startswith("out of memory xxx")


def test_last_words_of_program_that_is_killed_are_kept() -> None:
    code = "import os, time; os.write(2, b'Enter the password: '); os.close(1); time.sleep(3600)"
    assert last_words(code) == "Enter the password:"
