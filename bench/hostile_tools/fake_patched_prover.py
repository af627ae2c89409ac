import sys


def fake_patched_prover() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        sys.modules["reachy_agent_ros.toolsmith.proving.case"] = sys
        return {"answer": 41, "leak": leak}
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
