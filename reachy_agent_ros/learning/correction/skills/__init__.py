"""The skills of the robot that people can correct, by name."""

from __future__ import annotations

from reachy_agent_ros.learning.correction.skill import Skill
from reachy_agent_ros.learning.correction.skills.distance import APPROACH, MAKE_GESTURE, TALK
from reachy_agent_ros.learning.correction.skills.look_at_object import LOOK_AT_OBJECT

SKILLS: dict[str, Skill] = {skill.name: skill for skill in (LOOK_AT_OBJECT, MAKE_GESTURE, TALK, APPROACH)}
