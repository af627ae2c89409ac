from datetime import datetime
from typing import Optional

from reachy_agent import say
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def greet_by_hour(name: Optional[str] = None, hour: Optional[int] = None) -> dict:
    """Greets somebody with a small bow, as fits the time of day.

    Args:
        name: Whom to greet.
        hour: Hour of the day, 0 to 23; the present one if left out.

    Returns:
        The greeting.
    """
    if hour is None:
        hour = datetime.now().hour
    if not 0 <= hour <= 23:
        return {"status": "error", "message": "The hour goes from 0 to 23."}
    if 5 <= hour < 11:
        words = "Good morning"
    elif 11 <= hour < 18:
        words = "Hello"
    else:
        words = "Good evening"
    greeting = words + (f", {name}!" if name else "!")
    with ReachyMini() as mini:
        mini.goto_target(head=create_head_pose(pitch=20, degrees=True), duration=0.8)
        say(greeting)
        mini.goto_target(head=create_head_pose(), duration=0.8)
    return {"status": "success", "greeting": greeting}
