"""Event models of `gateway.streams.events`, whose fields match the ROS messages that they represent."""

import importlib
import json
from typing import Any

import pytest
from pydantic import BaseModel

from reachy_agent_ros.gateway.streams.events import EventData
from reachy_agent_ros.ros.gateway.events import _SOURCES, _Source

OF_THE_GATEWAY = {"alive", "dropped", "problem", "health"}
"""Kinds of events that the gateway creates itself, without a ROS topic."""


def filled(kind: type) -> Any:
    """Returns a ROS message with one element in each list."""
    message: Any = kind()
    for name, field in message.get_fields_and_field_types().items():
        element = field.removeprefix("sequence<").removesuffix(">")
        package, slash, short = element.partition("/")
        if slash and "[" not in field:
            value = filled(getattr(importlib.import_module(f"{package}.msg"), short))
            setattr(message, name, [value] if element != field else value)
        elif element != field:
            setattr(message, name, ["name"] if element == "string" else [0.5])
    return message


def test_every_event_kind_has_a_model() -> None:
    assert {source.kind for source in _SOURCES} | OF_THE_GATEWAY == set(EventData.model_fields)


@pytest.mark.parametrize("source", _SOURCES, ids=lambda source: source.kind)
def test_event_model_has_every_field_of_ros_message(source: _Source) -> None:
    data = dict(source.data(filled(source.type)))
    model = EventData.model_fields[source.kind].annotation
    assert model is not None
    assert issubclass(model, BaseModel)
    assert model.model_validate_json(json.dumps(data)).model_dump(mode="json") == data
