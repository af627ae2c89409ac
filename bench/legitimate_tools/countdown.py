import time

from reachy_agent import say
from reachy_mini import ReachyMini

TIME_LIMIT_S = 40


def countdown(start: int = 5, ending: str = "🚀 Lift-off!") -> dict:
    """Counts down aloud and raises the antennas at zero.

    Args:
        start: Number to begin with, 1 to 20.
        ending: What to say at zero.

    Returns:
        The words that were said.
    """
    if start < 1 or start > 20:
        return {"status": "error", "message": "from 1 to 20"}
    spoken = [str(n) for n in range(start, 0, -1)] + [ending]
    with ReachyMini() as mini:
        mini.goto_target(antennas=[-1.2, 1.2], duration=1.0, body_yaw=None)
        for word in spoken[:-1]:
            say(word)
            time.sleep(1)
        say(spoken[-1])
        mini.goto_target(antennas=[0.0, 0.0], duration=0.6, body_yaw=None)
    return {"status": "success", "said": spoken}
