"""List of the surfaces that do not need a running graph, with the number of cases for each surface."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.failure_folder import FailureFolder
from fuzz.target import Target
from fuzz.targets.archives import backups, checkpoints, policy_records, policy_weights
from fuzz.targets.bags import bags
from fuzz.targets.databases import databases
from fuzz.targets.json_files import exported_tools, memories, plans, recorded_moves, token_files, tool_cases
from fuzz.targets.model_replies import ModelReplies
from fuzz.targets.motion_targets import MotionTargets
from fuzz.targets.networks import networks
from fuzz.targets.persona_instructions import persona_instructions
from fuzz.targets.pictures import own_pictures, strangers_pictures
from fuzz.targets.sounds import sounds
from fuzz.targets.tool_sources import tool_examination, tool_reading
from fuzz.targets.turns import Turns
from fuzz.targets.yaml_files import (
    lenses,
    model_settings,
    permission_rules,
    persona_settings,
    scenarios,
    server_settings,
)
from fuzz.watched_surface import WatchedSurface

TARGETS: dict[str, tuple[int, Callable[[], Target]]] = {
    "model-settings": (5_000, model_settings),
    "server-settings": (5_000, server_settings),
    "permissions": (4_000, permission_rules),
    "scenarios": (2_000, scenarios),
    "lenses": (3_000, lenses),
    "persona-settings": (5_000, persona_settings),
    "persona-instructions": (6_000, persona_instructions),
    "plans": (2_000, plans),
    "recorded-moves": (2_000, recorded_moves),
    "tokens": (4_000, token_files),
    "memories": (1_500, memories),
    "tool-cases": (6_000, tool_cases),
    "exported-tools": (6_000, exported_tools),
    "tool-examination": (5_000, tool_examination),
    "tool-reading": (500, tool_reading),
    "model-replies": (3_000, ModelReplies),
    "turns": (500, Turns),
    "motion-targets": (3_000, MotionTargets),
    "sounds": (6_000, sounds),
    "strangers-pictures": (6_000, strangers_pictures),
    "own-pictures": (4_000, own_pictures),
    "networks": (5_000, networks),
    "bags": (2_000, bags),
    "backups": (3_000, backups),
    "checkpoints": (4_000, checkpoints),
    "policy-records": (3_000, policy_records),
    "policy-weights": (4_000, policy_weights),
    "databases": (2_000, databases),
}
"""Share of a hundred thousand cases, and the factory of the target. Fast targets have more cases."""


def watched_surfaces(failures: FailureFolder) -> list[WatchedSurface]:
    """Returns all surfaces that do not need a running graph.

    Args:
        failures: Folder for failing inputs.
    """
    return [WatchedSurface(name, share, make, failures) for name, (share, make) in TARGETS.items()]
