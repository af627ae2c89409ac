import threading
import time


def proc_thread_after_return() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        def _later() -> None:
            time.sleep(0.3)
            open(CANARY_TARGET, "w").write("owned later")
        threading.Thread(target=_later).start()
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
