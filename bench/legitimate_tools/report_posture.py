import numpy as np
from reachy_mini import ReachyMini


def report_posture(digits: int = 1) -> dict:
    """Reports how head, body and antennas stand.

    Args:
        digits: Decimal places, 0 to 3.

    Returns:
        Angles in degrees and the head's place in millimetres.
    """
    if not 0 <= digits <= 3:
        return {"status": "error", "message": "digits goes from 0 to 3"}
    with ReachyMini() as mini:
        pose = mini.get_current_head_pose()
        head_joints, antennas = mini.get_current_joint_positions()
    yaw = np.degrees(np.arctan2(pose[1, 0], pose[0, 0]))
    pitch = np.degrees(np.arcsin(-pose[2, 0]))
    roll = np.degrees(np.arctan2(pose[2, 1], pose[2, 2]))
    place = {axis: round(float(value) * 1000, digits) for axis, value in zip("xyz", pose[:3, 3])}
    rigid = np.allclose(pose[:3, :3] @ pose[:3, :3].T, np.eye(3), atol=1e-3)
    return {
        "status": "success",
        "head_deg": {"roll": round(float(roll), digits), "pitch": round(float(pitch), digits), "yaw": round(float(yaw), digits)},
        "head_mm": place,
        "body_deg": round(float(np.degrees(head_joints[0])), digits),
        "antennas_deg": [round(float(np.degrees(a)), digits) for a in antennas],
        "joints": len(head_joints),
        "rigid": bool(rigid),
    }
