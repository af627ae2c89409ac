# contained
import reachy_agent


async def call_many_labels() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        await reachy_agent.detect_objects(["thing"] * 100000)
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
