from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.trimming import trimmed
from support.learning.shown import GOAL, nod, recorded


def test_a_part_is_a_demonstration_of_its_own(tmp_path: Path) -> None:
    demonstrations = Demonstrations(tmp_path)
    whole = recorded(demonstrations)
    part = trimmed(demonstrations, whole, 0.5, 1.5)
    values = demonstrations.bag(part).trajectory(50.0).values
    assert np.allclose(values, np.array(nod())[25:76], atol=1e-6)
    assert part.duration == pytest.approx(1.0, abs=0.021)
    assert part.goal == GOAL
    assert whole.identifier in part.origin
    assert {one.identifier for one in demonstrations.listed()} == {whole.identifier, part.identifier}
    assert len(demonstrations.bag(whole).trajectory(50.0).times) == 101


@pytest.mark.parametrize(("start", "end"), [(1.0, 0.5), (-1.0, 0.5), (10.0, 11.0), (float("nan"), 1.0)])
def test_a_part_that_is_none_is_refused_and_leaves_nothing(tmp_path: Path, start: float, end: float) -> None:
    demonstrations = Demonstrations(tmp_path)
    whole = recorded(demonstrations, nod(0.2))
    with pytest.raises(AgentError) as error:
        trimmed(demonstrations, whole, start, end)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert [path.name for path in tmp_path.iterdir()] == [whole.identifier]
