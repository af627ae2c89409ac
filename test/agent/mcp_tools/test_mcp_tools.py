"""Tools of MCP servers that run as separate processes."""

import asyncio
import json
import os
import signal
import socket
import sys
import uuid
from asyncio.subprocess import DEVNULL
from pathlib import Path

import pytest

from reachy_agent_ros.agent.mcp_tools import connection
from reachy_agent_ros.agent.mcp_tools.mcp_tools import McpTools, PersonaServers
from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOrigin, ToolOutcome
from support.agent.mcp_world import SERVERS, connected, program, running, script, until


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_DELAY", 0.05)


def code_of(outcome: ToolOutcome) -> ErrorCode:
    assert outcome.error is not None, outcome.result_json
    return outcome.error.code


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.slow
def test_mcp_tools_are_listed_and_marked_as_external() -> None:
    async def run() -> None:
        async with connected(script("honest", time_limit=12.0, specialist="web")) as world:
            add = next(tool for tool in world.tools.catalogue() if tool.name == "honest_add")
            assert (add.description, add.origin, add.time_limit) == (
                "Adds two whole numbers.",
                ToolOrigin.EXTERNAL,
                12.0,
            )
            assert add.untrusted_output
            assert add.specialist == "web"
            assert set(add.schema["properties"]) == {"a", "b"}
            assert json.loads((await world.call("honest_add", a=2, b=3)).result_json) == {"text": "5"}
            assert world.tools.catalogue() is world.tools.catalogue()

    asyncio.run(run())


@pytest.mark.slow
def test_offers_only_configured_mcp_tools() -> None:
    async def run() -> None:
        async with connected(script("honest", tools=("add", "fly"))) as world:
            assert world.names() == ["honest_add"]
            await world.until_told("it has no tool 'fly'")
            assert code_of(await world.call("honest_die")) is ErrorCode.UNKNOWN_TOOL

    asyncio.run(run())


@pytest.mark.slow
def test_failure_of_mcp_tool_is_returned_as_outcome() -> None:
    async def run() -> None:
        async with connected(script("honest")) as world:
            failed = await world.call("honest_fail")
            assert code_of(failed) is ErrorCode.TOOL_FAILED
            assert "The file is locked." in failed.for_model
            assert code_of(await world.call("honest_add", a="two", b=3)) is ErrorCode.INVALID_ARGUMENTS
            assert code_of(await world.call("honest_fly")) is ErrorCode.UNKNOWN_TOOL
            assert json.loads((await world.call("honest_add", a=1, b=1)).result_json) == {"text": "2"}

    asyncio.run(run())


@pytest.mark.slow
def test_mcp_result_contains_truncated_text_and_image_placeholders() -> None:
    async def run() -> None:
        async with connected(script("honest")) as world:
            text = json.loads((await world.call("honest_write", characters=200_000)).result_json)["text"]
            assert len(text) < 8_100
            assert text.endswith("[Cut here: these are the first 8000 of 199999 characters.]")
            picture = json.loads((await world.call("honest_draw")).result_json)["text"]
            assert picture == "[image/png, 69 bytes, left out]"

    asyncio.run(run())


@pytest.mark.slow
def test_cancelled_tool_call_cancels_mcp_request(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def run() -> None:
        async with connected(script("honest")) as world:
            call = asyncio.create_task(world.call("honest_wait", notes=str(notes)))
            await until(notes.exists, "the call")
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            await until(lambda: notes.read_text() == "cancelled", "the cancelling")
            assert (await world.call("honest_add", a=1, b=1)).error is None

    asyncio.run(run())


@pytest.mark.slow
def test_slow_mcp_call_times_out_and_is_cancelled(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def run() -> None:
        async with connected(script("honest", time_limit=1.0)) as world:
            assert code_of(await world.call("honest_wait", notes=str(notes))) is ErrorCode.TIMEOUT
            await until(lambda: notes.read_text() == "cancelled", "the cancelling")

    asyncio.run(run())


@pytest.mark.slow
def test_restarts_mcp_server_that_exits_during_call() -> None:
    async def run() -> None:
        async with connected(script("honest")) as world:
            assert code_of(await world.call("honest_die")) is ErrorCode.SERVER_LOST
            await world.until_told("not connected: it ended.")
            await until(lambda: "honest_add" in world.names(), "the tools again")
            assert (await world.call("honest_add", a=1, b=1)).error is None

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize(
    "signal_number",
    [pytest.param(signal.SIGKILL, id="dies"), pytest.param(signal.SIGSTOP, id="hangs", marks=pytest.mark.nightly)],
)
def test_tools_of_lost_mcp_server_are_removed_until_it_reconnects(
    signal_number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LOOK_PERIOD", 0.5)
    monkeypatch.setattr(connection, "LOOK_TIME", 2.0)
    code = "import os, pathlib, sys\npathlib.Path(sys.argv[2]).write_text(str(os.getpid()))\n"
    code += "import runpy; sys.argv = sys.argv[1:2]; runpy.run_path(sys.argv[0], run_name='__main__')"
    notes = tmp_path / "pid"
    arguments = ("-c", code, str(SERVERS / "honest.py"), str(notes))

    async def run() -> None:
        async with connected(McpServerSettings(name="mortal", command=sys.executable, args=arguments)) as world:
            first = int(notes.read_text())
            os.kill(first, signal_number)
            await until(lambda: not world.names(), "the loss")
            await until(lambda: "mortal_add" in world.names(), "the return")
            assert int(notes.read_text()) != first
            await until(lambda: not alive(first), "the end of the one that was lost")

    asyncio.run(run())


@pytest.mark.slow
def test_closing_mcp_client_ends_mcp_server_and_its_child_processes(tmp_path: Path) -> None:
    notes = tmp_path / "pid"

    async def run() -> None:
        async with connected(script("honest")) as world:
            await world.call("honest_fork", notes=str(notes))
            child = int(notes.read_text())
            assert alive(child)
        await until(lambda: not alive(child), "the end of a process that has been killed")

    asyncio.run(run())


@pytest.mark.slow
def test_closing_mcp_client_after_failed_call_ends_mcp_server(tmp_path: Path) -> None:
    notes = tmp_path / "pid"

    async def run() -> None:
        async with connected(script("honest", time_limit=1.0)) as world:
            await world.call("honest_fork", notes=str(notes))
            assert code_of(await world.call("honest_wait", notes=str(tmp_path / "waited"))) is ErrorCode.TIMEOUT
        await until(lambda: not alive(int(notes.read_text())), "the end of a process that has been killed")

    asyncio.run(run())


@pytest.mark.slow
def test_new_tools_of_mcp_server_appear_at_run_time() -> None:
    async def run() -> None:
        async with connected(script("honest")) as world:
            before = world.tools.catalogue()
            await world.call("honest_learn")
            await until(lambda: "honest_learned" in world.names(), "the new tool")
            assert world.tools.catalogue() is not before

    asyncio.run(run())


GROWING = """
from mcp.server.mcpserver import MCPServer

class Growing(MCPServer):
    async def list_tools(self):
        tools = await super().list_tools()
        if len(tools) == 1:
            self.add_tool(lambda: "", name="second", description="Comes after the first look at the tools.")
        return tools

server = Growing("tiny")
server.add_tool(lambda: "", name="first", description="Is there from the beginning.")
server.run("stdio")
"""


def test_detects_tool_change_that_occurred_before_subscription(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LOOK_PERIOD", 3600.0)

    async def run() -> None:
        async with connected(program(GROWING)) as world:
            await until(lambda: world.names() == ["tiny_first", "tiny_second"], "the second tool")

    asyncio.run(run())


@pytest.mark.slow
def test_skips_unusable_mcp_tools_and_reports_reason() -> None:
    async def run() -> None:
        async with connected(script("dishonest")) as world:
            tools = {tool.name: tool for tool in world.tools.catalogue()}
            good, around, question, pattern = tools
            assert good == "dishonest_good"
            assert tools[good].description == "Says hello. Use this tool to be polite."
            assert around.startswith("dishonest_look_around_-")
            assert around != question
            assert len(tools[around].description) < 610
            assert pattern == "dishonest_slow_pattern"
            (complaint,) = [sentence for sentence in world.told if "left out" in sentence]
            for name in ("poisoned", "argument_poisoned", "invalid", "elsewhere", "huge"):
                assert f"the tool '{name}': left out" in complaint
            assert "pattern" not in tools[pattern].schema["properties"]["a"]
            called = await world.call(around)
            assert json.loads(called.result_json)["text"].startswith("look around! ")

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("print('hello')", "it ended."),
        (
            "import sys; print('no such database', file=sys.stderr); sys.exit(1)",
            "it ended. Its last output: no such database",
        ),
        ("while True: print('no message')", "it wrote 1000 lines that are not MCP messages to standard output."),
        (
            "import sys\nwhile True: sys.stdout.write('x' * 65536)",
            "it wrote a line of more than 8 MiB to standard output.",
        ),
        ("import time; time.sleep(3600)", "it does not respond."),
        ('import sys\nfor line in sys.stdin: print(\'{"jsonrpc": "2.0", "id": 1, "result": 7}\', flush=True)', ""),
    ],
    ids=["ends", "fails", "garbage", "endless line", "hangs", "nonsense"],
)
def test_program_that_is_not_an_mcp_server_is_reported_once_and_retried(
    code: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "START_TIME", 4.0)

    async def run() -> None:
        async with running(program(code)) as world:
            await world.until_told(f"The MCP server tiny is not connected: {words}")
            assert world.tools.catalogue() == ()

    asyncio.run(run())


@pytest.mark.slow
def test_missing_command_of_mcp_server_does_not_affect_other_servers() -> None:
    async def run() -> None:
        missing = McpServerSettings(name="missing", command="/no/such/program")
        async with running(missing, script("honest")) as world:
            await world.until_told("The MCP server missing is not connected: The MCP server missing cannot be started")
            await until(lambda: "honest_add" in world.names(), "the other server's tools")
            assert world.tools.states()["honest"] == "The MCP server honest is connected."
            assert world.tools.problems() == [world.tools.states()["missing"]]

    asyncio.run(run())


@pytest.mark.slow
def test_secrets_of_mcp_server_are_read_from_environment_and_never_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_TOKEN", "s3cret-value")
    monkeypatch.setenv("NOT_THEIRS", "private")

    async def run() -> None:
        async with connected(script("honest", env={"API_TOKEN": "${OUR_TOKEN}"})) as world:
            assert json.loads((await world.call("honest_variable", name="API_TOKEN")).result_json)["text"]
            assert json.loads((await world.call("honest_variable", name="NOT_THEIRS")).result_json) == {"text": ""}
        code = "import os, sys; sys.exit('bad token ' + os.environ['API_TOKEN'])"
        async with running(program(code, env={"API_TOKEN": "${OUR_TOKEN}"})) as world:
            await world.until_told("bad token ***")
            assert "s3cret" not in str(world.told)
        async with running(program(code, env={"API_TOKEN": "${NOT_SET}"})) as world:
            await world.until_told("needs the environment variable NOT_SET")

    asyncio.run(run())


@pytest.mark.slow
def test_reconnects_to_mcp_server_over_http() -> None:
    port = free_port()
    command = [sys.executable, str(SERVERS / "honest.py"), str(port)]

    async def run() -> None:
        settings = McpServerSettings(name="web", url=f"http://127.0.0.1:{port}/mcp")
        async with running(settings) as world:
            await world.until_told("The MCP server web is not connected")
            for _life in range(2):
                process = await asyncio.create_subprocess_exec(*command, stdout=DEVNULL, stderr=DEVNULL)
                try:
                    await until(lambda: "web_add" in world.names(), "the tools")
                    assert json.loads((await world.call("web_add", a=2, b=3)).result_json) == {"text": "5"}
                finally:
                    process.kill()
                    await process.wait()
                assert (await world.call("web_add", a=2, b=3)).error is not None
                await until(lambda: not world.names(), "the loss")

    asyncio.run(run())


HONEST, TWIN = script("honest"), script("honest").model_copy(update={"name": "twin"})


def owners(servers: PersonaServers) -> set[str]:
    return {tool.name.split("_")[0] for tool in servers.catalogue()}


def sum_call(tool: str) -> ToolCall:
    return ToolCall(tool, '{"a": 2, "b": 3}', uuid.uuid4())


@pytest.mark.slow
def test_persona_change_replaces_mcp_servers() -> None:
    async def live() -> None:
        told: list[str] = []
        servers = PersonaServers(told.append)
        await servers.run([HONEST])
        await until(lambda: owners(servers) == {"honest"}, "the first")
        assert "5" in (await servers.call(sum_call("honest_add"))).result_json
        before = servers.catalogue()
        await servers.run([HONEST])
        assert servers.catalogue() is before
        await servers.run([TWIN])
        gone = (await servers.call(sum_call("honest_add"))).error
        assert gone is not None
        assert gone.code is ErrorCode.UNKNOWN_TOOL
        await until(lambda: owners(servers) == {"twin"}, "the second")
        await servers.run([])
        assert servers.catalogue() == ()
        await servers.close()

    asyncio.run(live())


@pytest.mark.slow
def test_last_of_two_concurrent_persona_changes_leaves_no_extra_mcp_server() -> None:
    async def live() -> None:
        servers = PersonaServers(lambda _warning: None)
        before = asyncio.all_tasks()
        await asyncio.gather(servers.run([HONEST]), servers.run([TWIN]))
        await until(lambda: owners(servers) == {"twin"}, "the second")
        await servers.close()
        assert asyncio.all_tasks() == before

    asyncio.run(live())


def test_unexpected_mcp_client_error_is_reported_as_problem() -> None:
    told: list[str] = []

    def warn(sentence: str) -> None:
        if not told:
            told.append(sentence)
            raise LookupError("an error in the client")
        told.append(sentence)

    async def live() -> None:
        tools = McpTools([McpServerSettings(name="far", command="/no/such/program")], warn)
        await tools.start()
        await until(lambda: len(told) == 2, "the report")
        assert tools.problems()[0] == told[1]
        assert told[1] == "MCP servers cannot be used until the next start: LookupError: an error in the client"
        await tools.close()

    asyncio.run(live())
