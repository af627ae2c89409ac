"""The tools that come with the robot, a theme a file."""

from collections.abc import Sequence
from pathlib import Path

from reachy_agent_ros.tools.predefined.approach import approach
from reachy_agent_ros.tools.predefined.expression import dance, express_emotion
from reachy_agent_ros.tools.predefined.gesture import gesture
from reachy_agent_ros.tools.predefined.head import look_at, move_head
from reachy_agent_ros.tools.predefined.image import look_at_image
from reachy_agent_ros.tools.predefined.limbs import rotate_body, set_antennas
from reachy_agent_ros.tools.predefined.photo import take_photo
from reachy_agent_ros.tools.predefined.recorded import play_move
from reachy_agent_ros.tools.predefined.scene import analyze_scene, describe_image
from reachy_agent_ros.tools.predefined.sight import detect_objects, find_object, look_at_object
from reachy_agent_ros.tools.predefined.speech import speak
from reachy_agent_ros.tools.predefined.state import get_robot_state, stop
from reachy_agent_ros.tools.predefined.tracking import head_tracking
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
