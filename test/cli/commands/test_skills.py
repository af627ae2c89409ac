import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.cli.commands import skills as command
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT
from reachy_agent_ros.learning.score import Axis, Score, Sign
from support.command_line import run_command

AHEAD = {"target_pitch": 0.0, "target_yaw": 0.0}


@pytest.fixture(autouse=True)
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OnlineLearner:
    """Learner of a running robot in another process, after the correction "too far down"."""
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    one = OnlineLearner(LOOK_AT_OBJECT, PolicyStore(tmp_path / "policies"), seed=0)
    one.learn(one.act(AHEAD), Score(Sign.NEGATIVE, -0.3, 0.95, (Axis.PITCH_UP,)))
    return one


run = partial(run_command, command)


@pytest.fixture
def lines(capsys: pytest.CaptureFixture[str]) -> Any:
    def read(*words: str) -> list[dict[str, Any]]:
        capsys.readouterr()
        assert run(*words, "--json") == 0
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return read


def test_lists_active_policy_versions_or_all_of_one_skill(lines: Any) -> None:
    assert [(one["skill"], one["version"], one["active"]) for one in lines("list")] == [("look_at_object", 2, True)]
    assert [one["because"] for one in lines("list", "look_at_object")] == [
        "Initial version, not corrected yet.",
        "Corrected: pitch_up.",
    ]


def test_shows_action_of_policy_version(lines: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (untaught,) = lines("show", "look_at_object", "1")
    (taught,) = lines("show", "look_at_object")
    assert untaught["does"] == pytest.approx({"pitch": 0.0, "yaw": 0.0})
    assert taught["does"]["pitch"] < -0.03
    run("show", "look_at_object")
    assert "made by coach from version 1" in capsys.readouterr().out


def test_compares_policy_versions(lines: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = lines("compare", "look_at_object", "1")
    before, after = found["figures"]["pitch"]
    assert after < before
    assert found["weights"]["particles"] > 0.0
    run("compare", "look_at_object", "1", "2")
    assert "differ by" in capsys.readouterr().out


def test_running_robot_uses_selected_version_for_next_action(lines: Any, learner: OnlineLearner) -> None:
    (now,) = lines("rollback", "look_at_object")
    assert (now["version"], now["active"]) == (1, True)
    assert learner.act(AHEAD).policy_version == "1"
    (now,) = lines("pin", "look_at_object", "2")
    assert (now["version"], now["pinned"]) == (2, True)
    assert learner.act(AHEAD).policy_version == "2"
    assert lines("unpin", "look_at_object")[0]["pinned"] is False


def test_list_marks_active_policy_version(capsys: pytest.CaptureFixture[str]) -> None:
    run("pin", "look_at_object")
    assert "pinned  Corrected: pitch_up." in capsys.readouterr().out


@pytest.mark.parametrize("words", [("show", "sing"), ("pin", "look_at_object", "9"), ("rollback", "../x")])
def test_unknown_version_is_not_found(words: tuple[str, ...]) -> None:
    with pytest.raises(AgentError) as error:
        run(*words)
    assert error.value.code is ErrorCode.NOT_FOUND


def test_rejects_policy_rollback_of_pinned_skill(learner: OnlineLearner) -> None:
    run("pin", "look_at_object")
    with pytest.raises(AgentError) as error:
        run("rollback", "look_at_object")
    assert error.value.code is ErrorCode.INVALID_GOAL
