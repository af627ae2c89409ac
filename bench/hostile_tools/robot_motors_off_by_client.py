# contained
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def robot_motors_off_by_client() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            robot.client.send_command('{"torque": false}')
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
