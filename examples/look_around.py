"""Takes photos to the left, ahead and to the right while the antennas move, with asyncio.

Start the robot first: reachy-agent up
"""

import asyncio
from pathlib import Path

from reachy_agent_ros.commander import ReachyCommander


async def look_around() -> dict[str, bytes]:
    """Takes a photo in each direction, and returns the JPEG images."""
    pictures = {}
    with ReachyCommander() as reachy:
        for name, yaw in (("left", 0.6), ("ahead", 0.0), ("right", -0.6)):
            await reachy.run(reachy.move_head, yaw=yaw)
            pictures[name], _ = await asyncio.gather(
                reachy.run(reachy.photo),
                reachy.run(reachy.set_antennas, right=-yaw, left=yaw, duration=0.4),
            )
        await reachy.run(reachy.move_head)
    return pictures


for name, picture in asyncio.run(look_around()).items():
    Path(f"{name}.jpg").write_bytes(picture)
    print(f"{name}.jpg: {len(picture)} bytes")
