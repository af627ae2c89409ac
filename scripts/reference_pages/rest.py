"""Page of the gateway's HTTP paths, from the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from scripts.reference_pages.markdown import code, page, table
from scripts.reference_pages.paths import DOCUMENTS

_INTRODUCTION = """\
Base path: `/api/v1`. The running gateway serves the OpenAPI document at `/api/v1/openapi.json`, with all schemas; the
same document is [in the repository](openapi.json). Errors are problem documents (RFC 9457) with a `code`
([error codes](errors.md)). [HTTP and WebSocket API](gateway.md) describes authentication, limits and streams.
"""


def rest_page() -> str:
    """Returns the page, from `docs/reference/openapi.json`."""
    document = json.loads((DOCUMENTS / "openapi.json").read_text(encoding="utf-8"))
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
        (code(one["name"]), one["in"], "yes" if one.get("required") else "no", one.get("description", ""))
        for one in operation.get("parameters", ())
    ]
    parts.append(table(("Parameter", "In", "Required", "Meaning"), rows))
    types = [f"Body: {kind}." for kind in _types(operation.get("requestBody", {}))]
    types += [f"Answer: {kind}." for kind in _types(operation.get("responses", {}).get("200", {}))]
    parts.append(" ".join(types))
    return "\n\n".join(filter(None, parts))


def _types(content: Mapping[str, Any]) -> Iterator[str]:
    for media, value in content.get("content", {}).items():
        name = _name(value.get("schema", {}))
        yield f"{code(name)} ({media})" if name else media


def _name(schema: Mapping[str, Any]) -> str:
    if schema.get("type") == "array":
        inner = _name(schema.get("items", {}))
        return f"list of {inner}" if inner else ""
    return str(schema.get("$ref", "")).rpartition("/")[2]
