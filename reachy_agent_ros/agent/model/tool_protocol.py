"""How a model calls tools."""

from enum import Enum


class ToolProtocol(Enum):
    """The two ways: as the OpenAI API has them, or as JSON text that a schema holds in shape."""

    NATIVE = "native"
    JSON_SCHEMA = "json_schema"
