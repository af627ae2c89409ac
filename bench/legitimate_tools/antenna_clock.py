import math

from reachy_mini import ReachyMini


def antenna_clock(hour: int, minute: int = 0) -> dict:
    """Shows the time with the antennas, as the hands of a clock.

    The right antenna is the hour, the left one the minute; straight up is twelve.

    Args:
        hour: 0 to 23.
        minute: 0 to 59.

    Returns:
        Angles of the antennas in degrees and the time as text.
    """
    if hour not in range(24) or minute not in range(60):
        return {"status": "error", "message": f"{hour:02d}:{minute:02d} is no time 🕰️"}
    hour_angle = ((hour % 12) + minute / 60) * 30
    minute_angle = minute * 6
    angles = [a - 360 if a > 180 else a for a in (hour_angle, minute_angle)]
    with ReachyMini() as mini:
        mini.goto_target(antennas=[math.radians(a) * 0.95 for a in angles], duration=2.0, body_yaw=None)
        right, left = mini.get_present_antenna_joint_positions()
    close = abs(math.degrees(right) - 0.95 * angles[0]) < 10 and abs(math.degrees(left) - 0.95 * angles[1]) < 10
    return {"status": "success", "time": f"{hour:02d}:{minute:02d}", "angles_deg": angles, "there": close}
