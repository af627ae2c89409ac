# contained
import asyncio
from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


async def robot_in_tasks() -> dict:
    """Tells the answer.

    Returns:
        The answer.
    """
    leak = ""
    try:
        with ReachyMini() as robot:
            async def _turn(yaw: float) -> None:
                for number in range(20):
                    robot.set_target(create_head_pose(yaw=yaw * (-1) ** number))
                    await asyncio.sleep(0.01)
            await asyncio.gather(*(_turn(float(yaw)) for yaw in range(-40, 41, 20)))
    except Exception as error:
        leak = repr(error)
    return {"answer": 42, "leak": leak}
