"""Checks of the packaged models and of the language model."""

from __future__ import annotations

from collections.abc import Iterator

from reachy_agent_ros.agent.model.endpoint import LOCAL_OLLAMA, Endpoint
from reachy_agent_ros.agent.model.settings_file import tiers_of
from reachy_agent_ros.bringup import parameters_of
from reachy_agent_ros.cli.doctor import CheckResult, bad, good, less
from reachy_agent_ros.core.embedding import WEIGHTS as EMBEDDER
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.names import AGENT, NAMESPACE
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
            yield good(name, f"{weights.package}: all files have the pinned checksum.")


def language_model(endpoint: str) -> Iterator[CheckResult]:
    """Checks whether a language model is available.

    Args:
        endpoint: URL of an OpenAI-compatible server; empty for the one of the running graph or of the settings, or
            Ollama on this machine.
    """
    import httpx

    try:
        asked = _endpoint(endpoint)
        where = asked.shown
    except AgentError as error:
        yield bad("Language model", error.message, "Fix the file, or move it away; docs/guides/models.md describes it.")
        return
    except ValueError as error:
        yield less(
            "Language model", f"Invalid URL {endpoint!r:.80}: {error}.", "Use a URL such as http://127.0.0.1:11434/v1"
        )
        return
    cure = "Start that server, or set model_endpoint to another one."
    if asked.url == LOCAL_OLLAMA:
        cure = "Start Ollama (ollama serve, ollama pull MODEL), or use another: reachy-agent doctor --endpoint URL"
    try:
        answer = httpx.get(f"{asked.url.rstrip('/')}/models", headers=asked.headers, timeout=asked.connect_timeout)
        offered = [str(each["id"]) for each in answer.raise_for_status().json()["data"]]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
        detail = f"No response from {where} ({type(error).__name__}): the robot obeys commands, but cannot converse."
        yield less("Language model", detail, cure)
        return
    if offered:
        yield good("Language model", f"{where} offers {', '.join(offered[:3])}. Test it: reachy-agent model")
    else:
        yield less("Language model", f"{where} responds, but offers no model.", cure)


def _endpoint(url: str) -> Endpoint:
    if url:
        return Endpoint(url)
    quick, _ = tiers_of(parameters_of(AGENT, current_arguments(NAMESPACE)))
    return next((endpoint for endpoint in quick.endpoints if endpoint.configured), Endpoint(LOCAL_OLLAMA))
