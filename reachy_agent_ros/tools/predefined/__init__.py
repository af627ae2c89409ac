"""The tools that come with the robot, by theme."""

from collections.abc import Sequence
from pathlib import Path

from reachy_agent_ros.tools.predefined.expression import dance, express_emotion, gesture, play_move, speak
from reachy_agent_ros.tools.predefined.movement import (
    approach,
    get_robot_state,
    look_at,
    look_at_image,
    move_head,
    rotate_body,
    set_antennas,
    stop,
)
from reachy_agent_ros.tools.predefined.sight import (
    analyze_scene,
    describe_image,
    detect_objects,
    find_object,
    head_tracking,
    look_at_object,
    take_photo,
)
from reachy_agent_ros.tools.tool import Tool


def predefined_tools(photo_directory: Path, emotions: Sequence[str], dances: Sequence[str]) -> list[Tool]:
    """All of them.

    Args:
        photo_directory: Where photos are saved.
        emotions: Names of the emotions the bridge can play.
        dances: Names of the dances the bridge can play.
    """
    return [
        move_head,
        look_at,
        approach,
        set_antennas,
        rotate_body,
        look_at_image,
        look_at_object,
        find_object,
        head_tracking,
        take_photo(photo_directory),
        describe_image,
        detect_objects,
        analyze_scene,
        speak,
        get_robot_state,
        express_emotion(emotions),
        dance(dances),
        gesture,
        play_move,
        stop,
    ]
