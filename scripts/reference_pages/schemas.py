"""Page of the gateway's JSON schemas, and the names of schema types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scripts.reference_pages.markdown import EMPTY, code, page, sentence, table

Schema = Mapping[str, Any]

_INTRODUCTION = """\
JSON objects of the [REST paths](rest.md), by name. A field without a default is required; an optional field may be
missing.
"""

_LIMITS = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "maxLength": "at most"}


def schema_page(document: Mapping[str, Any]) -> str:
    """Returns the page of the JSON schemas of an OpenAPI document."""
    schemas: Mapping[str, Schema] = document["components"]["schemas"]
    return page("REST schemas", _INTRODUCTION, *(_definition(name, schemas[name]) for name in sorted(schemas)))


def type_of(schema: Schema) -> str:
    """Returns the type of a schema in words, with links to the schemas that it refers to."""
    match schema:
        case {"$ref": str(reference)}:
            name = reference.rpartition("/")[2]
            return f"[{name}](rest_schemas.md#{name.lower()})"
        case {"anyOf": list(options)}:
            return " or ".join(map(type_of, options))
        case {"const": value}:
            return code(str(value))
        case {"enum": list(values)}:
            return ", ".join(code(str(value)) for value in values)
        case {"type": "array", "prefixItems": list(items)}:
            return f"list of {len(items)}: {', '.join(map(type_of, items))}"
        case {"type": "array", "items": items}:
            return f"list of {type_of(items)}"
        case {"type": "object", "additionalProperties": {} as values} if values:
            return f"object of {type_of(values)}"
        case {"type": "string", "contentMediaType": _} | {"type": "string", "format": "binary"}:
            return "file"
        case {"type": str(name)}:
            return name
    return "any"


def field_table(schema: Schema) -> str:
    """Returns a table of the fields of an object schema, or an empty text for schemas without fields."""
    required = schema.get("required", ())
    rows = [
        (code(name), type_of(field), _default(name in required, field), _meaning(field))
        for name, field in schema.get("properties", {}).items()
    ]
    return table(("Field", "Type", "Default", "Meaning"), rows)


def _definition(name: str, schema: Schema) -> str:
    values = "" if "properties" in schema else f"Type: {type_of(schema)}."
    return "\n\n".join(filter(None, (f"## {name}", schema.get("description", ""), values, field_table(schema))))


def _default(required: bool, field: Schema) -> str:
    if required:
        return ""
    if "default" not in field:
        return "optional"
    value = field["default"]
    return "null" if value is None else code(str(value).lower() if isinstance(value, bool) else str(value)) or EMPTY


def _meaning(field: Schema) -> str:
    return " ".join(filter(None, (sentence(field.get("description", "")), *_limits(field))))


def _limits(field: Schema) -> Iterator[str]:
    for key, words in _LIMITS.items():
        if key in field:
            unit = " characters" if key == "maxLength" else ""
            yield f"{words.capitalize()} {field[key]:g}{unit}."
