"""All surfaces that need no running graph, with their shares of a hundred thousand cases."""

from __future__ import annotations

from collections.abc import Callable

from fuzzing.archives import backups, checkpoints, policy_records, policy_weights
from fuzzing.bags import bags
from fuzzing.databases import databases
from fuzzing.failure_folder import FailureFolder
from fuzzing.json_files import exported_tools, memories, plans, recorded_moves, token_files, tool_cases
from fuzzing.model_replies import ModelReplies
from fuzzing.motion_targets import MotionTargets
from fuzzing.networks import networks
from fuzzing.persona_instructions import persona_instructions
from fuzzing.pictures import own_pictures, strangers_pictures
from fuzzing.sounds import sounds
from fuzzing.target import Target
from fuzzing.tool_sources import tool_examination, tool_reading
from fuzzing.turns import Turns
from fuzzing.watched_surface import WatchedSurface
from fuzzing.yaml_files import lenses, model_settings, permission_rules, persona_settings, scenarios, server_settings

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
"""Cases of a hundred thousand, and what makes the target; cheap ones have most."""


def watched_surfaces(failures: FailureFolder) -> list[WatchedSurface]:
    """All of them.

    Args:
        failures: Where inputs are kept.
    """
    return [WatchedSurface(name, share, make, failures) for name, (share, make) in TARGETS.items()]
