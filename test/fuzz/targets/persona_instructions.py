"""Target for the instructions of personas. They are templates with values and included files."""

from __future__ import annotations

import random
from pathlib import Path

from fuzz.file_target import FileTarget
from fuzz.mutation.text_mutation import mutated_text
from reachy_agent_ros.agent.personas.template import Value, read_template
from reachy_agent_ros.core.paths import configuration_file

_WORDS = (
    *("{", "}", "{{", "}}", "{owner}", "{}", "{0}", "{owner!r}", "{owner.__class__}", "{owner:>9999999}"),
    *("{include:}", "{include:common/character.md}", "{include:../secret.md}", "{include:/etc/passwd}"),
    *("{include:instructions.md}", "{include:a/../b.md}", "{include:.hidden.md}", "{include:common}", "{{{", "}{"),
    "{\n}",
)

_VALUE = "{include:common/character.md} {owner} \x1b[2J \u202e" * 20
"""Value that contains template syntax and control characters, which must not be interpreted."""


def persona_instructions() -> FileTarget:
    """Returns a target that loads and expands `instructions.md`."""
    folder = configuration_file("personas")
    samples = [path.read_bytes() for path in sorted(folder.glob("*/instructions.md"))]
    return FileTarget("instructions.md", [*samples, b"Your owner is {owner}, {{and}} so on."], _mutated, _load)


def _mutated(sample: bytes, chance: random.Random) -> bytes:
    return mutated_text(sample.decode(), _WORDS, chance)


def _load(path: Path) -> None:
    own = path.read_text(encoding="utf-8", errors="replace")
    template = read_template(path, (path.parent, configuration_file("personas")))
    text = template.expand({part.name: _VALUE for part in template.parts if isinstance(part, Value)})
    assert "root:" in own or "root:" not in text, "a file outside the allowed folders was included"
    assert "\x1b" in own or "\x1b" not in text, "a value contains control characters"
