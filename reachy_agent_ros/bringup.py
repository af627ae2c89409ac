"""The graph in one table: its arguments and its nodes.

`launch/bringup.launch.py` turns the table into launch actions, `reachy-agent up` supervises the same processes.
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
"""Every argument's value by its name, as `resolve` returns them."""


@dataclass(frozen=True)
class Argument:
    """One argument of the graph, given as `name:=value`.

    Attributes:
        name: As typed.
        default: Value where none is given.
        description: What it is, with its unit.
        choices: The only values allowed; any where empty.
    """

    name: str
    default: str
    description: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class NodeSpecification:
    """One node of the graph. Whatever ends a node's process, it is started again.

    Attributes:
        name: Of the node, of its executable and of its module in `reachy_agent_ros.ros`.
        parameters: The node's ROS parameters under given arguments.
        nice: Scheduling niceness of its process; a negative one holds only where the system allows it.
        restart_delay: Seconds from its end to its next start. A supervisor may wait longer after repeated failures.
    """

    name: str
    parameters: Callable[[Arguments], Mapping[str, str | int]]
    nice: int = 0
    restart_delay: float = 0.1

    @property
    def module(self) -> str:
        """What `python -m` runs."""
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
    # It commands the robot: on a busy machine its heartbeat must not be late, or the bridge ends what it moves.
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
            "port": int(given["gateway_port"]),
            **{
                name: given[f"gateway_{name}"]
                for name in ("host", "tokens", "encryption", "certificate", "key", "origins", "rate")
            },
        },
    ),
)
"""The nodes, each after those it needs: they start in this order and stop in the reverse one."""


def declared_arguments() -> tuple[Argument, ...]:
    """The graph's arguments. A function, because the state directory's default depends on the environment."""
    return (
        Argument("robot", "mujoco", "The body: simulated in process, or behind its daemon.", ("mujoco", "daemon")),
        Argument("scene", "minimal", "What stands around the simulated robot.", ("empty", "minimal")),
        Argument("objects", "", f"Where objects stand in simulation: {FORM}; empty: as the scene has them."),
        Argument("panel_image", "", "Picture on a board that can be held before the simulated eye; empty: no board."),
        Argument("daemon_url", "http://127.0.0.1:8000", "Where the Reachy Mini daemon answers."),
        Argument("model_endpoint", "", "Base URL of an OpenAI-compatible endpoint; empty: commands only, no chat."),
        Argument("model_name", "", "Model to ask for at that endpoint; empty: the first it offers."),
        Argument("vision_model_name", "", "Model there that answers questions about pictures; empty: the same model."),
        Argument("detector", "desk", "What finds objects: desk, onnx:PATH, or endpoint for the vision model."),
        Argument("eye_mounting", "", "How the eye is turned against the model: ROLL,PITCH,YAW, rad."),
        Argument("camera_device", "", "Camera of a real robot: number or path; simulated robots need none."),
        Argument("nodes", "all", f"Which nodes to start: all, or some of {', '.join(node_names())}, with commas."),
        Argument("namespace", names.NAMESPACE, "Namespace of the robot's names; another one for a second robot."),
        Argument(
            "transport",
            "loopback",
            "Who may join: programs of this machine (loopback), or anyone on the network, who can then command the "
            "robot (network).",
            ("loopback", "network"),
        ),
        Argument("audio_source", "topic", "Where the robot hears from.", ("topic", "microphone", "robot")),
        Argument(
            "audio_sink",
            "none",
            "Where the robot speaks to, besides its topic.",
            ("none", "speaker", "robot", "file"),
        ),
        Argument(
            "duplex",
            "reference",
            "Speaking over the robot: its voice is taken out of what it hears (reference), the microphone does that "
            "(open), or only a stop is heard meanwhile (half).",
            ("reference", "open", "half"),
        ),
        Argument(
            "speech_model", "tiny.en", "Whisper: tiny.en, base (99 languages), or the folder of a converted model."
        ),
        Argument("language", "en", "IETF tag of what is spoken to it; other than en: with a multilingual model."),
        Argument("voice", "", "Its voice, a Piper .onnx file; empty: the packaged en_US-joe."),
        Argument("voices", "", "Folder of more Piper voices, which a goal of say may name."),
        Argument("robot_name", "Reachy", "What it is called; other spellings follow after commas."),
        Argument(
            "attention",
            "name",
            "What is taken as said to it: what its name, a button or its own answer opens (name), or all (always).",
            ("name", "always"),
        ),
        Argument(
            "early_commitment",
            "true",
            "Whether a command that can be taken back begins before its speaker has certainly finished.",
            ("true", "false"),
        ),
        Argument(
            "plan_review",
            "act",
            "What of a plan a person approves. act: nothing; plan: the plan and its changes; steps: each step too.",
            choices=("act", "plan", "steps"),
        ),
        Argument(
            "tool_review",
            "acting",
            "Tools that the robot writes itself and a person approves before they run: never any, those that move it, "
            "speak or ask other machines (acting), or always.",
            choices=("never", "acting", "always"),
        ),
        Argument("fetch_hosts", "", "Hosts that such tools may ask, with commas; empty: none."),
        Argument(
            "web_search",
            "off",
            "What searches the web, so that words leave this machine. off, ddgs, or searxng at searxng_url.",
            choices=("off", "ddgs", "searxng"),
        ),
        Argument("searxng_url", "", "Address of a SearXNG server that gives results as JSON."),
        Argument(
            "gateway_host", "127.0.0.1", "Address at which the gateway listens; others than this machine's need tokens."
        ),
        Argument(
            "gateway_port", "8042", "Port at which it listens; 0: any that is free, as `reachy-agent status` tells."
        ),
        Argument(
            "gateway_tokens",
            "outside",
            "Who needs a token: callers at other addresses than this machine's own, or all of them (required).",
            ("outside", "required"),
        ),
        Argument("gateway_certificate", "", "PEM file of the gateway's certificate chain; empty: no TLS."),
        Argument("gateway_key", "", "PEM file of its private key; empty: in the same file."),
        Argument(
            "gateway_encryption",
            "required",
            "TLS at other addresses than this machine's own; none lets whoever is on the network read along.",
            ("required", "none"),
        ),
        Argument(
            "gateway_origins",
            "",
            "Origins of other servers' pages that may call it, with commas: https://robot.example.",
        ),
        Argument("gateway_rate", "200/second", "How often each caller may ask it; for the stop, always."),
        Argument(
            "feedback_database",
            "",
            "URL of the PostgreSQL database that keeps feedback; empty: feedback.db in the state directory.",
        ),
        Argument(
            "viewpoint",
            "robot",
            "Whose left people mean who correct it: the robot's own, or theirs, as they sit across.",
            ("robot", "across"),
        ),
        Argument("state_directory", str(paths.state_directory()), "Folder for sessions, photos and spoken replies."),
    )


def resolve(given: Mapping[str, str]) -> dict[str, str]:
    """Completes and checks arguments.

    Args:
        given: Values by name, defaults left out.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: unknown name, a value that is not a choice or holds a secret, no valid ROS
            namespace, or a node that does not exist.
    """
    known = {argument.name: argument for argument in declared_arguments()}
    for name, value in given.items():
        if name not in known:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"No argument {name!r}; there are {', '.join(known)}.")
        require_no_secret(name, value)
        choices = known[name].choices
        if choices and value not in choices:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name} is {value!r}, but must be {' or '.join(choices)}.")
    arguments = {name: given.get(name, argument.default) for name, argument in known.items()}
    if not re.fullmatch(r"(/[A-Za-z_]\w*)+", arguments["namespace"], re.ASCII):
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{arguments['namespace']!r} is no namespace like /reachy_mini.")
    selected(arguments)
    return arguments


def selected(arguments: Arguments) -> list[NodeSpecification]:
    """The nodes that these arguments ask for, in the table's order.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: `nodes` names one that does not exist.
    """
    if arguments["nodes"] == "all":
        return list(NODES)
    wanted = {name.strip() for name in arguments["nodes"].split(",")}
    unknown = wanted.difference(node_names())
    if unknown:
        raise AgentError(
            ErrorCode.INVALID_ARGUMENTS,
            f"No node {', '.join(sorted(unknown))}; there are {', '.join(node_names())}.",
        )
    return [node for node in NODES if node.name in wanted]


def node_names() -> list[str]:
    """Names of all nodes, relative to the namespace."""
    return [node.name for node in NODES]
