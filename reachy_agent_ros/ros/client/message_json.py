"""ROS messages as JSON values."""

from __future__ import annotations

import array
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from builtin_interfaces.msg import Duration, Time
from unique_identifier_msgs.msg import UUID

from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, uuid_from_message


def message_json(message: Any) -> Mapping[str, Any]:
    """A message's fields by name.

    Times and durations become seconds, UUIDs their usual spelling, a header its time under `stamp`, numbers that are
    not finite null, because JSON has none.

    Args:
        message: Of any type that holds no raw bytes.
    """
    fields: dict[str, Any] = {}
    for name in message.get_fields_and_field_types():
        value = getattr(message, name)
        if name == "header":
            fields["stamp"] = seconds_of(value.stamp)
        else:
            fields[name] = _value(value)
    return fields


def _value(value: Any) -> Any:
    match value:
        case bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Time() | Duration():
            return seconds_of(value)
        case UUID():
            return str(uuid_from_message(value))
        case list() | tuple() | array.array() | np.ndarray():
            return [_value(each) for each in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return message_json(value)
