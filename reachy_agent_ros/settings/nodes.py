"""Parameters of every node.

The nodes declare exactly these, so a setting can be checked before a node starts. Defaults that belong to an algorithm
equal those in its package, as a test verifies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from reachy_agent_ros.core import names
from reachy_agent_ros.settings.parameter import Parameter

_ROBOT = Parameter(
    "robot", "mujoco", "Robot: simulated (mujoco), or behind its daemon (daemon)", choices=("mujoco", "daemon")
)
_SCENES = ("empty", "minimal")
_SURROUNDINGS = "Surroundings of the simulated robot"
_DAEMON_URL = "http://127.0.0.1:8000"
_DATABASE = Parameter(
    "database", "", "URL of PostgreSQL or SQLite for feedback; empty: feedback.db in the node's folder"
)
_ENDPOINT = Parameter("model_endpoint", "", "Base URL of an OpenAI-compatible endpoint; empty: those of models.yaml")
_TIMEOUT = Parameter("model_timeout", 60.0, "Time limit of a model's response", "s", 0.1, 600.0)

_live = partial(Parameter, changes_live=True)

_HARDWARE_BRIDGE = (
    _ROBOT,
    Parameter("scene", "empty", _SURROUNDINGS, choices=_SCENES),
    Parameter("daemon_url", _DAEMON_URL, "URL of the Reachy Mini daemon"),
    Parameter(
        "objects", "", "Positions of simulated objects: NAME:X:Y in meters, separated by commas; empty: the scene's"
    ),
    Parameter("moves_directory", "", "Folder of recorded moves; empty: `moves` in the state directory"),
    Parameter(
        "head_fault_time", 1.0, "Time the head may be far from its command before a fault is raised", "s", 0.2, 60
    ),
    _live("speech_layer", True, "Whether offsets of speech are added to motions"),
    _live("face_layer", True, "Whether offsets of face tracking are added to motions"),
    _live("gaze_layer", True, "Whether offsets of the gaze are added to motions"),
    Parameter(
        "pace",
        1.0,
        "Pace of motions without a duration of their own, as a multiple of their usual one",
        "",
        0.3,
        2,
        changes_live=True,
    ),
    Parameter(
        "breathing_pause",
        5.0,
        "Idle time after which the robot begins to breathe; 0: never",
        "s",
        0,
        3600,
        changes_live=True,
    ),
    Parameter("breathing_lift", 0.005, "Amplitude of the head's breathing", "m", 0, 0.02, changes_live=True),
    Parameter("breathing_rate", 0.2, "Frequency of the head's breathing", "Hz", 0.05, 1, changes_live=True),
    Parameter(
        "breathing_sway", math.radians(15), "Amplitude of the antennas' breathing", "rad", 0, 0.8, changes_live=True
    ),
    Parameter("breathing_sway_rate", 0.5, "Frequency of the antennas' breathing", "Hz", 0.05, 1, changes_live=True),
    _live("idle_intensity", 0.5, "Size and frequency of the idle robot's glances; 0: no idle life", "", 0, 1),
    _live("idle_turn", 0.5, "Maximum turn of the head in a glance", "rad", 0, 0.8),
    _live("idle_sleepy_after", 300.0, "Time without use after which the robot becomes sleepy; 0: never", "s", 0, 86400),
    _live("idle_asleep_after", 900.0, "Time without use after which the robot sleeps; 0: never", "s", 0, 86400),
)

_CAMERA = (
    _ROBOT,
    Parameter("scene", "minimal", _SURROUNDINGS, choices=_SCENES),
    Parameter("rate", 10.0, "Frame rate while there are subscribers", "Hz", 0.1, 30),
    Parameter("width", 640, "Width of the camera image", "pixels", 16, 1920),
    Parameter("height", 480, "Height of the camera image", "pixels", 16, 1080),
    Parameter("panel_image", "", "Image on a panel in front of the simulated camera; empty: no panel"),
    Parameter("panel_height", 0.4, "Height of the panel", "m", 0.01, 2),
    Parameter("device", "", "Camera of a real robot: number or path, for example /dev/video0"),
    Parameter("field_of_view", 1.16, "Vertical field of view of a real camera without calibration", "rad", 0.1, 3),
    Parameter("calibration", "", "Calibration file by ROS's camera_calibration; empty: none"),
    Parameter("raw", False, "Whether uncompressed images are published too: 9 MB/s at 640x480"),
)

_VISION = (
    Parameter("detector", "desk", "Object detector: desk, onnx:PATH, or endpoint for the vision model"),
    Parameter("detection_rate", 5.0, "Maximum rate of object detection", "Hz", 0.1, 30),
    Parameter("face_rate", 10.0, "Maximum rate of face detection", "Hz", 0.1, 30),
    Parameter("eye_mounting", "", "Rotation of the camera relative to the robot model: ROLL,PITCH,YAW in rad"),
    Parameter("head_tracking", False, "Whether the head follows faces from the start"),
    Parameter(
        "idle_look_period", 30.0, "Time between pictures for glances of the idle robot; 0: no pictures", "s", 0, 3600
    ),
    _ENDPOINT,
    Parameter("model_name", "", "Vision model at the endpoint; empty: the first one offered"),
    _TIMEOUT,
)

_TTS = (
    Parameter("voice_path", "", "Piper voice, an .onnx file; empty: the packaged en_US-joe"),
    Parameter("voices_path", "", "Folder of more Piper voices that goals may select"),
    _live("volume", 1.0, "Default volume, 0 to 1", "", 0, 1),
    Parameter(
        "sink",
        "none",
        "Audio output in addition to the topic: a speaker of this machine, the robot, or WAV files",
        choices=("none", "speaker", "robot", "file"),
    ),
    Parameter("directory", "", "Folder of audio files; empty: `speech` in the state directory"),
    Parameter("policies", "", "Folder of learned policies; empty: `policies` in the state directory"),
    Parameter("device", "", "Part of the loudspeaker's name; empty: the system's default"),
    Parameter("daemon_url", _DAEMON_URL, "URL of the daemon of the robot with the loudspeaker"),
    Parameter("wobble", 1.0, "Amplitude of the head's movement during speech, 0 to 1", "", 0, 1),
    Parameter("wobble_lead", 0.15, "Delay from an offset to the head's movement", "s", 0, 1),
)

_STT = (
    Parameter(
        "source",
        "topic",
        "Audio source: only the topic, or also a microphone of this machine, the robot, or the file `stt.file`",
        choices=("topic", "microphone", "robot", "file"),
    ),
    Parameter("file", "", "Audio file to play once in real time if `source` is file"),
    Parameter("device", "", "Part of the microphone's name; empty: the system's default"),
    Parameter("daemon_url", _DAEMON_URL, "URL of the daemon of the robot with the microphone"),
    Parameter("detector", "silero", "Voice activity detector", choices=("silero", "webrtc")),
    Parameter("model", "tiny.en", "Whisper model: tiny.en, base (99 languages), or the folder of a converted model"),
    Parameter("cpu_threads", 1, "Threads of the recognizer", "", 1, 16),
    Parameter("language", "en", "IETF tag of the spoken language; any but en needs a multilingual model"),
    Parameter(
        "end_of_turn",
        "silence",
        "End of an utterance. silence: after a fixed silence, `hangover`; words: after a silence that depends on the "
        "words and the sound before it",
        choices=("silence", "words"),
    ),
    Parameter("hangover", 0.192, "Silence that ends an utterance, unless its words decide", "s", 0.16, 2),
    Parameter("shortest_silence", 0.16, "Silence that ends a complete sentence, if its words decide", "s", 0.128, 2),
    Parameter("longest_silence", 1.2, "Silence that ends an unfinished sentence, if its words decide", "s", 0.16, 5),
    Parameter("merge", 0.608, "Time after its end in which an utterance may continue; 0: never", "s", 0, 5),
    Parameter("longest", 15.0, "Maximum length of an utterance", "s", 1, 26),
    Parameter(
        "duplex",
        "reference",
        "Listening while the robot speaks. half: only a short stop is heard; reference: the robot's voice is removed "
        "from the captured audio; open: the microphone removes it",
        choices=("half", "reference", "open"),
    ),
)

_TOOL_SERVER = (
    Parameter("directory", "", "Folder of rules, approvals and generated tools; empty: the state directory"),
    Parameter("photo_directory", "", "Folder of photos; empty: `photos` in the state directory"),
    Parameter(
        "tool_review",
        "acting",
        "Generated tools that need approval before they run, besides imported ones and all in the weaker sandbox: none "
        "(never), those that move the robot, speak or contact other machines (acting), or all (always)",
        choices=("never", "acting", "always"),
    ),
    Parameter("fetch_hosts", "", "Hosts that generated tools may access, separated by commas; empty: none"),
)

_FEEDBACK = (
    _DATABASE,
    Parameter("directory", "", "Folder of feedback and policies; empty: the state directory"),
)

_TRAINER = (
    Parameter("directory", "", "Folder of demonstrations and policies; empty: the state directory"),
    _DATABASE,
    Parameter(
        "viewpoint",
        "robot",
        "Viewpoint of left and right in corrections: the robot (robot), or a person opposite (across)",
        choices=("robot", "across"),
    ),
    Parameter("niceness", 19, "Niceness of training processes: at 19 all other processes go first", "", 0, 19),
)

_AGENT = (
    Parameter("directory", "", "Folder of conversations, memory and rules; empty: the state directory"),
    Parameter(
        "plan_review",
        "act",
        "Parts of a plan that need approval. act: none; plan: the plan and its changes; steps: also each step",
        choices=("act", "plan", "steps"),
    ),
    Parameter("robot_name", "Reachy", "Name of the robot, then other spellings, separated by commas"),
    Parameter("owner", "your owner", "Name of the robot's owner in personas"),
    _ENDPOINT,
    Parameter("model_name", "", "Name of the model at the endpoint; empty: the first one offered"),
    _TIMEOUT,
    Parameter("model_max_tokens", 512, "Length limit of a model's response", "tokens", 16, 8192),
    Parameter("turn_time", 120.0, "Time limit of a turn", "s", 1, 3600),
    Parameter("turn_tokens", 40_000, "Token limit of a turn", "tokens", 100, 10_000_000),
    Parameter("plan_failures", 2, "Failures of a step after which the robot asks a person", "", 1, 20),
    Parameter("approval_time", 60.0, "Time limit for approving a tool call", "s", 1, 3600),
    Parameter(
        "web_search",
        "off",
        "Web search provider, which receives the search terms; off: none",
        choices=("off", "ddgs", "searxng"),
    ),
    Parameter("searxng_url", "", "URL of a SearXNG server with JSON output"),
    Parameter(
        "tool_exploration", 0.05, "Probability of trying out advice for a request that several tools may fit", "", 0, 1
    ),
    Parameter("trace_collector", "", "URL of an OTLP collector of traces; empty: OTEL_EXPORTER_OTLP_ENDPOINT, or none"),
    Parameter("early_commitment", True, "Whether reversible commands begin at a pause, before the sentence ends"),
    Parameter(
        "attention",
        "name",
        "Speech that counts as addressed to the robot. name: after its name, push-to-talk or its own answer; always: "
        "all speech",
        choices=("name", "always"),
    ),
    Parameter("attention_named", 8.0, "Time for which the robot listens after its name", "s", 0, 120),
    Parameter("attention_pressed", 8.0, "Time for which the robot listens after push-to-talk", "s", 0, 120),
    Parameter("attention_answered", 6.0, "Time for which the robot listens after its own answer", "s", 0, 120),
)

_GATEWAY = (
    Parameter("directory", "", "Folder of the agent's persistent data; empty: the state directory"),
    _DATABASE,
    # 8000 is the port of the daemon of a real robot.
    Parameter("port", 8042, "Port of the gateway; 0: any free one, shown by `reachy-agent status`", "", 0, 65535),
    Parameter("host", "127.0.0.1", "Listen address of the gateway; any but a loopback address requires tokens"),
    Parameter(
        "tokens",
        "outside",
        "Clients that need a token: those on other machines (outside), or all (required)",
        choices=("outside", "required"),
    ),
    Parameter(
        "encryption",
        "required",
        "TLS at addresses that other machines can reach. none: the network can read the traffic",
        choices=("required", "none"),
    ),
    Parameter("certificate", "", "PEM file of the gateway's certificate chain; empty: no TLS"),
    Parameter("key", "", "PEM file of the gateway's private key; empty: in the certificate file"),
    Parameter(
        "origins",
        "",
        "Origins of web pages that may call the gateway, separated by commas, for example https://robot.example",
    ),
    Parameter("rate", "200/second", "Rate limit of each caller of the gateway; does not apply to the stop"),
)

NODE_PARAMETERS: Mapping[str, Mapping[str, Parameter]] = {
    node: {parameter.name: parameter for parameter in parameters}
    for node, parameters in (
        (names.HARDWARE_BRIDGE, _HARDWARE_BRIDGE),
        (names.CAMERA, _CAMERA),
        (names.VISION, _VISION),
        (names.TTS, _TTS),
        (names.STT, _STT),
        (names.TOOL_SERVER, _TOOL_SERVER),
        (names.FEEDBACK, _FEEDBACK),
        (names.TRAINER, _TRAINER),
        (names.AGENT, _AGENT),
        (names.GATEWAY, _GATEWAY),
    )
}
"""Parameters by node (in start order) and by name."""
