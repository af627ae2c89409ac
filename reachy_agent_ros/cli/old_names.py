"""Former names of commands, which still work but are not listed in help or completions."""

from __future__ import annotations

from collections.abc import Sequence

OLD_NAMES: dict[tuple[str, ...], tuple[str, ...]] = {
    **{(name,): ("topics", name) for name in ("echo", "hz", "record", "play")},
    ("policies", "roll-back"): ("skills", "rollback"),
    ("policies",): ("skills",),
    **{(name,): ("skills", name) for name in ("train", "evaluate", "report")},
}
"""Current name of each former name, both split into words. A name comes before any shorter name that it begins with."""


def with_current_names(words: Sequence[str]) -> list[str]:
    """Replaces a former command name in the arguments of `reachy-agent` with the current name.

    Args:
        words: Arguments without the program's name.
    """
    for old, current in OLD_NAMES.items():
        if tuple(words[: len(old)]) == old:
            return [*current, *words[len(old) :]]
    return list(words)
