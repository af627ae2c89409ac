"""Bridge and robot daemon that are connected by a network link with adjustable delay and packet loss."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random

from chaos.faults.fault import CannotBeInjectedError
from chaos.faults.robot_link import RobotLink, robot_link
from chaos.network.lossy_cable import LossyCable
from chaos.network.other_machine import NoOtherMachineError
from chaos.robot_daemon import RobotDaemon

PORT = 8000


@contextmanager
def cabled_robot(random: Random) -> Iterator[tuple[LossyCable, RobotLink]]:
    """Starts the daemon and the bridge, and waits until they are connected.

    Args:
        random: Source of the random packet loss.

    Raises:
        CannotBeInjectedError: This user may not create a network namespace or device.
        AssertionError: The bridge does not connect.
    """
    with ExitStack() as stack:
        try:
            cable = stack.enter_context(LossyCable(random))
        except NoOtherMachineError as error:
            raise CannotBeInjectedError(f"A second machine cannot be simulated: {error}.") from error
        daemon = stack.enter_context(RobotDaemon(cable.machine.there, PORT, cable.machine))
        link = stack.enter_context(robot_link(daemon))
        daemon.start()
        link.seconds_until(lambda: link.connected, 30.0)
        assert link.connected, "the bridge does not connect over an intact cable"
        yield cable, link
