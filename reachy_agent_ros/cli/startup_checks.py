"""Checks that reject invalid configurations within a second, before the graph starts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from reachy_agent_ros.bringup import Arguments, node_parameters, selected
from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MODEL_TIMEOUT = 2.0
"""Time for the model servers to answer, s."""

_Check = Callable[[Mapping[str, Any]], None]
"""Check of the parameters of a node, which raises an `AgentError`."""


def require_valid(arguments: Arguments) -> None:
    """Checks the files and arguments of the selected nodes, whether or not a graph is running.

    Args:
        arguments: Arguments from `bringup.resolve`.

    Raises:
        AgentError: A value or file is invalid, or the gateway would be open to the network without tokens or TLS. The
            message contains the fix.
    """
    checks: dict[str, _Check] = {
        names.HARDWARE_BRIDGE: _valid_robot,
        names.CAMERA: _valid_camera,
        names.VISION: _valid_vision,
        names.TTS: _valid_voice,
        names.STT: _valid_hearing,
        names.TOOL_SERVER: _valid_tools,
        names.AGENT: _valid_agent,
        names.GATEWAY: _valid_gateway,
    }
    _check(arguments, checks)


def require_free_port(arguments: Arguments) -> None:
    """Checks that the gateway's port is free, if the gateway is selected.

    Args:
        arguments: Arguments from `bringup.resolve`.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: see `BindConfig.listen`.
    """
    _check(arguments, {names.GATEWAY: _free_port})


def require_everything(arguments: Arguments) -> None:
    """Raises an error if a requirement of a node is missing, so that the node would be degraded.

    Args:
        arguments: Arguments from `bringup.resolve`.

    Raises:
        AgentError: The first of `absences`.
    """
    for _, error in absences(arguments):
        raise error


def absences(arguments: Arguments) -> Iterator[tuple[str, AgentError]]:
    """Checks for missing requirements of the graph: the daemon, camera, sound devices and language model.

    Args:
        arguments: Arguments from `bringup.resolve`.

    Yields:
        Each node that would be degraded, and the reason with the fix.
    """
    checks: dict[str, _Check] = {
        names.HARDWARE_BRIDGE: _answering_daemon,
        names.CAMERA: _connected_camera,
        names.TTS: _connected_loudspeaker,
        names.STT: _connected_microphone,
        names.AGENT: _answering_model,
    }
    with ThreadPoolExecutor(len(checks)) as threads:
        begun = {
            node.name: threads.submit(checks[node.name], node_parameters(node, arguments))
            for node in selected(arguments)
            if node.name in checks
        }
        for name, check in begun.items():
            try:
                check.result()
            except AgentError as error:
                yield name, error


def _check(arguments: Arguments, checks: Mapping[str, _Check]) -> None:
    for node in selected(arguments):
        if node.name in checks:
            try:
                checks[node.name](node_parameters(node, arguments))
            except OSError as error:  # for example, the user may not search the folder of a model
                message = f"Cannot read {error.filename}: {error.strerror}. Check the path and the permissions."
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from error


# The functions below import what they check, because `up` should not wait for checks that it does not make.


def _valid_robot(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.robot.places import read_places

    read_places(parameters["objects"])
    if parameters["robot"] == "daemon":
        _valid_daemon_address(parameters)


def _valid_daemon_address(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.robot.daemon_api import daemon_address

    daemon_address(parameters["daemon_url"])


def _valid_camera(parameters: Mapping[str, Any]) -> None:
    calibration = parameters.get("calibration", "")
    if calibration:
        from reachy_agent_ros.vision.video_camera import Lens

        Lens.read(Path(calibration))


def _valid_vision(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.vision.detectors import require_valid_detector
    from reachy_agent_ros.vision.eye import Mounting

    require_valid_detector(parameters["detector"])
    Mounting.parse(parameters["eye_mounting"])


def _valid_voice(parameters: Mapping[str, Any]) -> None:
    if parameters["sink"] == "robot":
        _valid_daemon_address(parameters)
    if parameters["voice_path"]:
        from reachy_agent_ros.tts.voice import require_voice

        require_voice(Path(parameters["voice_path"]))
    if parameters["voices_path"] and not Path(parameters["voices_path"]).is_dir():
        message = f"There is no folder {parameters['voices_path']}: set voices to a folder with Piper voices."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)


def _valid_hearing(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.stt.whisper_models import require_model

    if parameters["source"] == "robot":
        _valid_daemon_address(parameters)
    require_model(parameters["model"], parameters["language"])


def _valid_tools(parameters: Mapping[str, Any]) -> None:
    if parameters["fetch_hosts"]:
        from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher

        Fetcher.of(parameters["fetch_hosts"])


def _valid_agent(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.agent.conversation import attention, team_file
    from reachy_agent_ros.agent.mcp_tools import server_settings
    from reachy_agent_ros.agent.model.settings_file import tiers_of
    from reachy_agent_ros.agent.web.engines import search_engine

    folder = Path(parameters["directory"])
    attention.robot_names(parameters["robot_name"])
    search_engine(parameters["web_search"], parameters["searxng_url"])
    tiers_of(parameters)
    team_file.load_team(folder / team_file.FILE_NAME)
    server_settings.load_servers(folder / server_settings.FILE_NAME)


def _valid_gateway(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.gateway.access.rate_limit import RateLimit
    from reachy_agent_ros.gateway.access.request_validation import read_origins
    from reachy_agent_ros.gateway.access.token_file import FILE_NAME, TokenFile
    from reachy_agent_ros.gateway.bind_config import BindConfig

    RateLimit(parameters["rate"])
    read_origins(parameters["origins"])
    address = BindConfig.from_parameters(parameters)
    address.authenticator(TokenFile(Path(parameters["directory"]) / FILE_NAME))
    address.require_valid_certificate()


def _free_port(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.gateway.bind_config import BindConfig

    BindConfig.from_parameters(parameters).listen(parameters["port"]).close()


def _answering_daemon(parameters: Mapping[str, Any]) -> None:
    if parameters["robot"] == "daemon":
        _require_daemon(parameters)


def _require_daemon(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.robot.daemon_api import DaemonApi

    daemon = DaemonApi(parameters["daemon_url"])
    try:
        daemon.status()
    finally:
        daemon.close()


def _connected_camera(parameters: Mapping[str, Any]) -> None:
    if parameters["robot"] == "daemon":
        from reachy_agent_ros.vision.video_camera import require_device

        require_device(parameters["device"])


def _connected_loudspeaker(parameters: Mapping[str, Any]) -> None:
    if parameters["sink"] == "speaker":
        from reachy_agent_ros.audio.device import LOUDSPEAKER, require_device, sound_devices

        require_device(sound_devices(), LOUDSPEAKER, parameters.get("device", ""))
    elif parameters["sink"] == "robot":
        _require_daemon(parameters)


def _connected_microphone(parameters: Mapping[str, Any]) -> None:
    if parameters["source"] == "microphone":
        from reachy_agent_ros.audio.device import MICROPHONE, require_device, sound_devices

        require_device(sound_devices(), MICROPHONE, parameters.get("device", ""))
    elif parameters["source"] == "robot":
        _require_daemon(parameters)


def _answering_model(parameters: Mapping[str, Any]) -> None:
    from reachy_agent_ros.agent.model import server_facts  # noqa: F401 - its import does not count as waiting
    from reachy_agent_ros.agent.model.access import ModelAccess
    from reachy_agent_ros.agent.model.settings_file import tiers_of

    access = ModelAccess(*tiers_of(parameters))

    async def check() -> None:
        async with asyncio.timeout(MODEL_TIMEOUT):
            await access.check()

    try:
        asyncio.run(check())
    except TimeoutError:
        message = f"No language model answered at {access.endpoint.shown} within {MODEL_TIMEOUT:g} s."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from None
    if access.problem:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, access.problem)
