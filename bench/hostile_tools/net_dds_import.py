import rclpy


def net_dds_import() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        rclpy.init()
        leak = CANARY_FIRED
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
