"""Access to the settings file, and to parameters of running nodes over ROS."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

from rclpy.node import Node

from reachy_agent_ros.bringup import graph_settings
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.models.settings import (
    Effect,
    SettingAnswer,
    SettingModel,
    SettingRequest,
    SettingsAnswer,
    SettingValue,
)
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor, HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.parameter_caller import ParameterCaller
from reachy_agent_ros.settings.declarations import declaration
from reachy_agent_ros.settings.effective import STATE, Setting, settings_path
from reachy_agent_ros.settings.file import SettingsFile
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter
from reachy_agent_ros.settings.protection import is_protected


class RosSettings:
    """Settings of the graph. Implements `SettingsService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
        directory: State directory of the graph.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, directory: Path) -> None:
        self._given = {STATE: str(directory)}
        self._file = SettingsFile(settings_path(str(directory)))
        self._live: dict[str, tuple[HeartbeatMonitor, ParameterCaller]] = {
            name: (watch := watches.of(name), ParameterCaller(node, name, watch))
            for name, parameters in NODE_PARAMETERS.items()
            if any(parameter.changes_live for parameter in parameters.values())
        }

    async def listed(self) -> SettingsAnswer:
        """Returns all settings."""
        settings = await asyncio.to_thread(graph_settings, self._given)
        return SettingsAnswer(file=self._file.path.name, settings=[_model(one) for one in settings.values()])

    async def change(self, asked: SettingRequest) -> SettingAnswer:
        """Writes a setting to the file and, if possible, applies it to the running node."""
        declared = declaration(asked.name)
        if is_protected(declared.name):
            message = f"{declared.name} can only be changed on the machine, with `reachy-agent config set`."
            raise AgentError(ErrorCode.DECISION_NOT_ALLOWED, message)
        await asyncio.to_thread(self._write, declared, asked.value)
        settings = await asyncio.to_thread(graph_settings, self._given)
        setting = settings[declared.name]
        return SettingAnswer(setting=_model(setting), effect=await self._apply(setting))

    def _write(self, declared: Parameter, value: SettingValue | None) -> None:
        if value is None:
            self._file.unset(declared.name)
        else:
            self._file.set(declared.name, declared.check(value))

    async def _apply(self, setting: Setting) -> Effect:
        """Sets the parameter of the running node, if possible. Returns whether the change takes effect now or later."""
        node, _, name = setting.declaration.name.rpartition(".")
        if not setting.declaration.changes_live:
            return "next_start"
        watch, caller = self._live[node]
        if not watch.alive:
            return "next_start"
        await in_thread(lambda token: caller.set(name, setting.value, token))
        return "now"


def _model(setting: Setting) -> SettingModel:
    declared = setting.declaration
    return SettingModel(
        name=declared.name,
        value=setting.value,
        origin=setting.origin,
        default=declared.default,
        type=declared.type,
        unit=declared.unit,
        low=None if math.isinf(declared.low) else declared.low,
        high=None if math.isinf(declared.high) else declared.high,
        choices=list(declared.choices),
        description=declared.description,
        changes_live=declared.changes_live,
        editable=not is_protected(declared.name),
    )
