"""Arguments of the graph, in the form `name:=value` of ROS launch files.

An argument sets one or more node parameters; `bringup.NODES` maps them.
"""

from __future__ import annotations

from reachy_agent_ros.core import names, paths
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter


def declared_arguments() -> tuple[Parameter, ...]:
    """Returns the arguments of the graph. The default of the state directory depends on the environment."""
    return (*_ARGUMENTS, Parameter("state_directory", str(paths.state_directory()), _STATE))


_STATE = "Folder for conversations, memory, tools, policies, tokens, rules, the audit log and photos"
_ARGUMENTS = (
    Parameter(
        "robot", "mujoco", "Robot: simulated (mujoco), or behind its daemon (daemon)", choices=("mujoco", "daemon")
    ),
    Parameter("scene", "minimal", "Surroundings of the simulated robot", choices=("empty", "minimal")),
    Parameter(
        "objects",
        "",
        "Positions of objects in simulation: NAME:X:Y in meters, separated by commas; empty: those of the scene",
    ),
    Parameter("panel_image", "", "Image on a board in front of the simulated camera; empty: no board"),
    Parameter("daemon_url", "http://127.0.0.1:8000", "URL of the Reachy Mini daemon"),
    Parameter("model_endpoint", "", "Base URL of an OpenAI-compatible endpoint; empty: only commands, no chat"),
    Parameter("model_name", "", "Language model at that endpoint; empty: the first one offered"),
    Parameter("vision_model_name", "", "Model for questions about images; empty: the language model"),
    Parameter("detector", "desk", "Object detector: desk, onnx:PATH, or endpoint for the vision model"),
    Parameter("eye_mounting", "", "Rotation of the camera relative to the robot model: ROLL,PITCH,YAW, rad"),
    Parameter("camera_device", "", "Camera device of a real robot: number or path; not used in simulation"),
    Parameter("nodes", "all", f"Nodes to start: all, or a comma-separated list of {', '.join(NODE_PARAMETERS)}"),
    Parameter(
        "namespace",
        names.NAMESPACE,
        "ROS namespace of the robot; a second robot needs another one and its own state_directory",
    ),
    Parameter(
        "transport",
        "loopback",
        "Programs that may join the graph: those on this machine (loopback), or any program on the network, which "
        "can then command the robot (network)",
        choices=("loopback", "network"),
    ),
    Parameter(
        "audio_source",
        "topic",
        "Audio source: only the topic audio/capture (topic), or also a microphone of this machine or of the robot",
        choices=("topic", "microphone", "robot"),
    ),
    Parameter(
        "audio_sink",
        "none",
        "Audio output in addition to the topic audio/playback: a speaker of this machine, the robot, or WAV files",
        choices=("none", "speaker", "robot", "file"),
    ),
    Parameter(
        "duplex",
        "reference",
        "Echo handling while the robot speaks: cancel its own voice (reference), rely on the microphone's echo "
        "cancellation (open), or accept only a stop (half)",
        choices=("reference", "open", "half"),
    ),
    Parameter(
        "speech_model",
        "tiny.en",
        "Whisper model: tiny.en, base (99 languages), or the folder of a converted model",
    ),
    Parameter("language", "en", "IETF tag of the spoken language; other than en: requires a multilingual model"),
    Parameter("voice", "", "Voice, a Piper .onnx file; empty: the packaged en_US-joe"),
    Parameter("voices", "", "Folder of more Piper voices, which a goal of the say action may select"),
    Parameter("robot_name", "Reachy", "Name of the robot; alternative spellings follow after commas"),
    Parameter(
        "attention",
        "name",
        "Speech that the robot responds to: after its name, a button or its own answer (name), or all (always)",
        choices=("name", "always"),
    ),
    Parameter(
        "early_commitment", True, "Whether a reversible command begins before the speaker has certainly finished"
    ),
    Parameter(
        "plan_review",
        "act",
        "Parts of a plan that need approval. act: none; plan: the plan and its changes; steps: also each step",
        choices=("act", "plan", "steps"),
    ),
    Parameter(
        "tool_review",
        "acting",
        "Generated tools that need approval before they run: none (never), those that move the robot, speak or "
        "contact other machines (acting), or all (always)",
        choices=("never", "acting", "always"),
    ),
    Parameter("fetch_hosts", "", "Comma-separated hosts that generated tools may contact; empty: none"),
    Parameter(
        "web_search",
        "off",
        "Web search provider, which receives the search terms: off, ddgs, or searxng at searxng_url",
        choices=("off", "ddgs", "searxng"),
    ),
    Parameter("searxng_url", "", "URL of a SearXNG server with JSON output"),
    Parameter("gateway_host", "127.0.0.1", "Listen address of the gateway; callers from other machines need tokens"),
    Parameter(
        "gateway_port", 8042, "Port of the gateway; 0: any free one, shown by `reachy-agent status`", low=0, high=65535
    ),
    Parameter(
        "gateway_tokens",
        "outside",
        "Callers that need a token: those from other machines (outside), or all (required)",
        choices=("outside", "required"),
    ),
    Parameter("gateway_certificate", "", "PEM file of the gateway's certificate chain; empty: no TLS"),
    Parameter("gateway_key", "", "PEM file of the gateway's private key; empty: in the certificate file"),
    Parameter(
        "gateway_encryption",
        "required",
        "TLS at addresses that other machines can reach; none lets anyone on the network read the traffic",
        choices=("required", "none"),
    ),
    Parameter(
        "gateway_origins",
        "",
        "Comma-separated origins of web pages that may call the gateway, for example https://robot.example",
    ),
    Parameter("gateway_rate", "200/second", "Rate limit for each caller; does not apply to the stop"),
    Parameter(
        "feedback_database",
        "",
        "URL of a PostgreSQL database for feedback; empty: feedback.db in the state directory",
    ),
    Parameter(
        "viewpoint",
        "robot",
        "Viewpoint of left and right in corrections: the robot's (robot), or that of a person opposite (across)",
        choices=("robot", "across"),
    ),
)
