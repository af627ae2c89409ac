import io
import json
import math
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.cli.commands import skills as command
from reachy_agent_ros.cli.commands.skills.figures import in_words
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT
from reachy_agent_ros.learning.score import Axis, Score, Sign
from support.command_line import run_command

AHEAD = {"target_pitch": 0.0, "target_yaw": 0.0}
AHEAD_ACTION = {"pitch": 0.0, "yaw": 0.0}


@pytest.fixture(autouse=True)
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> OnlineLearner:
    """Creates a learner that has learned from "too far down", as if a robot were running in another process."""
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


def test_list_shows_active_policy_versions_or_all_versions_of_skill(lines: Any) -> None:
    assert [(one["skill"], one["version"], one["active"]) for one in lines("list")] == [("look_at_object", 2, True)]
    assert [one["because"] for one in lines("list", "look_at_object")] == [
        "Initial version, not corrected yet.",
        "Corrected: pitch_up.",
    ]


def test_skills_show_prints_action_of_policy_version(lines: Any, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert "version 1   version 2" in capsys.readouterr().out


def test_running_robot_uses_selected_version_for_next_action(lines: Any, learner: OnlineLearner) -> None:
    (now,) = lines("rollback", "look_at_object")
    assert (now["version"], now["active"]) == (1, True)
    assert learner.act(AHEAD).policy_version == "1"
    (now,) = lines("pin", "look_at_object", "2")
    assert (now["version"], now["pinned"]) == (2, True)
    assert learner.act(AHEAD).policy_version == "2"
    assert lines("unpin", "look_at_object")[0]["pinned"] is False


def test_rollback_of_first_version_leaves_skill_untrained(
    lines: Any, learner: OnlineLearner, capsys: pytest.CaptureFixture[str]
) -> None:
    run("rollback", "look_at_object")
    assert capsys.readouterr().out == "Rolled back look_at_object from version 2 to version 1.\n"
    run("rollback", "look_at_object")
    assert capsys.readouterr().out == "Rolled back look_at_object from version 1 to untrained.\n"
    assert learner.act(AHEAD).action == pytest.approx(AHEAD_ACTION)
    assert [(one["version"], one["active"]) for one in lines("list")] == [(0, True)]


def test_delete_needs_confirmation(lines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))  # not a terminal
    with pytest.raises(AgentError, match="--yes") as error:
        run("delete", "look_at_object")
    assert error.value.code is ErrorCode.CANCELED
    assert len(lines("list", "look_at_object")) == 2


def test_delete_removes_all_versions(lines: Any, learner: OnlineLearner, capsys: pytest.CaptureFixture[str]) -> None:
    run("delete", "look_at_object", "--yes")
    assert capsys.readouterr().out == "Deleted look_at_object with 2 versions.\n"
    assert lines("list") == []
    assert learner.act(AHEAD).action == pytest.approx(AHEAD_ACTION)
    with pytest.raises(AgentError) as error:
        run("delete", "look_at_object", "--yes")
    assert error.value.code is ErrorCode.NOT_FOUND


def test_error_for_version_0_lists_policy_versions() -> None:
    for words in (("pin", "look_at_object", "0"), ("rollback", "look_at_object", "7")):
        with pytest.raises(AgentError, match=r"Versions: 1 to 2\."):
            run(*words)


def test_shows_parameters_with_units(capsys: pytest.CaptureFixture[str]) -> None:
    run("show", "look_at_object")
    assert re.search(r"pitch +-\d\.\d deg\n", capsys.readouterr().out)
    run("compare", "look_at_object", "1")
    assert re.search(r"pitch +0\.0 deg +-\d\.\d deg\n", capsys.readouterr().out)


def test_measured_errors_are_printed_in_degrees() -> None:
    assert in_words({"error": math.radians(4.0), "success": 0.9}).split() == ["error", "4.0", "deg", "success", "0.9"]


def test_list_marks_active_policy_version(capsys: pytest.CaptureFixture[str]) -> None:
    run("pin", "look_at_object")
    assert capsys.readouterr().out == "Pinned version 2 of look_at_object.\n"
    run("list")
    assert "pinned  Corrected: pitch_up." in capsys.readouterr().out


@pytest.mark.parametrize("words", [("list",), ("show",), ("compare", "1"), ("pin",), ("unpin",), ("rollback",)])
def test_unknown_skill_error_contains_closest_name(words: tuple[str, ...]) -> None:
    subcommand, *versions = words
    with pytest.raises(AgentError, match=r"Unknown skill 'emotion'\. Did you mean express_emotion\?"):
        run(subcommand, "emotion", *versions)


@pytest.mark.parametrize("words", [("show", "sing"), ("pin", "look_at_object", "9"), ("rollback", "../x")])
def test_unknown_policy_version_is_reported_as_not_found(words: tuple[str, ...]) -> None:
    with pytest.raises(AgentError) as error:
        run(*words)
    assert error.value.code is ErrorCode.NOT_FOUND


def test_rejects_policy_rollback_of_pinned_skill(learner: OnlineLearner) -> None:
    run("pin", "look_at_object")
    with pytest.raises(AgentError) as error:
        run("rollback", "look_at_object")
    assert error.value.code is ErrorCode.INVALID_GOAL
