"""Every fault of the campaign, by number."""

from __future__ import annotations

from collections.abc import Sequence

from faults.another_machine import AnotherMachine
from faults.bad_network import BadNetwork
from faults.busy_machine import BusyMachine
from faults.cut_recording import CutRecording
from faults.duplicate_node import DuplicateNode
from faults.failing_model import FailingModel
from faults.fault import Fault
from faults.flood import Flood
from faults.full_disk import FullDisk
from faults.full_shared_memory import FullSharedMemory
from faults.garbage_page import GarbagePage
from faults.half_open_daemon import HalfOpenDaemon
from faults.killed_action_server import KilledActionServer
from faults.killed_bridge import KilledBridge
from faults.killed_node import KilledNode
from faults.little_memory import LittleMemory
from faults.locked_database import LockedDatabase
from faults.missing_loudspeaker import MissingLoudspeaker
from faults.power_cut import PowerCut
from faults.refusing_daemon import RefusingDaemon
from faults.sandbox_bombs import SandboxBombs
from faults.stepped_clock import SteppedClock
from faults.stopped_agent import StoppedAgent
from faults.stopped_bridge import StoppedBridge
from faults.stopped_camera import StoppedCamera
from faults.stopped_graph import StoppedGraph
from faults.strangers_request import StrangersRequest
from faults.wild_targets import WildTargets

FAULTS: Sequence[Fault] = (
    KilledNode(),
    KilledBridge(),
    StoppedBridge(),
    StoppedAgent(),
    KilledActionServer(),
    DuplicateNode(),
    BusyMachine(),
    LittleMemory(),
    FullSharedMemory(),
    FullDisk(),
    GarbagePage(),
    LockedDatabase(),
    PowerCut(),
    CutRecording(),
    SteppedClock(),
    RefusingDaemon(),
    HalfOpenDaemon(),
    BadNetwork(),
    FailingModel(),
    StoppedCamera(),
    MissingLoudspeaker(),
    WildTargets(),
    Flood(),
    AnotherMachine(),
    SandboxBombs(),
    StrangersRequest(),
    StoppedGraph(),
)
