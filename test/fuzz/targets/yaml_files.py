"""Targets for YAML files that users edit.

The files are models, MCP servers, permissions, personas, scenarios and camera calibrations.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from fuzz.file_target import FileTarget
from fuzz.mutation.text_mutation import mutated_text
from reachy_agent_ros.agent.mcp_tools.server_settings import load_servers
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.settings_file import load_tiers
from reachy_agent_ros.agent.permissions.policy import TEMPLATES, load_policy
from reachy_agent_ros.agent.personas.persona import SETTINGS, read_persona
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.testing.scenario_file import read_scenarios
from reachy_agent_ros.vision.video_camera import Lens

_WORDS = (
    *("&a ", "*a", "&a [*a]", "<<: ", "<<: *a", "? ", "- ", "---\n", "...\n", "|\n", ">-\n", "# ", "!!", "~", "@"),
    *("`", "%", "!!int ''", "!!int x", "!!float ''", "!!bool x", "!!timestamp x", "!!binary x", "!!set {a}"),
    *("!!omap [a]", "!!pairs [a]", "!!merge x", "!!value x", "!!null x", "!!str [a]", "!!seq {a: b}", "!!map [a]"),
    *("!!python/name:os", "!x", "!<tag:yaml.org,2002:int> ''", "%YAML 9.9\n---\n", "%TAG ! tag:x,1:\n---\n"),
    *("2001-13-45", "1:60:99", "=", "<<", ".inf", "-.inf", ".nan", "0b2", "0o9", "0x", "1e5", "[" * 400),
    *("{a: " * 200, "- " * 300, "[a, b]", "{a: b}", "{[a]: b}"),
    *("a: &x [l,l,l,l,l,l,l,l,l]\nb: &y [*x,*x,*x,*x,*x,*x,*x,*x,*x]\n", "? {a: b}\n: c", "\x85", "\ud800"),
    *("${HOME}", "${}"),
)
"""Texts with a special meaning in YAML."""

_MODELS = b"""\
quick:
  endpoints:
    - url: http://localhost:11434/v1
      model: small
      timeout: 20.0
      api_key_variable: PATH
deep:
  endpoints: [{url: "https://example.org/v1", max_tokens: 512}]
  budget: {tokens: 20000, seconds: 60.0}
"""

_SERVERS = b"""\
servers:
  weather:
    command: python3
    args: ["-m", "weather"]
    env: {WEATHER_KEY: "${WEATHER_KEY}"}
    tools: [forecast]
    specialist: web
  home: {url: "https://home.example/mcp", headers: {Authorization: "Bearer ${HOME_TOKEN}"}, time_limit: 5}
"""

_LENS = b"""\
image_width: 640
image_height: 480
camera_name: narrow_stereo
camera_matrix: {rows: 3, cols: 3, data: [438.7, 0.0, 305.5, 0.0, 437.3, 243.7, 0.0, 0.0, 1.0]}
distortion_model: plumb_bob
distortion_coefficients: {rows: 1, cols: 5, data: [-0.36, 0.11, 0.001, -0.0005, 0.0]}
"""


def model_settings() -> FileTarget:
    """Returns a target that loads `models.yaml`."""
    return _target("models.yaml", [_MODELS], lambda path: load_tiers(path, Endpoint()))


def server_settings() -> FileTarget:
    """Returns a target that loads `mcp.yaml`."""
    return _target("mcp.yaml", [_SERVERS], load_servers)


def permission_rules() -> FileTarget:
    """Returns a target that loads `permissions.yaml`."""
    samples = [configuration_file(f"permissions/{name}.yaml").read_bytes() for name in TEMPLATES]
    return _target("permissions.yaml", samples, load_policy)


def scenarios() -> FileTarget:
    """Returns a target that reads scenarios. Its samples are short, because reading stops at the first error."""
    files = sorted(configuration_file("scenarios").glob("*.yaml"))
    return _target(
        "scenarios.yaml", [path.read_bytes()[:1500].rpartition(b"\n\n")[0] for path in files], read_scenarios
    )


def lenses() -> FileTarget:
    """Returns a target that loads camera calibrations."""
    return _target("lens.yaml", [_LENS], _load_lens)


def persona_settings() -> FileTarget:
    """Returns a target that loads `persona.yaml`."""
    folder = configuration_file("personas")
    samples = [path.read_bytes() for path in sorted(folder.glob(f"*/{SETTINGS}"))]
    return _target(SETTINGS, samples, _load_persona)


def _target(name: str, samples: list[bytes], load: Callable[[Path], object]) -> FileTarget:
    return FileTarget(name, samples, mutated_yaml, load)


def mutated_yaml(sample: bytes, chance: random.Random) -> bytes:
    """Returns mutated YAML."""
    return mutated_text(sample.decode(), _WORDS, chance)


def _load_lens(path: Path) -> object:
    lens = Lens.read(path)
    return lens.scaled(320, 240), lens.pinhole(320, 240)


def _load_persona(path: Path) -> object:
    folder = path.parent / "someone"
    folder.mkdir()
    path.rename(folder / SETTINGS)
    (folder / "instructions.md").write_text("Be kind.")
    return read_persona(folder, ())
