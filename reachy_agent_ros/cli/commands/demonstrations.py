"""Records, lists, shows, trims, replays, exports, imports and deletes what people show the robot."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.cli.arguments import Subcommands
from reachy_agent_ros.cli.output import Cell, Row, show, show_json, show_list, show_table
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.identifier import SHOWN
from reachy_agent_ros.core.paths import state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration
    from reachy_agent_ros.learning.demonstrations.index import Demonstrations
    from reachy_agent_ros.motion.recorded_move import RecordedMove

HELP = "record, list, show, trim, replay, export, import or delete what people show the robot"

EXAMPLES = (
    "reachy-agent demonstrations record wave --prompt 'waves with an antenna'",
    "reachy-agent demonstrations list",
    "reachy-agent demonstrations replay 3f2a",
)

COMMANDER = "demonstrations"

HEADER = ("DEMONSTRATION", "WHEN", "LENGTH", "SKILL", "PERSON", "SHOWN")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what to do, with which demonstrations."""
    choices = Subcommands(parser)
    recorded = choices.add(
        "record",
        "show the robot something: lead its head by hand, or send motion_target",
        _record,
        example="wave --prompt 'waves with an antenna'",
        graph=True,
    )
    listed = choices.add("list", "all of them, the newest first", _list, example="--skill wave")
    shown = choices.add(
        "show", "what is known of one, what was said meanwhile, and whether it can be replayed", _show, example="3f2a"
    )
    part = choices.add(
        "trim",
        "a part of one, as a demonstration of its own; the whole one stays",
        _trim,
        example="3f2a --from 0.5 --to 4",
    )
    replayed = choices.add("replay", "have the robot do it", _replay, example="3f2a", graph=True)
    exported = choices.add("export", "as a dataset for others' tools", _export, example="lerobot out/wave --skill wave")
    taken = choices.add("import", "a bag that ros2 bag record made", _import, example="bag_1 --skill wave")
    gone = choices.add("delete", "take one off the disk", _delete, example="3f2a")
    recorded.add_argument("skill", help="name of the skill: small letters, digits, underscores")
    recorded.add_argument("--prompt", default="", help="what is shown, in words")
    recorded.add_argument("--teleoperation", action="store_true", help="the motors stay on; motion_target leads it")
    recorded.add_argument(
        "--for", dest="seconds", type=float, default=0.0, metavar="S", help="s (default: until Enter or Ctrl-C)"
    )
    for choice in (shown, part, replayed, gone):
        choice.add_argument("which", metavar="ID", help="its beginning is enough")
    for choice in (listed, exported):
        choice.add_argument("--skill", default="", help="only demonstrations of this one")
    part.add_argument("--from", dest="start", type=float, default=0.0, metavar="S", help="s from its beginning")
    part.add_argument("--to", dest="end", type=float, default=float("inf"), metavar="S", help="s from its beginning")
    replayed.add_argument(
        "--followable", action="store_true", help="make smaller and smoother what the body cannot do, not refuse it"
    )
    exported.add_argument("form", choices=("minari", "lerobot"), help="whose layout")
    exported.add_argument("folder", type=Path, help="must not exist")
    exported.add_argument("--rate", type=int, default=50, metavar="HZ", help="steps a second (default: %(default)s)")
    taken.add_argument("bag", type=Path, help="its folder, or its .mcap or .db3 file")
    taken.add_argument("--skill", required=True, help="name of the skill: small letters, digits, underscores")
    taken.add_argument("--prompt", default="", help="what is shown, in words")
    taken.add_argument("--person", default="", help="who shows it")
    taken.add_argument(
        "--topic", action="append", default=[], metavar="OURS=THEIRS", help="where a topic has another name in the bag"
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 0.

    Raises:
        AgentError: What the parts of `learning/demonstrations` and the graph refuse.
    """
    from reachy_agent_ros.learning.demonstrations.index import Demonstrations, demonstrations_directory

    arguments.subcommand(Demonstrations(demonstrations_directory()), arguments)
    return 0


def _record(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.action import RecordDemonstration

    from reachy_agent_ros.learning.demonstrations.recording import LONGEST
    from reachy_agent_ros.ros.client.trainer_client import TrainerAction
    from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of

    kinds = RecordDemonstration.Goal
    goal = RecordDemonstration.Goal(
        skill=arguments.skill,
        prompt=arguments.prompt,
        method=kinds.TELEOPERATION if arguments.teleoperation else kinds.HAND,
        time_allowance=duration_message(arguments.seconds),
    )
    enough = CancelToken()
    if not arguments.seconds and sys.stdin.isatty():
        Thread(target=_await_enter, args=(enough,), daemon=True).start()

    def show(feedback: Any) -> None:
        elapsed, size = seconds_of(feedback.elapsed), feedback.bytes_written
        line = {"elapsed": round(elapsed, 1), "samples": feedback.samples, "bytes": size}
        if arguments.json:
            show_json(line)
        else:
            print(f"\r{elapsed:6.1f} s  {feedback.samples} messages  {size / 1e6:.1f} MB", end="", flush=True)

    action = TrainerAction(RecordDemonstration, names.RECORD_DEMONSTRATION, arguments.namespace)
    result = action.run(goal, LONGEST, show, enough)
    if not arguments.json:
        print()
    _print(demonstrations.find(result.demonstration), arguments.json, bag=result.bag)


def _await_enter(enough: CancelToken) -> None:
    """Says how to end the recording, and waits for Enter."""
    print("Recording; Enter ends it.", flush=True)
    sys.stdin.readline()
    enough.cancel()


def _list(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    listed = ((asdict(one), _row(one)) for one in demonstrations.listed(arguments.skill))
    show_list(HEADER, listed, arguments.json, "Nothing was shown yet.")
    for reason in demonstrations.refused.values():
        print(reason, file=sys.stderr)


def _show(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.demonstrations.trajectory import replayed

    one = demonstrations.find(arguments.which)
    bag = demonstrations.bag(one)
    said = [{"after": round(moment - one.began, 2), "text": text} for moment, text in bag.transcripts()]
    try:
        replayed(bag.trajectory(), one.prompt)
        refusal = ""
    except AgentError as error:
        refusal = error.message
    _print(one, arguments.json, bag=str(demonstrations.path(one)), said=said, refusal=refusal)
    if arguments.json:
        return
    if one.quality is not None:
        quality = one.quality
        print(
            f"{quality.samples} messages, {quality.dropped} dropped, {quality.rate:.0f} states a second, "
            f"longest gap {1e3 * quality.longest_gap:.0f} ms{', its end is missing' if quality.cut else ''}"
        )
    for sentence in said:
        print(f"{sentence['after']:7.2f} s  {plain(str(sentence['text']))}")
    print(f"It cannot be replayed as it is: {refusal}" if refusal else "It can be replayed.")
    print(f"ros2 bag info {demonstrations.path(one)}")


def _trim(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.demonstrations.sources import trimmed

    whole = demonstrations.find(arguments.which)
    _print(trimmed(demonstrations, whole, arguments.start, arguments.end), arguments.json)


def _replay(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.demonstrations.trajectory import replayed

    one = demonstrations.find(arguments.which)
    move = replayed(demonstrations.bag(one).trajectory(), one.prompt or one.skill, arguments.followable)
    elapsed = _play(move, one.identifier, arguments.namespace)
    result = {"demonstration": one.identifier, "elapsed": round(elapsed, 2)}
    show(result, f"Replayed in {elapsed:.1f} s.", arguments.json)


def _play(move: RecordedMove, identifier: str, namespace: str) -> float:
    """Has the bridge play a move, through the safety gate, from a temporary file. Returns how long it took, s."""
    from reachy_agent_msgs.action import ExecuteMotion

    from reachy_agent_ros.learning.demonstrations.trajectory import move_file
    from reachy_agent_ros.motion.request import LONGEST
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    name = f"demonstration_{identifier}"
    file = state_directory() / "moves" / f"{name}.json"
    with GraphClient(COMMANDER, namespace) as client:
        caller = ActionCaller(client.node, ExecuteMotion, names.EXECUTE_MOTION, client.watch(names.HARDWARE_BRIDGE))
        write_durably(file, move_file(move))
        try:
            goal = ExecuteMotion.Goal(kind=ExecuteMotion.Goal.RECORDED, commander=COMMANDER, name=name)
            result = caller.ask(goal, timeout=LONGEST + 10.0)
        finally:
            file.unlink(missing_ok=True)
    return seconds_of(result.elapsed)


def _export(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.demonstrations.exports import episodes, export_lerobot, export_minari

    if not 1 <= arguments.rate <= 1000:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "A rate is from 1 to 1000 Hz.")
    chosen = [one for one in reversed(demonstrations.listed(arguments.skill)) if one.ended]
    found = episodes(demonstrations, chosen, float(arguments.rate))
    if arguments.form == "minari":
        export_minari(found, arguments.folder, f"reachy/{(arguments.skill or 'all').replace('_', '-')}-v0")
    else:
        export_lerobot(found, arguments.folder, arguments.rate)
    steps = sum(episode.steps for episode in found)
    result = {"folder": str(arguments.folder), "episodes": len(found), "steps": steps}
    show(result, f"{len(found)} demonstrations, {steps} steps: {arguments.folder}", arguments.json)


def _import(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    from reachy_agent_ros.learning.demonstrations.sources import import_bag

    topics = {}
    for mapping in arguments.topic:
        ours, equals, theirs = mapping.partition("=")
        if not (ours and equals and theirs):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Not OURS=THEIRS: {mapping!r:.100}")
        topics[ours] = theirs
    taken = import_bag(
        demonstrations, arguments.bag, arguments.skill, arguments.prompt, arguments.person, topics=topics
    )
    _print(taken, arguments.json)


def _delete(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    one = demonstrations.find(arguments.which)
    demonstrations.delete(one)
    show({"deleted": one.identifier}, f"{one.identifier[:SHOWN]} is deleted.", arguments.json)


def _print(one: Demonstration, as_json: bool, **more: Any) -> None:
    if as_json:
        show_json({**asdict(one), **more})
    else:
        show_table(HEADER, [_row(one)])


def _row(one: Demonstration) -> Row:
    when = f"{datetime.fromtimestamp(one.began):%Y-%m-%d %H:%M}"
    length = "recording" if one.duration is None else f"{one.duration:.1f} s"
    cut = " (cut)" if one.quality is not None and one.quality.cut else ""
    shown = f"{fit(plain(one.prompt), 60)}{cut}"
    return Cell(one.identifier[:SHOWN], "bold"), when, length, one.skill, one.person or "-", shown
