"""Tests that the stored OpenAPI document matches the gateway.

The types of the console are generated from this document.
"""

import json
import re
from typing import Any

import pytest
from pydantic.json_schema import models_json_schema

from reachy_agent_ros.gateway.application import api_document
from reachy_agent_ros.gateway.streams.chat import ChatEventData
from reachy_agent_ros.gateway.streams.events import EventData
from reachy_agent_ros.gateway.streams.voice import VoiceEnd, VoiceMessage
from scripts.openapi_document import DOCUMENT, document

STREAMED = (EventData, VoiceMessage, VoiceEnd, ChatEventData)


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    return dict(api_document()["components"]["schemas"])


def test_openapi_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run scripts/openapi_document.py"


def test_every_referenced_schema_exists(schemas: dict[str, Any]) -> None:
    referred = re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(api_document()))
    assert set(referred) - set(schemas) == set()


def test_streamed_messages_have_schemas(schemas: dict[str, Any]) -> None:
    _, described = models_json_schema(
        [(model, "serialization") for model in STREAMED], ref_template="#/components/schemas/{model}"
    )
    assert {model.__name__ for model in STREAMED} <= set(described["$defs"])
    assert {name: schemas[name] for name in described["$defs"]} == described["$defs"]
