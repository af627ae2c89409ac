# contained
import reachy_agent

TIME_LIMIT_S = 2.0


async def call_many_photos() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        for _ in range(80):
            await reachy_agent.take_photo()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
