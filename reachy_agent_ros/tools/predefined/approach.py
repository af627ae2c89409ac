"""Being nearer: the robot cannot walk, but its head leans."""

from __future__ import annotations

from typing import Any

import numpy as np

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import DurationS, motion_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class ApproachArguments(ToolArguments):
    """How fast; how near is what people taught."""

    duration_s: DurationS = 0.0


def _approach(arguments: ApproachArguments, context: ToolContext) -> dict[str, Any]:
    nearer = context.body.state().pose.head.copy()
    ahead = nearer[:2, 0] / np.linalg.norm(nearer[:2, 0])  # the neck never looks straight down
    nearer[:2, 3] = context.manner.lean() * ahead
    return motion_in_degrees(context.move(PoseMotion(head=nearer, duration=arguments.duration_s)))


approach = Tool(
    ToolSpecification(
        name="approach",
        description="Leans the head towards what it looks at, as near as people like it. move_head leans back.",
        arguments=ApproachArguments,
        time_limit=15.0,
        moves_robot=True,
        reversible=True,
    ),
    _approach,
)
