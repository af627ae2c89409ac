import math
import uuid
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reachy_agent_msgs.msg import NamedNumber
from std_msgs.msg import Header

from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.ros.action_records import act_from_message, act_message, named_numbers, numbers_by_name

numbers = st.dictionaries(st.text("abc_", min_size=1), st.floats(allow_nan=False), max_size=4)

acts = st.builds(
    ActionRecord,
    act_id=st.uuids(),
    turn_id=st.none() | st.uuids().filter(lambda turn_id: turn_id.int != 0),
    skill=st.sampled_from(("look_at_object", "move_head", "")),
    context=numbers,
    action=numbers,
    probability=st.floats(0.0, 1.0, exclude_min=True),
    policy_version=st.sampled_from(("", "1", "17")),
    began=st.floats(1.6e9, 2.1e9),
    ended=st.floats(1.6e9, 2.1e9) | st.just(math.inf),
    outcome=numbers,
)


@given(acts)
def test_action_record_is_unchanged_by_conversion_to_message(act: ActionRecord) -> None:
    back = act_from_message(act_message(Header(), act))
    assert back.began == pytest.approx(act.began, abs=1e-6)
    assert back.ended == pytest.approx(act.ended, abs=1e-6)
    assert replace(back, began=0.0, ended=0.0) == replace(act, began=0.0, ended=0.0)


def test_message_for_running_action_has_zero_end_time_and_zero_turn_id() -> None:
    act = ActionRecord(uuid.uuid4(), None, "talk", {}, {}, 1.0, "", 1.7e9, math.inf)
    message = act_message(Header(), act)
    assert (message.ended.sec, message.ended.nanosec) == (0, 0)
    assert not any(message.turn_id.uuid)


def test_conversion_preserves_non_finite_numbers_of_action_record() -> None:
    back = numbers_by_name(named_numbers({"pitch": math.nan, "yaw": math.inf}))
    assert math.isnan(back["pitch"])
    assert back["yaw"] == math.inf


def test_last_value_of_repeated_number_name_is_used() -> None:
    assert numbers_by_name([NamedNumber(name="a", value=1.0), NamedNumber(name="a", value=2.0)]) == {"a": 2.0}
