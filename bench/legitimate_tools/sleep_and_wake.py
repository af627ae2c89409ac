import time

from reachy_mini import ReachyMini

TIME_LIMIT_S = 60


def sleep_and_wake(nap_s: int = 10) -> dict:
    """Lets the robot take a short nap.

    Args:
        nap_s: Length of the nap in seconds, 1 to 40.

    Returns:
        Whether it is awake again.
    """
    if not 1 <= nap_s <= 40:
        return {"status": "error", "message": "A nap lasts 1 to 40 s 💤"}
    with ReachyMini() as mini:
        mini.goto_sleep()
        time.sleep(nap_s)
        mini.wake_up()
    return {"status": "success", "awake": True, "napped_s": nap_s}
