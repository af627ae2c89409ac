"""Checks of the packaged models and of the language model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reachy_agent_ros.agent.model.endpoint import LOCAL_OLLAMA, Endpoint
from reachy_agent_ros.agent.model.settings_file import tiers_of, vision_endpoints_of
from reachy_agent_ros.bringup import parameters_of
from reachy_agent_ros.cli.doctor import CheckResult, bad, good, less
from reachy_agent_ros.core.embedding import WEIGHTS as EMBEDDER
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import AGENT, NAMESPACE, VISION
from reachy_agent_ros.core.weights import PackagedWeights
from reachy_agent_ros.stt.voice_detectors import SILERO
from reachy_agent_ros.stt.whisper_models import TINY_EN
from reachy_agent_ros.supervision.record import current_arguments
from reachy_agent_ros.tts.voice import JOE
from reachy_agent_ros.vision.desk_detector import WEIGHTS as DESK
from reachy_agent_ros.vision.face_detector import CENTERFACE

_PACKAGED: tuple[tuple[str, PackagedWeights], ...] = (
    ("Speech recognition", TINY_EN),
    ("Voice detection", SILERO),
    ("Voice", JOE),
    ("Sentences", EMBEDDER),
    ("Objects", DESK),
    ("Faces", CENTERFACE),
)


def models() -> Iterator[CheckResult]:
    """Checks whether every packaged model is installed and has the pinned checksum."""
    for name, weights in _PACKAGED:
        try:
            weights.verified()
        except AgentError as error:
            yield bad(name, error.message, "Run scripts/setup; it installs the pinned packages.")
        else:
            yield good(name, f"Installed and unchanged (package {weights.package}).")


def language_model(endpoint: str) -> Iterator[CheckResult]:
    """Checks whether a language model is available. If the vision model is on another server, checks that server also.

    Args:
        endpoint: URL of an OpenAI-compatible server, to check only this one; empty for the endpoints of the running
            graph or of the settings, or Ollama on this machine.
    """
    try:
        language, vision = (Endpoint(endpoint), None) if endpoint else _endpoints()
        yield _offer("Language model", language, "the robot obeys commands, but cannot converse")
        if vision is not None:
            yield _offer("Vision model", vision, "the detector answers questions about pictures")
    except AgentError as error:
        yield bad("Language model", error.message, "Fix the file, or move it away; docs/guides/models.md describes it.")
    except ValueError as error:
        yield less(
            "Language model", f"Invalid URL {endpoint!r:.80}: {error}.", "Use a URL such as http://127.0.0.1:11434/v1"
        )


def _offer(subject: str, asked: Endpoint, without: str) -> CheckResult:
    """Checks whether a server offers any model.

    Args:
        subject: Subject of the check.
        asked: Endpoint of the server.
        without: What the robot does without the model.
    """
    import httpx

    from reachy_agent_ros.agent.model.server_http import refusal

    cure = "Start that server, or set model_endpoint to another one."
    if asked.url == LOCAL_OLLAMA:
        cure = "Start Ollama (ollama serve, ollama pull MODEL), or use another: reachy-agent doctor --endpoint URL"
    try:
        answer = httpx.get(f"{asked.url.rstrip('/')}/models", headers=asked.headers, timeout=asked.connect_timeout)
        offered = [str(each["id"]) for each in answer.raise_for_status().json()["data"]]
    except httpx.HTTPStatusError as error:
        problem, remedy = refusal(asked, error.response.status_code)
        return less(subject, f"{problem}: {without}.", remedy)
    except httpx.TransportError:
        return less(subject, f"No server answers at {asked.shown}: {without}.", cure)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError):
        return less(subject, f"{asked.shown} does not answer like a model server: {without}.", cure)
    if not offered:
        return less(subject, f"{asked.shown} responds, but offers no model.", cure)
    return good(subject, f"{asked.shown} offers {', '.join(offered[:3])}. Test it: reachy-agent model")


def _endpoints() -> tuple[Endpoint, Endpoint | None]:
    """Returns the first endpoint for conversations, and the first one for images if its URL is different."""
    graph = current_arguments(NAMESPACE)
    quick, _ = tiers_of(parameters_of(AGENT, graph))
    language = next((endpoint for endpoint in quick.endpoints if endpoint.configured), Endpoint(LOCAL_OLLAMA))
    vision = vision_endpoints_of(parameters_of(VISION, graph), Path(graph["state_directory"]))
    return language, next((endpoint for endpoint in vision[:1] if endpoint.url != language.url), None)
