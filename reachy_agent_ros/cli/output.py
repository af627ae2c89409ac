"""Output of commands: JSON, text and tables. Text is colored only on a terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Cell(NamedTuple):
    """Table cell with a style.

    Attributes:
        text: Content.
        style: Rich style on a terminal, such as "green" or "bold red"; "" for plain text.
    """

    text: str
    style: str = ""


_NARROW = 60
"""Terminal width below which a table does not fit, columns."""

Row = Sequence[Cell | str]
"""One row of a table. A cell without a style is a string."""


def show(data: Any, words: str, as_json: bool) -> None:
    """Prints a result and flushes the output.

    Args:
        data: Result for programs.
        words: Result for people.
        as_json: Whether to print JSON.
    """
    if as_json:
        show_json(data)
    else:
        print(words, flush=True)


def write_text(text: str, out: Path | None) -> None:
    """Writes a text to a new file that only the user may read, over an existing file, or to standard output.

    Raises:
        AgentError: `STORAGE_FAILED`: the file cannot be written.
    """
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.touch(0o600)
        out.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"Cannot write {out}: {error.strerror}.") from error


def attributes(thing: Any, *names: str) -> dict[str, Any]:
    """Returns a map of the named attributes of an object, such as a message, for `show_json`."""
    return {name: getattr(thing, name) for name in names}


def show_json(data: Any) -> None:
    """Prints a line of JSON and flushes the output. Values without a JSON type, such as paths, become strings."""
    print(json.dumps(data, default=str), flush=True)


def show_table(header: Sequence[str], rows: Iterable[Row]) -> None:
    """Prints a table. On a terminal, uses color and fits the table to the width. Elsewhere, prints one line per row.

    Control characters and line breaks in a cell become spaces, because it may contain external text.

    Args:
        header: Titles of the columns.
        rows: Rows with one cell per column.
    """
    cells = [[_safe(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _draw(header, cells)
        return
    texts = [tuple(header), *(tuple(cell.text for cell in row) for row in cells)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for line in texts:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip(), flush=True)


def show_list(header: Sequence[str], items: Iterable[tuple[Any, Row]], as_json: bool, nothing: str) -> None:
    """Prints a list as JSON with one line per item, or as a table.

    Args:
        header: Titles of the columns.
        items: JSON data and table row of each item.
        as_json: Whether to print JSON.
        nothing: Message that is printed for people on standard error if the list is empty.
    """
    if as_json:
        for data, _ in items:
            show_json(data)
    elif rows := [row for _, row in items]:
        show_table(header, rows)
    else:
        print(nothing, file=sys.stderr)


def replace_unprintable() -> None:
    """Makes standard output replace characters that the terminal's encoding does not support with question marks."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def shown_time(seconds: float) -> str:
    """Formats a time (s since the epoch) as date and time in the local time zone, to the second."""
    return datetime.fromtimestamp(seconds).isoformat(sep=" ", timespec="seconds")


def styled(text: str, style: str) -> str:
    """Returns a text in a style of rich, without color if `NO_COLOR` is set. Without a terminal, changes nothing."""
    if not sys.stdout.isatty():
        return text
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True)
    with console.capture() as captured:
        console.print(Text(text, style=style), end="")
    return captured.get()


def _safe(cell: Cell | str) -> Cell:
    # Imported here because every command imports this module, but most print no table.
    from reachy_agent_ros.agent.terminal_text import plain

    text, style = cell if isinstance(cell, Cell) else (cell, "")
    return Cell(plain(text), style)


def _draw(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Prints a table. On a narrow terminal, prints the cells of each row as a list, because columns would not fit."""
    from rich.console import Console
    from rich.table import Column, Table
    from rich.text import Text

    console = Console()
    if console.width < _NARROW:
        for row in rows:
            grid = Table.grid(Column(no_wrap=True), Column(overflow="fold"), padding=(0, 2, 0, 0))
            for title, cell in zip(header, row, strict=True):
                if cell.text:
                    grid.add_row(Text(title, style="bold"), Text(cell.text, style=cell.style))
            console.print(grid)
            console.print()
        return
    columns = [Column(title, overflow="fold") for title in header]
    # Rich would break the names first, because they are the longest words.
    columns[0].width = min(max(len(text) for text in (header[0], *(row[0].text for row in rows))), console.width // 2)
    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(cell.text, style=cell.style) for cell in row))
    console.print(table)
