"""What commands print: JSON for programs, words for people, colour only on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Cell(NamedTuple):
    """One cell of a table.

    Attributes:
        text: What is in it.
        style: How a terminal shows it, as "green" or "bold red" of rich; "" as it comes.
    """

    text: str
    style: str = ""


def show(data: Any, words: str, as_json: bool) -> None:
    """Prints one thing at once, also into a pipe.

    Args:
        data: What a program is told.
        words: What a person is told.
        as_json: Who asks.
    """
    if as_json:
        show_json(data)
    else:
        print(words, flush=True)


def show_json(data: Any) -> None:
    """Prints a line of JSON at once; what JSON has no word for, such as a path, as text."""
    print(json.dumps(data, default=str), flush=True)


def show_table(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Prints a table: on a terminal in its width and in colour, elsewhere a line a row, however long.

    Args:
        header: What is above each column.
        rows: As many cells each.
    """
    if sys.stdout.isatty():
        _draw(header, rows)
        return
    texts = [tuple(header), *(tuple(cell.text for cell in row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for line in texts:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip(), flush=True)


def show_list(header: Sequence[str], items: Iterable[tuple[Any, Sequence[Cell]]], as_json: bool, nothing: str) -> None:
    """Prints a list: for programs a line of JSON each, for people a table.

    Args:
        header: What is above each column.
        items: What a program is told of each, and its row.
        as_json: Who asks.
        nothing: What a person is told, beside the output, where there are none.
    """
    if as_json:
        for data, _ in items:
            show_json(data)
    elif rows := [row for _, row in items]:
        show_table(header, rows)
    else:
        print(nothing, file=sys.stderr)


def styled(text: str, style: str) -> str:
    """A text as a terminal shows it in a style of rich; as it is where the output is none, or `NO_COLOR` is set."""
    if not sys.stdout.isatty():
        return text
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True)
    with console.capture() as captured:
        console.print(Text(text, style=style), end="")
    return captured.get()


def _draw(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*header, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*(Text(cell.text, style=cell.style) for cell in row))
    Console().print(table)
