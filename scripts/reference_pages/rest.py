"""Page of the gateway's HTTP paths, from the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from scripts.reference_pages.markdown import code, page, sentence, table
from scripts.reference_pages.paths import DOCUMENTS
from scripts.reference_pages.schemas import field_table, schema_page, type_of

_INTRODUCTION = """\
Base path: `/api/v1`. [REST schemas](rest_schemas.md) lists the fields of bodies and responses. The running gateway
serves the OpenAPI document at `/api/v1/openapi.json`; the same document is [in the repository](openapi.json).
[HTTP and WebSocket API](gateway.md) describes authentication, limits and streams.

Errors are problem documents (RFC 9457, `application/problem+json`) with a `code` ([error codes](errors.md)) and a
`detail`.
"""


def rest_pages() -> dict[str, str]:
    """Returns the pages of the paths and of the schemas, by name, from `docs/reference/openapi.json`."""
    document = json.loads((DOCUMENTS / "openapi.json").read_text(encoding="utf-8"))
    return {"rest": _path_page(document), "rest_schemas": schema_page(document)}


def _path_page(document: Mapping[str, Any]) -> str:
    groups: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            tag = operation.get("tags", ["other"])[0]
            groups.setdefault(tag, []).append(_operation(path, method, operation))
    sections = [f"## {tag.capitalize()}\n\n" + "\n\n".join(items) for tag, items in sorted(groups.items())]
    return page("REST paths", _INTRODUCTION, *sections)


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> str:
    parts = [f"### {method.upper()} {path.removeprefix('/api/v1/')}", operation.get("description", "")]
    rows = [
        (
            code(one["name"]),
            one["in"],
            type_of(one["schema"]),
            "yes" if one.get("required") else "no",
            sentence(one.get("description", "")),
        )
        for one in operation.get("parameters", ())
    ]
    parts.append(table(("Parameter", "In", "Type", "Required", "Meaning"), rows))
    parts += _body(operation.get("requestBody", {}))
    parts.append("\n".join(_responses(operation.get("responses", {}))))
    return "\n\n".join(filter(None, parts))


def _body(body: Mapping[str, Any]) -> Iterator[str]:
    for media, value in body.get("content", {}).items():
        schema = value.get("schema", {})
        fields = field_table(schema)
        yield f"Body ({media}):\n\n{fields}" if fields else f"Body ({media}): {type_of(schema)}."


def _responses(responses: Mapping[str, Any]) -> Iterator[str]:
    for status, response in responses.items():
        if not status.startswith("2"):
            continue
        for media, value in response.get("content", {}).items():
            schema = value.get("schema", {})
            yield f"- {status} ({media}): {type_of(schema)}" if schema else f"- {status}: {media}"
        if not response.get("content"):
            yield f"- {status}: no content"
