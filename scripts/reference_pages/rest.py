"""Pages of the gateway's HTTP paths, generated from the OpenAPI document."""

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
    """Returns the pages of the HTTP paths and of the schemas, keyed by page name.

    The source is `docs/reference/openapi.json`.
    """
    document = json.loads((DOCUMENTS / "openapi.json").read_text(encoding="utf-8"))
    return {"rest": _path_page(document), "rest_schemas": schema_page(document)}


def _path_page(document: Mapping[str, Any]) -> str:
    groups: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            tag = operation.get("tags", ["other"])[0]
            groups.setdefault(tag, []).append(_operation(path, method, operation))
    sections = [f"## {tag.capitalize()}\n\n" + "\n\n".join(items) for tag, items in sorted(groups.items())]
    return page("REST paths", _INTRODUCTION, f"## Headers\n\n{_header_table(document)}", *sections)


def _header_table(document: Mapping[str, Any]) -> str:
    headers = {
        one["name"]: sentence(one.get("description", ""))
        for operations in document["paths"].values()
        for operation in operations.values()
        for one in operation.get("parameters", ())
        if one["in"] == "header"
    }
    return table(("Header", "Meaning"), [(code(name), meaning) for name, meaning in headers.items()])


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> str:
    parts = [f"### {method.upper()} {path.removeprefix('/api/v1/')}", operation.get("description", "")]
    parameters = operation.get("parameters", ())
    rows = [
        (
            code(one["name"]),
            one["in"],
            type_of(one["schema"]),
            " ".join(filter(None, (sentence(one.get("description", "")), "" if one.get("required") else "Optional."))),
        )
        for one in parameters
        if one["in"] != "header"
    ]
    parts.append(table(("Parameter", "In", "Type", "Meaning"), rows))
    items = [f"Header: {code(one['name'])}, optional" for one in parameters if one["in"] == "header"]
    items += [*_body(operation.get("requestBody", {})), *_responses(operation.get("responses", {}))]
    parts.append("\n".join(f"- {item}" for item in items))
    parts += _fields(operation.get("requestBody", {}))
    return "\n\n".join(filter(None, parts))


def _body(body: Mapping[str, Any]) -> Iterator[str]:
    for media, value in body.get("content", {}).items():
        schema = value.get("schema", {})
        yield f"Body: {media}" if "properties" in schema else f"Body: {type_of(schema)} ({media})"


def _fields(body: Mapping[str, Any]) -> Iterator[str]:
    """Yields tables of fields for request bodies whose schemas have no name."""
    for media, value in body.get("content", {}).items():
        fields = field_table(value.get("schema", {}))
        if fields:
            yield f"Fields of {media}:\n\n{fields}"


def _responses(responses: Mapping[str, Any]) -> Iterator[str]:
    for status, response in responses.items():
        if not status.startswith("2"):
            continue
        for media, value in response.get("content", {}).items():
            schema = value.get("schema", {})
            yield f"Response {status}: {type_of(schema)} ({media})" if schema else f"Response {status}: {media}"
        if not response.get("content"):
            yield f"Response {status}: no content"
