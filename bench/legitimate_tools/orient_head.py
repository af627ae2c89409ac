from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose

# Tool: Orient head
async def orient_head(pitch: float, yaw: float, roll: float, duration: float = 2.0) -> dict:
    """
    Move Reachy's head to specified orientation.

    Args:
        pitch: Pitch angle in degrees (-35 to 35)
        yaw: Yaw angle in degrees (-45 to 45)
        roll: Roll angle in degrees (-30 to 30)
        duration: Movement duration in seconds

    Returns:
        dict: Status and final position
    """
    # Validation
    if not (-35 <= pitch <= 35):
        return {"error": "Pitch out of safe range"}
    if not (-45 <= yaw <= 45):
        return {"error": "Yaw out of safe range"}
    if not (-30 <= roll <= 30):
        return {"error": "Roll out of safe range"}

    # Execute
    with ReachyMini() as reachy:
        pose = create_head_pose(pitch=pitch, yaw=yaw, roll=roll, degrees=True)
        reachy.goto_target(head=pose, duration=duration)

        # Verify
        final_pose = reachy.get_current_head_pose()

    return {
        "status": "success",
        "final_position": {
            "pitch": pitch,
            "yaw": yaw,
            "roll": roll
        }
    }
