"""Shows the capabilities of the configured language models, and downloads a model on request."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.model.endpoint import LOCAL_OLLAMA, Endpoint
from reachy_agent_ros.cli.arguments import add_old_option, add_options
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import AGENT, VISION

if TYPE_CHECKING:
    from reachy_agent_ros.agent.model.endpoint_link import EndpointLink

GROUP = Group.MANAGE

HELP = "show available language models and their capabilities, or download one"

EXAMPLES = (
    "reachy-agent model",
    "reachy-agent model --pull qwen3:8b",
    "reachy-agent model --endpoint http://127.0.0.1:11434/v1 --json",
)

_CLAIMS = {True: "claims {0} support", False: "claims no {0} support", None: "does not report {0} support"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the endpoint, the model, the download and the self-test."""
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
    """Prints one line per endpoint. Returns 1 if no endpoint for conversations is available.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: models.yaml, a URL or the settings are invalid; `MODEL_UNAVAILABLE`,
            `MODEL_FAILED`: a download failed.
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
        if found["problem"] is None and not (arguments.json or _is_configured(arguments.namespace)):
            print(f"To use it: reachy-agent up model_endpoint:={found['endpoint']} model_name:={found['model']}")
    for endpoint in _vision_endpoints(arguments):
        seeing = {"tier": "vision", **await _found_vision(endpoint)}
        show(seeing, _vision_words(seeing), arguments.json)
    return 0 if any_answers else 1


def _is_configured(namespace: str) -> bool:
    """Returns whether the graph uses a language model: the running graph or, if none is running, the next one."""
    from reachy_agent_ros.agent.model.settings_file import tiers_of
    from reachy_agent_ros.bringup import parameters_of
    from reachy_agent_ros.supervision.record import current_arguments

    return bool(tiers_of(parameters_of(AGENT, current_arguments(namespace)))[0].endpoints)


def _endpoints(arguments: argparse.Namespace) -> list[tuple[str, Endpoint]]:
    """Returns all configured endpoints, or the one that the arguments name, each with the name of its tier.

    If there are none, returns the local Ollama.
    """
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


def _vision_endpoints(arguments: argparse.Namespace) -> Sequence[Endpoint]:
    """Returns the endpoints for questions about images, or none if the arguments name an endpoint or a model."""
    from reachy_agent_ros.agent.model.settings_file import vision_endpoints_of
    from reachy_agent_ros.bringup import parameters_of
    from reachy_agent_ros.supervision.record import current_arguments

    if arguments.endpoint or arguments.model or arguments.pull:
        return ()
    graph = current_arguments(arguments.namespace)
    return vision_endpoints_of(parameters_of(VISION, graph), Path(graph["state_directory"]))


async def _found_vision(endpoint: Endpoint) -> dict[str, Any]:
    """Returns the server's report about a vision model. Runs no self-test, because that test checks tool calls."""
    from reachy_agent_ros.agent.model.server_facts import server_facts

    facts = problem = None
    try:
        facts = await server_facts(endpoint)
    except AgentError as error:
        problem = error.message
    return {
        "endpoint": endpoint.shown,
        "problem": problem,
        "server": facts and facts.server,
        "model": facts.model if facts else endpoint.model,
        "claims_images": facts and facts.images,
        "capabilities": list(facts.capabilities) if facts else [],
    }


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
    from reachy_agent_ros.agent.model.ollama_server import OllamaServer

    async for status, done in OllamaServer(endpoint).pull():
        print(f"\r{status} {done:4.0%}" if done else f"\r{status}     ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _words(found: dict[str, Any]) -> str:
    if found["problem"]:
        return _unusable(found)
    can = f" ({', '.join(found['capabilities'])})" if found["capabilities"] else ""
    return (
        f"{_available(found)} It {_CLAIMS[found['claims_tools']].format('tool')}{can}, {_context(found['context'])}; "
        f"protocol: {found['protocol']}."
    )


def _vision_words(found: dict[str, Any]) -> str:
    if found["problem"]:
        return _unusable(found)
    detector = ", so the detector answers questions about pictures" if found["claims_images"] is False else ""
    return f"{_available(found)} It {_CLAIMS[found['claims_images']].format('image')}{detector}."


def _unusable(found: dict[str, Any]) -> str:
    return f"{_who(found)} is not usable. {found['problem']}"


def _available(found: dict[str, Any]) -> str:
    return f"{_who(found)} ({found['server']}) is available."


def _who(found: dict[str, Any]) -> str:
    return f"{found['tier']}: {found['model'] or 'a model'} at {found['endpoint']}"


def _context(context: int | None) -> str:
    from reachy_agent_ros.agent.model.request import ENOUGH, REMEDY

    if context is None:
        return "does not report its context size"
    return f"has a context of {context} tokens" + (f", which is too small. {REMEDY}" if context < ENOUGH else "")
