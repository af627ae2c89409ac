"""In which direction a person wants the next act to differ from the last one."""

from __future__ import annotations

from enum import StrEnum


class Axis(StrEnum):
    """The corrective direction: "too far down" is `PITCH_UP`. Left and right are the words that were said."""

    PITCH_UP = "pitch_up"
    PITCH_DOWN = "pitch_down"
    YAW_LEFT = "yaw_left"
    YAW_RIGHT = "yaw_right"
    ROLL_LEFT = "roll_left"
    ROLL_RIGHT = "roll_right"
    SLOWER = "slower"
    FASTER = "faster"
    LOUDER = "louder"
    QUIETER = "quieter"
    BIGGER = "bigger"
    SMALLER = "smaller"
    LONGER = "longer"
    SHORTER = "shorter"
    CLOSER = "closer"
    FARTHER = "farther"
    STOP = "stop"
    UNDO = "undo"
