import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.mcp_tools.server_settings import load_servers, read_servers
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MINE = """
servers:
  files:
    command: npx
    args: [-y, server-filesystem, /home/ada/papers]
    env: {LOG_LEVEL: info, API_KEY: "${FILES_KEY}"}
    tools: [read_file, search_files]
    specialist: memory
  web-search:
    url: https://search.example/mcp
    headers: {Authorization: "Bearer ${SEARCH_TOKEN}"}
    time_limit: 10
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mcp.yaml"
    path.write_text(text)
    return path


def test_reads_mcp_servers_from_settings_file_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, search = read_servers(write(tmp_path, MINE))
    monkeypatch.setenv("FILES_KEY", "one")
    monkeypatch.setenv("SEARCH_TOKEN", "two")
    assert (files.name, files.command, files.args[1]) == ("files", "npx", "server-filesystem")
    assert files.environment() == {"LOG_LEVEL": "info", "API_KEY": "one"}
    assert (files.allows("read_file"), files.allows("write_file"), files.specialist) == (True, False, "memory")
    assert (search.time_limit, search.http_headers()) == (10.0, {"Authorization": "Bearer two"})
    assert search.allows("anything")
    assert search.hide("refused: Bearer two") == "refused: Bearer ***"


def test_missing_settings_file_means_no_mcp_servers(tmp_path: Path) -> None:
    assert load_servers(tmp_path / "none.yaml") == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("servers: {files: {}}", "servers files: expected either a 'command' or a 'url'"),
        ("servers: {files: {command: a, url: 'https://b'}}", "expected either"),
        ("servers: {files: {command: a, color: red}}", "servers files color: Extra inputs"),
        ("servers: {files: {command: a, time_limit: 0}}", "servers files time_limit"),
        ("servers: {files: {command: a, time_limit: .inf}}", "servers files time_limit"),
        ("servers: {files: {command: a, args: [1]}}", "servers files args 1"),
        ("servers: {files: {command: a, tools: []}}", "servers files tools"),
        ("servers: {files: {command: a, specialist: cook}}", "servers files specialist"),
        ("servers: {files: {command: a, headers: {A: '${B}'}}}", "'headers' need a 'url'"),
        ("servers: {files: {url: 'https://b', env: {A: b}}}", "'args' and 'env' need a 'command'"),
        ("servers: {my_files: {command: a}}", "servers my_files name"),
        ("servers: {files: {name: b, command: a}}", "its key is already the name"),
        ("servers: {files: {command: a, env: {API_KEY: hunter2}}}", "API_KEY looks like a secret"),
        (
            "servers: {files: {url: 'https://b', headers: {Authorization: hunter2}}}",
            "must refer to an environment variable",
        ),
        ("servers: {files: {url: 'https://ada:hunter2@b'}}", "put secrets into headers"),
        ("servers: {files: {url: 'https://b/?key=hunter2'}}", "put secrets into headers"),
        ("servers: {files: {url: 'http://b'}}", "must begin with https"),
        ("servers: {files: {url: 'ftp://b'}}", "must begin with https"),
        ("servers: {files: {command: a}, files: {command: b}}", "'files' is set twice"),
        ("server: {}", "server: Extra inputs"),
        ("[", "while parsing"),
        ("servers: {" + ", ".join(f"s{n}: {{command: a}}" for n in range(17)) + "}", "at most 16"),
    ],
)
def test_error_in_mcp_settings_names_location_but_no_secrets(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(AgentError) as refused:
        read_servers(write(tmp_path, text))
    assert refused.value.code is ErrorCode.INVALID_ARGUMENTS
    assert complaint in refused.value.message
    assert "hunter2" not in refused.value.message


def test_accepts_mcp_server_with_unencrypted_http_on_loopback(tmp_path: Path) -> None:
    (server,) = read_servers(write(tmp_path, "servers: {a: {url: 'http://127.0.0.1:8000/mcp'}}"))
    assert server.url == "http://127.0.0.1:8000/mcp"


@given(st.text(max_size=200))
def test_any_mcp_settings_file_is_loaded_or_rejected(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mcp.yaml"
        path.write_text(text, encoding="utf-8", errors="replace")
        with contextlib.suppress(AgentError):  # any other error fails the test
            assert read_servers(path) == ()
