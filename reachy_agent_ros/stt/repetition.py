"""The loop a short-windowed decoder falls into, and the way out."""

from __future__ import annotations

from collections.abc import Sequence

SINGLE_REPEATS = 4
"""From this many on, repeats of a single token are a loop: "no, no, no" is speech."""

CUT_OVERLAP = 2
"""From this many tokens on, the start of a sentence said again is a loop, where the decoder was cut off there."""


def without_repeated_tail(tokens: Sequence[int], *, cut_off: bool) -> list[int]:
    """Drops the tail of a token sequence that only says again what stands right before it.

    Whisper decoded with a window shorter than its training's 30 s sometimes misses the end of the sentence and says
    it again until its tokens run out, the last time cut short.

    Args:
        tokens: As decoded.
        cut_off: Whether the decoder was stopped by its bound instead of ending by itself.

    Returns:
        A prefix of `tokens`: all of them where nothing is repeated.
    """
    for period in range(1, len(tokens)):
        repeated = _overlap(tokens, period)
        enough = SINGLE_REPEATS if period == 1 else min(period, CUT_OVERLAP) if cut_off else period
        if repeated >= enough:
            return list(tokens[: len(tokens) - repeated])
    return list(tokens)


def _overlap(tokens: Sequence[int], period: int) -> int:
    """How many of the last tokens equal the one `period` places before them, without a gap."""
    count = 0
    while count < len(tokens) - period and tokens[-1 - count] == tokens[-1 - count - period]:
        count += 1
    return count
