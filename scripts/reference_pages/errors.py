"""Page of the error codes."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.reference_pages.definitions import Entry, read_definition
from scripts.reference_pages.markdown import code, page, table
from scripts.reference_pages.paths import PACKAGE, ROOT

_INTRODUCTION = """\
Every failure has one of these codes and a sentence for people. Actions and services return them as `error_code` and
`error_msg`, the [gateway](gateway.md) as `code` and `detail`, and `reachy-agent` prints the sentence. Numbers are never
reused.
"""

_BLOCKS = {0: "Common", 100: "Robot", 200: "Tools", 300: "Speech", 400: "Agent", 500: "Learning"}


def error_page() -> str:
    """Returns the page, from the comments of `ErrorCode.msg`."""
    definition = read_definition(ROOT / PACKAGE / "msg" / "ErrorCode.msg")
    (section,) = definition.sections
    return page("Error codes", _INTRODUCTION, *_tables(section.constants))


def _tables(codes: list[Entry]) -> Iterator[str]:
    for first, title in _BLOCKS.items():
        rows = [
            (code(entry.name), str(entry.value), *_meaning_and_remedy(entry))
            for entry in codes
            if first <= int(entry.value or 0) < first + 100 and entry.name != "NONE"
        ]
        yield f"## {title}\n\n{table(('Code', 'Number', 'Meaning', 'Remedy'), rows)}"


def _meaning_and_remedy(entry: Entry) -> tuple[str, str]:
    meaning, stop, remedy = entry.comment.partition(". ")
    if not stop:
        raise ValueError(f"The comment of {entry.name} in ErrorCode.msg must be 'MEANING. REMEDY.'.")
    return f"{meaning}.", remedy
