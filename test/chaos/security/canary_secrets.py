"""Leak test for secrets in the configuration of a graph.

Canary values are used as gateway tokens, API key of the model, database password and secrets of MCP servers. The graph
handles a conversation, a tool, a recording, a backup, invalid requests, crashes, and servers that echo their requests.
Then all outputs and files are searched for the canaries. `scripts/chaos canary_secrets` takes about three minutes.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from bench.report import Figure, print_report
from bench.running_graph import running_graph
from chaos.answering_model import AnsweringModel
from chaos.security.loopback_server import serving
from chaos.security.secret_places import look_at_answers, look_at_machine, look_at_refused_database, overheard
from chaos.security.secret_search import SecretSearch
from chaos.security.secret_uses import crash, live, misuse, recording, refused_keys, run, wait_until
from chaos.workload import RULES
from reachy_agent_ros.core import names
from reachy_agent_ros.core.paths import runtime_directory, state_directory
from reachy_agent_ros.gateway.access.token_file import FILE_NAME, TokenFile
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.ros.client.client import GraphClient

DOMAIN = "94"
_PROGRAM = "import os, sys; sys.exit('refused: ' + os.environ['WANTED'])"
_SERVERS = """\
servers:
  remote: {{url: "{url}/mcp", headers: {{Authorization: "Bearer ${{CANARY_HEADER}}"}}}}
  local: {{command: {python}, args: [-c, {code}], env: {{WANTED: "${{CANARY_VARIABLE}}"}}}}
"""
"""Configuration of MCP servers that reject every request and echo its secrets."""


@dataclass(frozen=True)
class Canaries:
    """Globally unique values that replace secrets.

    Attributes:
        tokens: Content of the token file of the graph.
    """

    model_key: str
    header: str
    variable: str
    password: str
    token: str
    revoked: str
    tokens: str

    @classmethod
    def fresh(cls) -> Canaries:
        """Returns new random canaries."""
        with tempfile.TemporaryDirectory() as folder:
            file = TokenFile(Path(folder, FILE_NAME))
            token, revoked = (file.make(name, Role.ADMINISTRATOR) for name in ("canary", "gone"))
            file.revoke("gone")
            text = Path(folder, FILE_NAME).read_text(encoding="utf-8")
            return cls(_fresh("key"), _fresh("header"), _fresh("variable"), _fresh("password"), token, revoked, text)

    def by_name(self) -> Mapping[str, str]:
        """Returns the canaries that must not leak, each with a readable description as its key."""
        return {
            "the model's key": self.model_key,
            "an MCP server's header": self.header,
            "an MCP server's variable": self.variable,
            "a database's password": self.password,
            "a gateway token": self.token,
            "a revoked token": self.revoked,
        }


def _fresh(kind: str) -> str:
    return f"canary{kind}{secrets.token_hex(12)}"


@dataclass(frozen=True)
class Trial:
    """Running graph whose secrets are canaries."""

    client: GraphClient
    model: AnsweringModel
    refused: list[str]
    canaries: Canaries

    @property
    def url(self) -> str:
        """URL of the gateway, once the gateway is ready."""
        watch = self.client.watch(names.GATEWAY)
        wait_until(lambda: watch.ready, "the gateway")
        assert watch.last is not None
        return str(watch.last.detail)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the leak test."""
    parser.add_argument("--short", action="store_true", help="no tool, no recording, no backup and no crashes")


def main(as_json: bool, short: bool = False) -> int:
    """Starts a graph and searches for leaked secrets. The exit code is 0 even if a secret leaked."""
    search, used = searched(DOMAIN, not short)
    for place in search.places:
        print(place, file=sys.stderr)
    figures = [
        Figure("times that a secret was shown to a server or the gateway", used, "", 20.0, at_least=True),
        Figure("texts and files looked through", search.searched, "", 100.0, at_least=True),
        Figure("their size", search.size / 1e6, "MB"),
        Figure("secrets found", len(search.places), "", 0.0),
    ]
    print_report("canary_secrets", figures, as_json)
    return 0


def searched(domain: str, thorough: bool = True) -> tuple[SecretSearch, int]:
    """Uses secrets in a graph, and searches for leaks.

    Args:
        domain: ROS domain of the graph.
        thorough: Whether to include the workload, crashes, a recording and a backup.

    Returns:
        The search with the leaks found, and the number of times that a secret was sent to a server or the gateway.
    """
    with trial(domain) as graph, tempfile.TemporaryDirectory() as folder, overheard(graph.client) as heard:
        canaries = graph.canaries
        search = SecretSearch(canaries.by_name())
        with ExitStack() as stack:
            if thorough:
                stack.enter_context(recording(Path(folder, "bag")))
                live(graph.client)
            used = sum(misuse(search, graph.url, token) for token in (canaries.token, canaries.revoked))
            used += refused_keys(search, graph.model, canaries.model_key)
            if thorough:
                crash(graph.client)
        look_at_answers(search, graph.url, canaries.token)
        look_at_refused_database(search, canaries.password)
        if thorough:
            run(search, "backup", str(Path(folder, "all.backup")))
        look_at_machine(search, graph.client)
        for topic, message in heard:
            search.look_at(f"a message of {topic}", message)
        search.look_into((Path(folder), state_directory(), runtime_directory()))
        return search, used + len(graph.refused)


@contextmanager
def trial(domain: str) -> Iterator[Trial]:
    """Starts a graph with canaries as secrets, and stops it at the end of the context."""
    canaries = Canaries.fresh()
    environment = {
        "REACHY_AGENT_API_KEY": canaries.model_key,
        "CANARY_HEADER": canaries.header,
        "CANARY_VARIABLE": canaries.variable,
    }
    refused: list[str] = []

    def refuse(request: BaseHTTPRequestHandler) -> tuple[int, bytes]:
        """Rejects a request and echoes its headers in the response.

        This is the worst case for an API key in the headers.
        """
        refused.append(request.path)
        return 401, json.dumps({"error": {"message": f"Not with {dict(request.headers)}"}}).encode()

    with serving(refuse) as url, AnsweringModel() as model:
        python, code = json.dumps(sys.executable), json.dumps(_PROGRAM)
        servers = _SERVERS.format(url=url, python=python, code=code)
        settings = (
            f"model_endpoint:={model.url}",
            "model_name:=scripted",
            "gateway_port:=0",
            "gateway_tokens:=required",
        )
        files = {"permissions.yaml": RULES, "mcp.yaml": servers, FILE_NAME: canaries.tokens}
        with running_graph(*settings, files=files, domain=domain, environment=environment) as (client, _):
            yield Trial(client, model, refused, canaries)
