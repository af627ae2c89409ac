# contained
import reachy_agent


def call_speech_of_no_text() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for odd in (None, 7, [], {"a": 1}, "", b"x"):
            try:
                reachy_agent.say(odd)
            except Exception:
                continue
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
