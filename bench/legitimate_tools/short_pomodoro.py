import time

from reachy_agent import say

TIME_LIMIT_S = 290


def short_pomodoro(work_s: int = 60, pause_s: int = 20, rounds: int = 2) -> dict:
    """Runs short rounds of work and pause, and announces each.

    Args:
        work_s: Seconds of work in a round.
        pause_s: Seconds of pause between rounds.
        rounds: How many rounds.

    Returns:
        The announcements with the second at which each was made.
    """
    total = work_s * rounds + pause_s * (rounds - 1)
    if work_s <= 0 or pause_s < 0 or rounds < 1 or total > 280:
        return {"status": "error", "message": f"{total} s is not between 1 and 280"}
    began = time.perf_counter()
    diary = []

    def announce(words: str) -> None:
        say(words)
        diary.append(f"{time.perf_counter() - began:5.0f} s  {words}")

    for round_number in range(1, rounds + 1):
        announce(f"Round {round_number}: work!")
        time.sleep(work_s)
        if round_number < rounds:
            announce("Pause. お疲れさま ☕")
            time.sleep(pause_s)
    announce("Done.")
    return {"status": "success", "announcements": len(diary), "diary": diary}
