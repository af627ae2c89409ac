"""A bridge whose robot's daemon is at the other end of a cable that can be made worse."""

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
    """Starts both ends, and waits until they are connected.

    Args:
        random: Decides what the cable loses.

    Raises:
        CannotBeInjectedError: There is no right to make a network namespace or device.
        AssertionError: They do not connect.
    """
    with ExitStack() as stack:
        try:
            cable = stack.enter_context(LossyCable(random))
        except NoOtherMachineError as error:
            raise CannotBeInjectedError(f"There is no other machine: {error}.") from error
        daemon = stack.enter_context(RobotDaemon(cable.machine.there, PORT, cable.machine))
        link = stack.enter_context(robot_link(daemon))
        daemon.start()
        link.seconds_until(lambda: link.connected, 30.0)
        assert link.connected, "the bridge does not connect over a good cable"
        yield cable, link
