"""Tells what a language model's endpoint can do, and gets a model where a person asks for it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reachy_agent_ros.mind.model.endpoint import Endpoint

HELP = "tell what the language model at an endpoint can do, or get one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the endpoint and what to do there."""
    parser.add_argument("--endpoint", default="http://127.0.0.1:11434/v1", metavar="URL", help="default: local Ollama")
    parser.add_argument("--name", default="", help="model; default: the first that the server offers")
    parser.add_argument("--pull", action="store_true", help="have Ollama download the model first")
    parser.add_argument("--test-again", action="store_true", help="repeat the self-test that chooses the protocol")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Prints what was found. Returns 2 where a model is to be got and none is named."""
    import asyncio

    if arguments.pull and not arguments.name:
        print("Name the model to get with --name.", file=sys.stderr)
        return 2
    found = asyncio.run(_found(arguments))
    print(json.dumps(found) if arguments.json else _words(found))
    return 0


async def _found(arguments: argparse.Namespace) -> dict[str, Any]:
    from reachy_agent_ros.mind.model.endpoint import Endpoint
    from reachy_agent_ros.mind.model.endpoint_link import EndpointLink
    from reachy_agent_ros.mind.model.self_tests import SelfTests, self_tests_path

    endpoint = Endpoint(arguments.endpoint, arguments.name)
    if arguments.pull:
        await _pull(endpoint)
    link = EndpointLink(endpoint, SelfTests(self_tests_path()))
    try:
        model = await (link.test_again() if arguments.test_again else link.model())
        await link.model()  # Ollama knows the context only now that the model is loaded
        facts = link.facts
        return {
            "endpoint": endpoint.shown,
            "server": facts and facts.server,
            "model": facts and facts.model,
            "claims_tools": facts and facts.tools,
            "protocol": model.protocol.value,
            "context": model.context,
        }
    finally:
        await link.close()


async def _pull(endpoint: Endpoint) -> None:
    from reachy_agent_ros.mind.model.ollama import pull

    async for status, done in pull(endpoint):
        print(f"\r{status} {done:4.0%}" if done else f"\r{status}     ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _words(found: dict[str, Any]) -> str:
    claims = {True: "says that it takes tools", False: "says that it takes no tools", None: "says nothing of tools"}
    context = f"reads {found['context']} tokens" if found["context"] else "does not tell how much it reads"
    return (
        f"{found['model']} at {found['endpoint']} ({found['server']}) {claims[found['claims_tools']]}, "
        f"{context}; it is used with the protocol {found['protocol']}."
    )
