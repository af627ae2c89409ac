"""Page of the error codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.gateway.problem import status_of
from scripts.reference_pages.definitions import Entry, read_definition
from scripts.reference_pages.markdown import code, page, table
from scripts.reference_pages.paths import PACKAGE, ROOT

_INTRODUCTION = """\
Every failure has one of these codes and a sentence for people. Actions and services return them as `error_code` and
`error_msg`. The [gateway](gateway.md) returns them as `code` and `detail` with the given HTTP status. `reachy-agent`
prints the sentence and ends with an [exit code](cli.md#exit-codes). Numbers are never reused.
"""

_PAGE = re.compile(r"docs/reference/(\w+\.md)")

_BLOCKS = {0: "Common", 100: "Robot", 200: "Tools", 300: "Speech", 400: "Agent", 500: "Learning"}


def error_page() -> str:
    """Returns the page of the error codes, generated from the comments of `ErrorCode.msg`."""
    definition = read_definition(ROOT / PACKAGE / "msg" / "ErrorCode.msg")
    (section,) = definition.sections
    return page("Error codes", _INTRODUCTION, *_tables(section.constants))


def _tables(codes: list[Entry]) -> Iterator[str]:
    for first, title in _BLOCKS.items():
        rows = [
            (code(entry.name), str(entry.value), str(status_of(ErrorCode[entry.name]).value), *_texts(entry))
            for entry in codes
            if first <= int(entry.value or 0) < first + 100 and entry.name != "NONE"
        ]
        yield f"## {title}\n\n{table(('Code', 'Number', 'HTTP', 'Meaning', 'Remedy'), rows)}"


def _texts(entry: Entry) -> tuple[str, str]:
    """Returns the meaning and the remedy of an error code, with links to the pages that the remedy names."""
    meaning, stop, remedy = entry.comment.partition(". ")
    if not stop:
        raise ValueError(f"The comment of {entry.name} in ErrorCode.msg must be 'MEANING. REMEDY.'.")
    return f"{meaning}.", _PAGE.sub(r"[\1](\1)", remedy)
