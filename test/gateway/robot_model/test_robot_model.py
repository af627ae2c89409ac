import asyncio
from pathlib import Path

import pytest

from reachy_agent_ros.gateway.robot_model import JOINTS, MODEL
from reachy_agent_ros.gateway.robot_model.robot_model import RobotModel


@pytest.mark.slow
def test_concurrent_requests_generate_robot_model_once(tmp_path: Path) -> None:
    async def asked() -> tuple[Path, Path]:
        model = RobotModel(tmp_path)
        first, second = await asyncio.gather(model.folder(), model.folder())
        return first, second

    first, second = asyncio.run(asked())
    assert first == second
    made = (first / MODEL).stat().st_mtime_ns
    assert (first / JOINTS).is_file()
    assert asyncio.run(RobotModel(tmp_path).folder()) == first
    assert (first / MODEL).stat().st_mtime_ns == made
