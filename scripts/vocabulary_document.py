#!/usr/bin/env python3
"""Writes docs/reference/vocabulary.md. Run it and scripts/contact_sheet.py after changing a move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from reachy_agent_ros.motion.dance import choreography, dance, dances
from reachy_agent_ros.motion.emotion import emotion, emotions
from reachy_agent_ros.motion.gesture import gesture, gestures
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.motion.rehearsal import STEP
from reachy_agent_ros.robot.coordinates import coordinates

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "reference" / "vocabulary.md"

_INTRODUCTION = """\
# What the body can say

Written by `scripts/vocabulary_document.py` from the moves; change those, not this.

The safety gate changes nothing about any move on this page: every sample is within the envelope, within the arms'
reach and within the limits of speed and acceleration. Whatever is played begins where the body is and however fast it
moves, without a jump.
"""

_EMOTIONS = """\
## Emotions

The tool `express_emotion` and the action of that name; `intensity` makes them smaller. Each is a few seconds of head,
body and antennas, in the Reachy Mini SDK's recorded-move format (`reachy_agent_ros/motion/emotions`), written by
`scripts/recorded_moves.py` from the keyframes in `scripts/scores`. They face where the body faces and end in the
neutral posture.

![Five moments of every emotion](../images/emotions.png)
"""

_GESTURES = """\
## Gestures

The tool `gesture`, and commands such as "nod" or "go to sleep". A gesture is made towards whatever the head looks at
and ends in that gaze; where the neck has no room for it, the head comes as far to the middle as it needs and goes back
afterwards. `wake_up` ends neutral, `go_to_sleep` in the posture in which the SDK lays the robot to rest.

![Five moments of every gesture](../images/gestures.png)
"""

_DANCES = """\
## Dances

The tool `dance` and the action of that name: all of Pollen Robotics' `reachy_mini_dances_library`. Some jump from one
posture to the next or reach further than the arms, and the gate would brake them in mid-swing; so each is rehearsed
when it is first danced: its coordinates are smoothed, and the head's excursion reduced, as little as the limits ask
for (`reachy_agent_ros/motion/rehearsal.py`). The last column is what that leaves of the excursion of the coordinate
that loses most.
"""

_RECORDED = """\
## Your own

Files in the SDK's recorded-move format in the folder `moves` of the state directory (the bridge's parameter
`moves_directory`) are played by the tool `play_move`, by their name without `.json`, from the moment they lie there:
recordings of your own, or those of a data set such as `pollen-robotics/reachy-mini-emotions-library`, which you
download yourself. A posture beyond the limits or the arms' reach is brought within them, and the change is reported
([safety.md](../concepts/safety.md)).
"""


def document() -> str:
    """Returns the whole document."""
    return "\n".join(
        [
            _INTRODUCTION,
            _EMOTIONS,
            _table("Emotion", emotions(), emotion),
            _GESTURES,
            _table("Gesture", gestures(), gesture),
            _DANCES,
            _dances(),
            _RECORDED,
        ]
    )


def _table(title: str, names: Sequence[str], move_of: Callable[[str], RecordedMove]) -> str:
    moves = {name: move_of(name) for name in names}
    rows = [f"| `{name}` | {move.duration:.1f} s | {move.description} |\n" for name, move in moves.items()]
    return f"| {title} | Lasts | Looks like |\n| --- | --- | --- |\n{''.join(rows)}"


def _dances() -> str:
    rows = [f"| `{name}` | {dance(name).duration:.1f} s | {_kept(name):.0%} |\n" for name in dances()]
    return f"| Dance | Lasts | Keeps |\n| --- | --- | --- |\n{''.join(rows)}"


def _kept(name: str) -> float:
    written = choreography(name)
    moments = np.arange(0.0, written.duration, STEP)
    before = np.ptp([coordinates(written.at(time)) for time in moments], axis=0)
    after = np.ptp(dance(name).keyframes, axis=0)
    moving = before > 1e-3
    return float((after[moving] / before[moving]).min())


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
