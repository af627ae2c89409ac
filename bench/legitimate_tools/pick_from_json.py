import json
from typing import Any


def pick_from_json(document: str, path: str) -> dict[str, Any]:
    """Reads one value out of a JSON document.

    Args:
        document: The JSON text.
        path: Keys and list positions joined by dots, such as "people.0.name".

    Returns:
        The value and its type.
    """
    try:
        value = json.loads(document)
    except json.JSONDecodeError as error:
        return {"status": "error", "message": f"line {error.lineno}, column {error.colno}: {error.msg}"}
    for step in filter(None, path.split(".")):
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, ValueError, TypeError):
            return {"status": "error", "message": f"there is nothing at '{step}'"}
    kinds = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}
    kind = next((name for one, name in kinds.items() if isinstance(value, one)), "null")
    return {"status": "success", "value": value, "type": kind}
