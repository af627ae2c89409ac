from reachy_agent_ros.ros.rclpy_ext.heartbeat_watches import HeartbeatWatches
from support.nodes.node_process import Ros


def test_all_parts_of_a_node_share_one_watch_of_another(ros: Ros) -> None:
    watches = HeartbeatWatches(ros.node)
    assert watches.of("agent") is watches.of("agent")
    assert watches.of("agent").name == "agent"
    assert watches.of("tts") is not watches.of("agent")
