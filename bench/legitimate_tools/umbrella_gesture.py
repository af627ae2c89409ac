from typing import Any

import requests
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def _rain_probability(city: str) -> int | None:
    """Asks a weather page for the chance of rain, in per cent."""
    try:
        reply = requests.get(f"https://wttr.in/{city}", params={"format": "j1"}, headers={"Accept": "application/json"}, timeout=4)
    except requests.RequestException:
        return None
    if reply.status_code != 200:
        return None
    hours = reply.json()["weather"][0]["hourly"]
    return max(int(hour["chanceofrain"]) for hour in hours)


def umbrella_gesture(city: str) -> dict[str, Any]:
    """Nods if one needs an umbrella today, shakes the head if not.

    Args:
        city: Name of the city.

    Returns:
        The chance of rain, or why it is not known; the robot tilts its head then.
    """
    if not city.replace(" ", "").isalpha():
        return {"status": "error", "message": "A city has letters only."}
    chance = _rain_probability(city)
    with ReachyMini() as mini:
        if chance is None:
            mini.goto_target(head=create_head_pose(roll=15), duration=0.8)
        elif chance >= 40:
            mini.goto_target(head=create_head_pose(pitch=15), duration=0.5)
        else:
            for yaw in (15, -15):
                mini.goto_target(head=create_head_pose(yaw=yaw), duration=0.5)
        mini.goto_target(head=create_head_pose(), duration=0.8)
    if chance is None:
        return {"status": "error", "message": "I could not reach the weather service. 🤷"}
    return {"status": "success", "chance": chance}
