"""A ROS domain with running nodes is not used by other test runs."""

import os

from support.domains import is_silent
from support.nodes.node_process import Ros


def test_domain_with_running_node_is_not_silent(ros: Ros) -> None:
    assert not is_silent(int(os.environ["ROS_DOMAIN_ID"]))
