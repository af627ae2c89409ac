from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.specification import Split
from reachy_agent_ros.learning.evaluation.__main__ import main
from reachy_agent_ros.learning.evaluation.contender import contender
from reachy_agent_ros.learning.evaluation.evaluation import Evaluation, EvaluationPlan, Played, Setting
from reachy_agent_ros.learning.evaluation.summary import figures, headline, overview, summary


def played(name: str, *tasks: str, episodes: int = 4) -> list[Played]:
    return list(Evaluation(EvaluationPlan(tasks, episodes, physics=0)).play([contender(name)]))


def test_relative_time_and_effort_of_expert_are_one() -> None:
    for each in played("expert", "look_at", "figure_eight"):
        found = summary(each)
        assert found.success.value == 1.0
        assert found.unsafe.value == 0.0
        assert found.time is not None
        assert found.effort is not None
        assert found.time.value == found.effort.value == 1.0


def test_untrained_policy_has_larger_errors_than_expert() -> None:
    (training, test) = played("untrained", "look_at")
    assert summary(training).error.value > 5.0 * summary(played("expert", "look_at")[0]).error.value
    assert [training.setting, test.setting] == [Setting("look_at", split) for split in Split]
    assert all(trial.success for trial in training.expert)


def test_decision_tasks_have_no_efficiency_metrics() -> None:
    found = summary(played("expert", "style")[0])
    assert found.success.value == 1.0
    assert found.time is None
    assert found.effort is None


@pytest.mark.slow
def test_evaluation_with_physics_counts_unsafe_commands() -> None:
    plan = EvaluationPlan(("nod", "style"), 1, physics=1)
    found = list(Evaluation(plan).play([contender("untrained")]))
    assert [(each.setting.task, each.executed) for each in found if each.setting.physics] == [("nod", 0)]


def test_evaluation_reports_held_out_tasks_separately() -> None:
    found = [summary(each) for each in played("expert", "nod", "curtsey")]
    assert [each.kind for each in found] == ["training ranges", "test ranges", "held out", "held out"]
    held_out = overview(each for each in found if each.kind == "held out")
    assert held_out is not None
    assert (held_out.tasks, held_out.success.value, held_out.worst) == (1, 1.0, 1.0)
    assert overview([]) is None


def test_progress_callback_receives_each_episode_including_expert_episodes_once() -> None:
    told: list[tuple[int, int]] = []
    evaluation = Evaluation(
        EvaluationPlan(("nod",), 3, physics=0), lambda number, total, each: told.append((number, total))
    )
    list(evaluation.play([contender("untrained"), contender("expert")]))
    assert told == [(number, 12) for number in range(1, 13)]


def test_figure_names_contain_policy_task_and_parameter_range() -> None:
    found = played("expert", "nod")
    assert figures(found)["expert/nod/test/success"] == 1.0
    assert figures(found)["expert/nod/test/success_low"] < 1.0
    assert figures(found)["expert/nod/test/reward"] == summary(found[1]).reward.value
    assert headline(found)["episodes"] == 8
    assert -1.0 <= headline(found)["mean_reward"] <= 1.0


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"tasks": ("wink",)}, ErrorCode.NOT_FOUND),
        ({"episodes": 0}, ErrorCode.INVALID_GOAL),
        ({"physics": -1}, ErrorCode.INVALID_GOAL),
        ({"seed": 1000}, ErrorCode.INVALID_GOAL),
        ({"seed": -1}, ErrorCode.INVALID_GOAL),
        ({"episodes": 1001}, ErrorCode.INVALID_GOAL),
        ({"physics": 1001}, ErrorCode.INVALID_GOAL),
    ],
)
def test_rejects_invalid_evaluation_plan(plan: dict[str, Any], code: ErrorCode) -> None:
    with pytest.raises(AgentError) as refused:
        EvaluationPlan(**plan)
    assert refused.value.code is code


@pytest.mark.slow
def test_evaluation_command_writes_self_contained_html_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["untrained", "expert", "--task", "nod", "style", "--episodes", "5", "--physics", "0", "--json"]
    assert main([*wanted, "--out", str(tmp_path / "report")]) == 0
    *progress, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert progress[-1] == {**progress[-1], "episode": 40, "of": 40}
    assert {"report", "episodes", "success_rate", "mean_reward", "figures"} == set(last)
    page = Path(last["report"]).read_text()
    assert page.count("data:image/png;base64,") == 6
    assert not re.search(r'(src|href|srcset)="(?!data:)|url\(|<script', page)
    names = ("success-light", "success-dark", "efficiency-light", "error-dark")
    assert all((tmp_path / "report" / f"{name}.png").stat().st_size > 1000 for name in names)


def test_evaluation_command_reports_errors_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["expert", "--task", "wink", "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["error_code"] == ErrorCode.NOT_FOUND
    assert "wink" in told["error_msg"]
    (tmp_path / "file").write_text("")
    assert main(["expert", "--task", "style", "--episodes", "1", "--out", str(tmp_path / "file" / "below")]) == 2
    assert "Cannot write" in capsys.readouterr().err
