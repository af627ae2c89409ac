"""Nodes of the graph and its launch arguments.

`launch/bringup.launch.py` creates launch actions from them; `reachy-agent up` supervises the same processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reachy_agent_ros.core import names, paths
from reachy_agent_ros.core.credentials import require_no_secret
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.places import FORM

Arguments = Mapping[str, str]
"""Values of all arguments by name, from `resolve`."""


@dataclass(frozen=True)
class Argument:
    """Argument of the graph, given as `name:=value`.

    Attributes:
        name: Name of the argument.
        default: Default value.
        description: Description with unit.
        choices: Allowed values; empty if any value is allowed.
    """

    name: str
    default: str
    description: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeSpecification:
    """Node of the graph. Its process is restarted whenever it ends.

    Attributes:
        name: Name of the node, its executable, and its module in `reachy_agent_ros.ros`.
        parameters: Returns the ROS parameters of the node for given arguments.
        nice: Scheduling niceness of the process. A negative value only has an effect if the system allows it.
        restart_delay: Time from the end of the process to its restart, s. Repeated failures may increase it.
    """

    name: str
    parameters: Callable[[Arguments], Mapping[str, str | int]]
    nice: int = 0
    restart_delay: float = 0.1

    @property
    def module(self) -> str:
        """Module for `python -m`."""
        return f"reachy_agent_ros.ros.{self.name}.{self.name}"


def _body(arguments: Arguments) -> dict[str, str]:
    given = {name: arguments[name] for name in ("daemon_url", "objects")}
    return {**_eye(arguments), **given, "moves_directory": _folder(arguments, "moves")}


def _eye(arguments: Arguments) -> dict[str, str]:
    return {"robot": arguments["robot"], "scene": arguments["scene"]}


def _folder(arguments: Arguments, name: str) -> str:
    return f"{arguments['state_directory']}/{name}"


NODES = (
    NodeSpecification(names.HARDWARE_BRIDGE, _body, nice=-10),
    NodeSpecification(
        names.CAMERA,
        lambda given: {**_eye(given), "device": given["camera_device"], "panel_image": given["panel_image"]},
    ),
    NodeSpecification(
        names.VISION,
        lambda given: {
            "detector": given["detector"],
            "eye_mounting": given["eye_mounting"],
            "model_endpoint": given["model_endpoint"],
            "model_name": given["vision_model_name"] or given["model_name"],
        },
    ),
    NodeSpecification(
        names.TTS,
        lambda given: {
            "sink": given["audio_sink"],
            "daemon_url": given["daemon_url"],
            "directory": _folder(given, "speech"),
            "policies": _folder(given, "policies"),
            "voice_path": given["voice"],
            "voices_path": given["voices"],
        },
    ),
    NodeSpecification(
        names.STT,
        lambda given: {
            "source": given["audio_source"],
            "daemon_url": given["daemon_url"],
            "duplex": given["duplex"],
            "model": given["speech_model"],
            "language": given["language"],
        },
    ),
    # This node commands the robot. If its heartbeat is late on a busy machine, the bridge ends its motions.
    NodeSpecification(
        names.TOOL_SERVER,
        lambda given: {
            "directory": given["state_directory"],
            "photo_directory": _folder(given, "photos"),
            "tool_review": given["tool_review"],
            "fetch_hosts": given["fetch_hosts"],
        },
        nice=-5,
    ),
    NodeSpecification(
        names.FEEDBACK,
        lambda given: {"directory": given["state_directory"], "database": given["feedback_database"]},
    ),
    NodeSpecification(
        names.TRAINER,
        lambda given: {
            "directory": given["state_directory"],
            "database": given["feedback_database"],
            "viewpoint": given["viewpoint"],
        },
    ),
    NodeSpecification(
        names.AGENT,
        lambda given: {
            "model_endpoint": given["model_endpoint"],
            "model_name": given["model_name"],
            "directory": given["state_directory"],
            "web_search": given["web_search"],
            "searxng_url": given["searxng_url"],
            "plan_review": given["plan_review"],
            "robot_name": given["robot_name"],
            "attention": given["attention"],
            "early_commitment": given["early_commitment"] == "true",
        },
    ),
    NodeSpecification(
        names.GATEWAY,
        lambda given: {
            "directory": given["state_directory"],
            "database": given["feedback_database"],
            "port": int(given["gateway_port"]),
            **{
                name: given[f"gateway_{name}"]
                for name in ("host", "tokens", "encryption", "certificate", "key", "origins", "rate")
            },
        },
    ),
)
"""Nodes in start order, each after the nodes that it depends on. They stop in reverse order."""


def declared_arguments() -> tuple[Argument, ...]:
    """Returns the arguments of the graph. The default of the state directory depends on the environment."""
    return (
        Argument("robot", "mujoco", "Robot: simulated (mujoco), or behind its daemon (daemon).", ("mujoco", "daemon")),
        Argument("scene", "minimal", "Surroundings of the simulated robot.", ("empty", "minimal")),
        Argument("objects", "", f"Positions of objects in simulation: {FORM}; empty: those of the scene."),
        Argument("panel_image", "", "Image on a board in front of the simulated camera; empty: no board."),
        Argument("daemon_url", "http://127.0.0.1:8000", "URL of the Reachy Mini daemon."),
        Argument("model_endpoint", "", "Base URL of an OpenAI-compatible endpoint; empty: only commands, no chat."),
        Argument("model_name", "", "Language model at that endpoint; empty: the first one offered."),
        Argument("vision_model_name", "", "Model for questions about images; empty: the language model."),
        Argument("detector", "desk", "Object detector: desk, onnx:PATH, or endpoint for the vision model."),
        Argument("eye_mounting", "", "Rotation of the camera relative to the robot model: ROLL,PITCH,YAW, rad."),
        Argument("camera_device", "", "Camera device of a real robot: number or path; not used in simulation."),
        Argument("nodes", "all", f"Nodes to start: all, or a comma-separated list of {', '.join(node_names())}."),
        Argument("namespace", names.NAMESPACE, "ROS namespace of the robot; use another one for a second robot."),
        Argument(
            "transport",
            "loopback",
            "Programs that may join the graph: those on this machine (loopback), or any program on the network, which "
            "can then command the robot (network).",
            ("loopback", "network"),
        ),
        Argument(
            "audio_source",
            "topic",
            "Audio source: only the topic audio/capture (topic), or also a microphone of this machine or of the robot.",
            ("topic", "microphone", "robot"),
        ),
        Argument(
            "audio_sink",
            "none",
            "Audio output in addition to the topic audio/playback: a speaker of this machine, the robot, or WAV files.",
            ("none", "speaker", "robot", "file"),
        ),
        Argument(
            "duplex",
            "reference",
            "Echo handling while the robot speaks: cancel its own voice (reference), rely on the microphone's echo "
            "cancellation (open), or accept only a stop (half).",
            ("reference", "open", "half"),
        ),
        Argument(
            "speech_model",
            "tiny.en",
            "Whisper model: tiny.en, base (99 languages), or the folder of a converted model.",
        ),
        Argument("language", "en", "IETF tag of the spoken language; other than en: requires a multilingual model."),
        Argument("voice", "", "Voice, a Piper .onnx file; empty: the packaged en_US-joe."),
        Argument("voices", "", "Folder of more Piper voices, which a goal of the say action may select."),
        Argument("robot_name", "Reachy", "Name of the robot; alternative spellings follow after commas."),
        Argument(
            "attention",
            "name",
            "Speech that the robot responds to: after its name, a button or its own answer (name), or all (always).",
            ("name", "always"),
        ),
        Argument(
            "early_commitment",
            "true",
            "Whether a reversible command begins before the speaker has certainly finished.",
            ("true", "false"),
        ),
        Argument(
            "plan_review",
            "act",
            "Parts of a plan that need approval. act: none; plan: the plan and its changes; steps: also each step.",
            choices=("act", "plan", "steps"),
        ),
        Argument(
            "tool_review",
            "acting",
            "Generated tools that need approval before they run: none (never), those that move the robot, speak or "
            "contact other machines (acting), or all (always).",
            choices=("never", "acting", "always"),
        ),
        Argument("fetch_hosts", "", "Comma-separated hosts that generated tools may contact; empty: none."),
        Argument(
            "web_search",
            "off",
            "Web search provider, which receives the search terms: off, ddgs, or searxng at searxng_url.",
            choices=("off", "ddgs", "searxng"),
        ),
        Argument("searxng_url", "", "URL of a SearXNG server with JSON output."),
        Argument(
            "gateway_host", "127.0.0.1", "Listen address of the gateway; callers from other machines need tokens."
        ),
        Argument("gateway_port", "8042", "Port of the gateway; 0: any free one, shown by `reachy-agent status`."),
        Argument(
            "gateway_tokens",
            "outside",
            "Callers that need a token: those from other machines (outside), or all (required).",
            ("outside", "required"),
        ),
        Argument("gateway_certificate", "", "PEM file of the gateway's certificate chain; empty: no TLS."),
        Argument("gateway_key", "", "PEM file of the gateway's private key; empty: in the certificate file."),
        Argument(
            "gateway_encryption",
            "required",
            "TLS at addresses that other machines can reach; none lets anyone on the network read the traffic.",
            ("required", "none"),
        ),
        Argument(
            "gateway_origins",
            "",
            "Comma-separated origins of web pages that may call the gateway, for example https://robot.example.",
        ),
        Argument("gateway_rate", "200/second", "Rate limit for each caller; does not apply to the stop."),
        Argument(
            "feedback_database",
            "",
            "URL of a PostgreSQL database for feedback; empty: feedback.db in the state directory.",
        ),
        Argument(
            "viewpoint",
            "robot",
            "Viewpoint of left and right in corrections: the robot's (robot), or that of a person opposite (across).",
            ("robot", "across"),
        ),
        Argument(
            "state_directory",
            str(paths.state_directory()),
            "Folder for conversations, memory, tools, policies, tokens, rules, the audit log and photos.",
        ),
    )


def resolve(given: Mapping[str, str]) -> dict[str, str]:
    """Completes and checks arguments.

    Args:
        given: Values by name, defaults left out.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: unknown name, a value that is not a choice or contains a secret, an invalid ROS
            namespace, or an unknown node.
    """
    known = {argument.name: argument for argument in declared_arguments()}
    for name, value in given.items():
        if name not in known:
            message = f"Unknown argument {name!r}: expected one of {', '.join(known)}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        require_no_secret(name, value)
        choices = known[name].choices
        if choices and value not in choices:
            message = f"Invalid {name} {value!r}: expected {' or '.join(choices)}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    arguments = {name: given.get(name, argument.default) for name, argument in known.items()}
    if not re.fullmatch(r"(/[A-Za-z_]\w*)+", arguments["namespace"], re.ASCII):
        message = f"Invalid namespace {arguments['namespace']!r}: expected a name such as /reachy_mini."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    selected(arguments)
    return arguments


def selected(arguments: Arguments) -> list[NodeSpecification]:
    """Returns the nodes that the arguments select, in start order.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: `nodes` contains an unknown node.
    """
    if arguments["nodes"] == "all":
        return list(NODES)
    wanted = {name.strip() for name in arguments["nodes"].split(",")}
    unknown = wanted.difference(node_names())
    if unknown:
        message = f"Unknown node {', '.join(sorted(unknown))}: expected some of {', '.join(node_names())}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    return [node for node in NODES if node.name in wanted]


def node_names() -> list[str]:
    """Returns the names of all nodes, relative to the namespace."""
    return [node.name for node in NODES]
