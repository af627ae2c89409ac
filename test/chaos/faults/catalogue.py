"""List of all faults of the campaign, ordered by number."""

from __future__ import annotations

from collections.abc import Sequence

from chaos.faults.another_machine import AnotherMachine
from chaos.faults.bad_network import BadNetwork
from chaos.faults.busy_machine import BusyMachine
from chaos.faults.cut_recording import CutRecording
from chaos.faults.duplicate_node import DuplicateNode
from chaos.faults.failing_model import FailingModel
from chaos.faults.fault import Fault
from chaos.faults.flood import Flood
from chaos.faults.full_disk import FullDisk
from chaos.faults.full_shared_memory import FullSharedMemory
from chaos.faults.garbage_page import GarbagePage
from chaos.faults.half_open_daemon import HalfOpenDaemon
from chaos.faults.killed_action_server import KilledActionServer
from chaos.faults.killed_bridge import KilledBridge
from chaos.faults.killed_node import KilledNode
from chaos.faults.little_memory import LittleMemory
from chaos.faults.locked_database import LockedDatabase
from chaos.faults.missing_loudspeaker import MissingLoudspeaker
from chaos.faults.power_cut import PowerCut
from chaos.faults.refusing_daemon import RefusingDaemon
from chaos.faults.sandbox_bombs import SandboxBombs
from chaos.faults.stepped_clock import SteppedClock
from chaos.faults.stopped_agent import StoppedAgent
from chaos.faults.stopped_bridge import StoppedBridge
from chaos.faults.stopped_camera import StoppedCamera
from chaos.faults.stopped_graph import StoppedGraph
from chaos.faults.strangers_request import StrangersRequest
from chaos.faults.wild_targets import WildTargets

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
