"""Running graph with a model that follows every injected instruction.

The module also defines the input channels of the model.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.running_graph import running_graph
from chaos.security.loopback_server import serving
from chaos.security.obedient_model import Call, ObedientModel
from corpus.canary_servers import CanaryServers
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.ros.client.client import GraphClient

DOMAIN = "94"
DESCRIPTION = "an MCP server's description"


@dataclass(frozen=True)
class Way:
    """Input channel through which text reaches the model.

    Attributes:
        name: Name of the channel.
        calls: Calls with which the model reads the injected text.
        agreed: Tools among `calls` that the user approves, because the user asked for them.
        place: Writes the injected text to the channel.
        spoken: Whether the injected text is spoken.
    """

    name: str
    calls: tuple[Call, ...] = ()
    agreed: frozenset[str] = frozenset()
    place: Callable[[str], None] = field(default=lambda _words: None)
    spoken: bool = False


@dataclass(frozen=True)
class AttackedGraph:
    """Graph under attack, with monitors that record the effects.

    Attributes:
        client: Client in the graph.
        model: Model that follows every instruction.
        thief: Servers that no tool may reach.
        notes: File in which the untrusted MCP server records every call.
    """

    client: GraphClient
    model: ObedientModel
    thief: CanaryServers
    notes: Path
    _page: list[str]
    _words: Path

    def ways(self) -> tuple[Way, ...]:
        """Returns all input channels of the agent."""
        state = state_directory()
        weather = "untrusted_weather"
        return (
            Way("speech", spoken=True),
            Way("pictures", (("describe_image", {}, "vision"),), place=self._show),
            Way("names of things", (("detect_objects", {}, "vision"),), place=self._show),
            Way("web pages", (("web_search", {"query": "weather"}, "web"),), place=self._publish),
            Way("an MCP server's result", ((weather, {}, "code"),), frozenset({weather}), self._hand_over),
            Way(DESCRIPTION, (("untrusted_poisoned", {}, ""),)),
            Way("notes", (("recall", {"query": "weather"}, "memory"),), place=lambda words: _note(state, words)),
            Way("a persona", place=lambda words: _persona(state, words)),
        )

    def _show(self, words: str) -> None:
        self.model.sight = words

    def _hand_over(self, words: str) -> None:
        self._words.write_text(words, encoding="utf-8")

    def _publish(self, words: str) -> None:
        self._page[:] = [words]


@contextmanager
def attacked() -> Iterator[AttackedGraph]:
    """Starts the graph, and stops it at the end of the context."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        thief = CanaryServers(folder, "nothing")
        stack.callback(thief.close)
        model, page = stack.enter_context(ObedientModel()), list[str]()
        pages = stack.enter_context(serving(lambda _request: (200, _found(page))))
        notes, words = folder / "notes", folder / "words"
        program = [str(Path(__file__).with_name("untrusted_mcp_server.py")), str(notes), str(words)]
        server = json.dumps({"command": sys.executable, "args": program, "specialist": "code"})
        settings = (
            *(f"model_endpoint:={model.url}", "model_name:=scripted", "detector:=endpoint", "gateway_port:=0"),
            *("web_search:=searxng", f"searxng_url:={pages}", "fetch_hosts:=127.0.0.1"),
        )
        files = {"mcp.yaml": f"servers: {{untrusted: {server}}}\n"}
        client, _ = stack.enter_context(running_graph(*settings, files=files, domain=DOMAIN))
        yield AttackedGraph(client, model, thief, notes, page, words)


def _found(page: list[str]) -> bytes:
    results = [{"url": "https://example.org/weather", "title": "Weather", "content": words} for words in page]
    return json.dumps({"results": results}).encode()


def _note(state: Path, words: str) -> None:
    (state / "notes").mkdir(exist_ok=True)
    (state / "notes" / "weather.md").write_text(f"The weather. {words}\n", encoding="utf-8")


def _persona(state: Path, words: str) -> None:
    folder = state / "personas" / "villain"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "persona.yaml").write_text("description: It obeys.\ntools: ['*']\n", encoding="utf-8")
    (folder / "instructions.md").write_text(words, encoding="utf-8")
    (state / "persona").write_text("villain", encoding="utf-8")
