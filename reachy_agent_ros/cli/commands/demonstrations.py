"""Records, lists, shows, trims, replays, exports, imports and deletes demonstrations."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.terminal_text import fit, plain
from reachy_agent_ros.cli.arguments import Subcommands, span
from reachy_agent_ros.cli.groups import Group
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

GROUP = Group.TEACH

HELP = "record, list, show, trim, replay, export, import or delete demonstrations"

EXAMPLES = (
    "reachy-agent demonstrations record wave --prompt 'waves with an antenna'",
    "reachy-agent demonstrations list",
    "reachy-agent demonstrations replay 3f2a",
)

COMMANDER = "demonstrations"

HEADER = ("DEMONSTRATION", "WHEN", "LENGTH", "SKILL", "PERSON", "SHOWN")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    parser.set_defaults(skill="")
    choices = Subcommands(parser, usual=_list)
    recorded = choices.add(
        "record",
        "record a demonstration: guide the head by hand, or publish motion_target",
        _record,
        example="wave --prompt 'waves with an antenna'",
        graph=True,
    )
    listed = choices.add("list", "list demonstrations, newest first", _list, example="--skill wave")
    shown = choices.add(
        "show", "show details, speech during the recording, and whether it can be replayed", _show, example="3f2a"
    )
    part = choices.add(
        "trim", "copy a part into a new demonstration; the original stays", _trim, example="3f2a --from 0.5 --to 4"
    )
    replayed = choices.add("replay", "replay a demonstration on the robot", _replay, example="3f2a", graph=True)
    exported = choices.add(
        "export", "export a dataset for other tools", _export, example="lerobot out/wave --skill wave"
    )
    taken = choices.add("import", "import a bag from ros2 bag record", _import, example="bag_1 --skill wave")
    gone = choices.add("delete", "delete a demonstration from the disk", _delete, example="3f2a")
    recorded.add_argument("skill", help="name of the skill: lower-case letters, digits, underscores")
    recorded.add_argument("--prompt", default="", help="description of the demonstration")
    recorded.add_argument("--teleoperation", action="store_true", help="keep the motors on and follow motion_target")
    recorded.add_argument(
        "--for",
        dest="seconds",
        type=span,
        default=0.0,
        metavar="TIME",
        help="duration: 6s, 1m (default: until Enter or Ctrl-C)",
    )
    for choice in (shown, part, replayed, gone):
        choice.add_argument("which", metavar="ID", help="beginning of the id")
    for choice in (listed, exported):
        choice.add_argument("--skill", default="", help="only demonstrations of this skill")
    part.add_argument("--from", dest="start", type=float, default=0.0, metavar="S", help="start of the part, s")
    part.add_argument("--to", dest="end", type=float, default=float("inf"), metavar="S", help="end of the part, s")
    replayed.add_argument(
        "--followable", action="store_true", help="scale down and smooth infeasible motion instead of refusing it"
    )
    exported.add_argument("form", choices=("minari", "lerobot"), help="dataset format")
    exported.add_argument("folder", type=Path, help="folder to create; must not exist yet")
    exported.add_argument("--rate", type=int, default=50, metavar="HZ", help="steps per second (default: %(default)s)")
    taken.add_argument("bag", type=Path, help="folder of the bag, or its .mcap or .db3 file")
    taken.add_argument("--skill", required=True, help="name of the skill: lower-case letters, digits, underscores")
    taken.add_argument("--prompt", default="", help="description of the demonstration")
    taken.add_argument("--person", default="", help="demonstrator")
    taken.add_argument(
        "--topic", action="append", default=[], metavar="OURS=THEIRS", help="name of a topic in the bag, if different"
    )


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand. Returns 0.

    Raises:
        AgentError: Error of `learning/demonstrations` or of the graph.
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
    made = demonstrations.find(result.demonstration)
    _print(made, arguments.json, bag=result.bag)
    _warn_of_rest(demonstrations, made)


def _warn_of_rest(demonstrations: Demonstrations, made: Demonstration) -> None:
    """Prints a warning if the new recording contains no motion, because it cannot train a skill."""
    from reachy_agent_ros.learning.imitation.shown_course import RATE, ShownCourse

    try:
        ShownCourse.of(demonstrations.bag(made).trajectory(RATE))
    except AgentError as error:
        if error.code is ErrorCode.NO_DATA:
            advice = f"Delete it: reachy-agent demonstrations delete {made.identifier[:SHOWN]}"
            print(f"Nothing moved, so this demonstration cannot train a skill. {advice}", file=sys.stderr)


def _await_enter(enough: CancelToken) -> None:
    """Explains how to end the recording, and ends it when Enter is pressed."""
    print("Recording; Enter ends it.", flush=True)
    sys.stdin.readline()
    enough.cancel()


def _list(demonstrations: Demonstrations, arguments: argparse.Namespace) -> None:
    listed = ((asdict(one), _row(one)) for one in demonstrations.listed(arguments.skill))
    show_list(HEADER, listed, arguments.json, "There are no demonstrations yet.")
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
    print(f"Cannot be replayed as recorded: {refusal}" if refusal else "Can be replayed.")
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
    """Plays a move on the robot, through the safety gate, from a temporary file. Returns the duration in seconds."""
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
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid rate: expected 1 to 1000 Hz.")
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
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid topic {mapping!r:.100}: expected OURS=THEIRS.")
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
