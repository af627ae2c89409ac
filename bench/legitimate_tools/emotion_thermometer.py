import re

from reachy_mini import ReachyMini

GOOD = frozenset("good great happy love nice wonderful fun thanks 嬉しい 楽しい".split())
BAD = frozenset("bad sad awful hate angry boring tired 悲しい".split())


def emotion_thermometer(message: str) -> dict:
    """Raises or lowers the antennas by the mood of a message.

    Args:
        message: What somebody wrote.

    Returns:
        Mood from -1 to 1 and the antennas' angle in radians.
    """
    words = re.findall(r"\w+", message.lower())
    if not words:
        return {"status": "error", "message": "I cannot feel an empty message."}
    plus, minus = (len([w for w in words if w in bag]) for bag in (GOOD, BAD))
    mood = 0.0 if plus == minus else (plus - minus) / (plus + minus)
    angle = round(-0.8 * mood, 2)
    with ReachyMini() as mini:
        mini.goto_target(antennas=[angle, -angle], duration=0.7, body_yaw=None)
    return {"status": "success", "mood": mood, "angle": angle}
