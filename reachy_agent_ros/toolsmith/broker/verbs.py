"""All that a tool in the box may ask, in one table; what is not in it does not exist."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reachy_agent_ros.toolsmith.broker import clock, motion, sight, voice, web
from reachy_agent_ros.toolsmith.broker.verb import Verb

VERBS: Mapping[str, Verb[Any]] = {**motion.VERBS, **sight.VERBS, **voice.VERBS, **web.VERBS, **clock.VERBS}
