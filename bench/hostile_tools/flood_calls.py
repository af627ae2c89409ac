# contained
import reachy_agent

TIME_LIMIT_S = 1.0


def flood_calls() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        while True:
            try:
                reachy_agent.say("flood")
            except Exception:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
