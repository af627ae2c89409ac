"""A bridge whose robot's daemon is at the other end of a cable that can be made worse."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from lossy_cable import THERE, LossyCable
from robot_daemon import RobotDaemon

from faults.fault import CannotBeInjectedError
from faults.robot_link import RobotLink, robot_link

PORT = 8000


@contextmanager
def cabled_robot(random: Random) -> Iterator[tuple[LossyCable, RobotLink]]:
    """Starts both ends, and waits until they are connected.

    Args:
        random: Decides what the cable loses.

    Raises:
        CannotBeInjectedError: There is no right to make a network namespace or device.
        AssertionError: They do not connect.
    """
    cable = LossyCable(random)
    try:
        cable.__enter__()
    except (OSError, subprocess.CalledProcessError) as error:
        raise CannotBeInjectedError(f"No network namespace with a TUN device can be made: {error}.") from error
    try:
        with RobotDaemon(THERE, PORT, cable.machine) as daemon, robot_link(daemon) as link:
            daemon.start()
            link.seconds_until(lambda: link.connected, 30.0)
            assert link.connected, "the bridge does not connect over a good cable"
            yield cable, link
    finally:
        cable.__exit__()
