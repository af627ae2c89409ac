"""Shows the capabilities of the configured language models, and downloads a model on request."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.model.endpoint import LOCAL_OLLAMA, Endpoint
from reachy_agent_ros.cli.arguments import add_old_option, add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import AGENT

if TYPE_CHECKING:
    from reachy_agent_ros.agent.model.endpoint_link import EndpointLink

GROUP = Group.MANAGE

HELP = "show available language models and their capabilities, or download one"

EXAMPLES = (
    "reachy-agent model",
    "reachy-agent model --pull qwen3:8b",
    "reachy-agent model --endpoint http://127.0.0.1:11434/v1 --json",
)

_CLAIMS = {True: "claims tool support", False: "claims no tool support", None: "does not report tool support"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the endpoint, the model and the options."""
    parser.add_argument(
        "--endpoint",
        default="",
        metavar="URL",
        help="base URL of a server (default: those of the running graph or of the settings)",
    )
    parser.add_argument("--model", default="", metavar="NAME", help="model (default: the first that the server offers)")
    add_old_option(parser, "--name", "model")
    parser.add_argument("--pull", default="", metavar="NAME", help="make Ollama download this model first")
    parser.add_argument("--test-again", action="store_true", help="repeat the self-test that chooses the protocol")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Prints one line per endpoint. Returns 1 if none is available.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: models.yaml is invalid; `MODEL_UNAVAILABLE` or `MODEL_FAILED`: no download.
    """
    return asyncio.run(_tell(arguments))


async def _tell(arguments: argparse.Namespace) -> int:
    from reachy_agent_ros.agent.model.endpoint_link import EndpointLink
    from reachy_agent_ros.agent.model.self_tests import SelfTests, self_tests_path

    endpoints = _endpoints(arguments)
    if arguments.pull:
        await _pull(endpoints[0][1])
    any_answers = False
    for tier, endpoint in endpoints:
        link = EndpointLink(endpoint, SelfTests(self_tests_path()))
        found = {"tier": tier, **await _found(link, arguments.test_again)}
        any_answers |= found["problem"] is None
        show(found, _words(found), arguments.json)
    return 0 if any_answers else 1


def _endpoints(arguments: argparse.Namespace) -> list[tuple[str, Endpoint]]:
    """Returns the endpoints with the names of their tiers; at least one."""
    from reachy_agent_ros.agent.model.settings_file import tiers_of
    from reachy_agent_ros.bringup import parameters_of
    from reachy_agent_ros.supervision.record import current_arguments

    parameters = parameters_of(AGENT, current_arguments(arguments.namespace))
    name = arguments.pull or arguments.model
    if arguments.endpoint or name:
        url = arguments.endpoint or parameters["model_endpoint"] or LOCAL_OLLAMA
        parameters |= {"model_endpoint": url, "model_name": name}
    quick, deep = tiers_of(parameters)
    found = [("quick", endpoint) for endpoint in quick.endpoints]
    found += [("deep", endpoint) for endpoint in (deep.endpoints if deep else ())]
    return found or [("quick", Endpoint(LOCAL_OLLAMA))]


async def _found(link: EndpointLink, test_again: bool) -> dict[str, Any]:
    protocol = problem = None
    try:
        model = await (link.test_again() if test_again else link.model())
        await link.model()  # Ollama only reports the context once the model is loaded
        protocol = model.protocol.value
    except AgentError as error:
        problem = error.message
    finally:
        await link.close()
    facts = link.facts
    return {
        "endpoint": link.endpoint.shown,
        "problem": problem,
        "server": facts and facts.server,
        "model": facts.model if facts else link.endpoint.model,
        "claims_tools": facts and facts.tools,
        "capabilities": list(facts.capabilities) if facts else [],
        "protocol": protocol,
        "context": facts and facts.context,
    }


async def _pull(endpoint: Endpoint) -> None:
    from reachy_agent_ros.agent.model.server_facts import OllamaServer

    async for status, done in OllamaServer(endpoint).pull():
        print(f"\r{status} {done:4.0%}" if done else f"\r{status}     ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _words(found: dict[str, Any]) -> str:
    who = f"{found['tier']}: {found['model'] or 'a model'} at {found['endpoint']}"
    if found["problem"]:
        return f"{who} is not usable. {found['problem']}"
    can = f" ({', '.join(found['capabilities'])})" if found["capabilities"] else ""
    return (
        f"{who} ({found['server']}) is available. It {_CLAIMS[found['claims_tools']]}{can}, "
        f"{_context(found['context'])}; protocol: {found['protocol']}."
    )


def _context(context: int | None) -> str:
    from reachy_agent_ros.agent.model.request import ENOUGH, REMEDY

    if context is None:
        return "does not report its context size"
    return f"has a context of {context} tokens" + (f", which is too small. {REMEDY}" if context < ENOUGH else "")
