"""Conversation of a person with a running graph and a scripted model. The agent is killed in the meantime.

Run `scripts/evaluate mind`. It takes one minute. A simulated person approves, refuses, grants, corrects, and comes back
after the agent was killed. The evaluation checks everything that the agent publishes. The log goes to standard error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.report import Figure, print_report
from bench.running_graph import running_graph
from evaluation.conversation.mind_exchange import Exchange
from evaluation.conversation.mind_judge import Seen, faults
from evaluation.conversation.mind_log import MindLog
from evaluation.conversation.mind_person import Person
from evaluation.conversation.mind_script import EXCHANGES, RULES
from evaluation.conversation.mind_topics import read_now
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint

PATIENCE = 30.0  # s for each wait
JOINING = 5.0  # s for a late subscriber to receive everything
INTO = 1.0  # s of a dance before the person interrupts


def main(as_json: bool) -> int:
    """Plays a scripted visit to a new graph. Always returns exit code 0."""
    with ScriptedEndpoint() as server:
        arguments = (f"model_endpoint:={server.url}", "model_name:=scripted")
        with running_graph(*arguments, files={"permissions.yaml": RULES}) as (client, _):
            figures = Visit(client, server).play(EXCHANGES)
    print_report("mind", figures, as_json)
    return 0


class Visit:
    """Visit of a simulated person to a robot with a scripted model.

    Args:
        client: Client in the graph of the robot.
        server: Server of the scripted model.
    """

    def __init__(self, client: GraphClient, server: ScriptedEndpoint) -> None:
        self._client = client
        self._server = server
        self._log = MindLog(client)
        self._person = Person(client, self._log)
        self._differently: list[str] = []
        self._await(lambda: self._log.now.get(names.AGENT_STATE) == "READY" and "turns" in self._log.diagnostics)

    def play(self, exchanges: Sequence[Exchange]) -> list[Figure]:
        """Plays all exchanges. Returns the figures of the visit."""
        right = states = again = unasked = 0
        for exchange in exchanges:
            seen = self._plays(exchange)
            wrong = list(faults(exchange, seen))
            self._log.tell("WRONG" if wrong else "right", "; ".join(wrong))
            right += not wrong
            states += len(exchange.states) if seen.in_order(exchange) else 0
            again += seen.again(exchange)
            unasked += seen.unasked(exchange)
        self._person.close()
        photos = len(list(Path(state_directory(), "photos").glob("*.jpg")))
        wanted = sum(exchange.tools.count("take_photo") for exchange in exchanges)
        changes = sum(len(exchange.states) for exchange in exchanges)
        return [
            Figure(f"exchanges of {len(exchanges)} that came out right", right, "", len(exchanges), at_least=True),
            Figure(f"changes of state of {changes} that were seen, in order", states, "", changes, at_least=True),
            Figure("tool calls that were made twice", again + max(0, photos - wanted), "", 0),
            Figure("calls that were made without the yes they need", unasked, "", 0),
        ]

    def _plays(self, exchange: Exchange) -> Seen:
        log, first = self._log, len(self._server.chats)
        log.begin()
        log.tell("---------", exchange.shows)
        self._differently = []
        granted = log.now.get(names.GRANTS, "")
        self._server.answers[:] = exchange.model
        if exchange.service:
            self._person.use(*exchange.service)
        cancel = CancelToken()
        turn = self._person.say(exchange.says, exchange.session, cancel)
        if exchange.answers:
            self._answers(exchange)
        if exchange.interrupted_at:
            self._await(lambda: log.now[names.PLAN] == exchange.interrupted_at and self._person.began[-1:] == ["dance"])
            time.sleep(INTO)
            log.tell("PERSON", "interrupts")
            cancel.cancel()
        turn.result(PATIENCE)
        self._await(lambda: len(log.replies) >= exchange.turns and log.now.get(names.AGENT_STATE) == "READY")
        self._inspect("idle")
        requests = self._server.chats[first:]
        return Seen(log, requests, len(self._server.answers), self._differently, granted)

    def _answers(self, exchange: Exchange) -> None:
        log = self._log
        self._await(lambda: bool(log.pending))
        self._inspect("busy")
        if not exchange.killed:
            self._person.say(exchange.answers, exchange.session).result(PATIENCE)
            return
        asked = log.pending
        self._person.kill_agent()
        self._await(lambda: bool(log.pending))
        if log.pending != asked:
            self._differently.append("the question after the restart is another one")
        self._inspect("busy")
        self._person.decide(log.pending[0], exchange.yes)

    def _inspect(self, turns: str) -> None:
        """Reads the topics as a late subscriber. Waits until the diagnostics report the given state of the turns."""
        log, patience = self._log, Deadline(JOINING)
        shown = read_now(self._client, JOINING)
        log.tell("joiner", f"reads {', '.join(f'{topic} {picture}' for topic, picture in shown.items() if picture)}")
        if shown != log.now:
            self._differently.append(f"who joins is shown {shown}, not {log.now}")
        while log.diagnostics.get("turns") != turns and not patience.passed:
            self._client.pause()
        if log.diagnostics.get("turns") != turns:
            self._differently.append(f"the diagnostics do not say that turns are {turns}")

    @staticmethod
    def _await(condition: Callable[[], bool]) -> None:
        patience = Deadline(PATIENCE)
        while not condition():
            assert not patience.passed, "what the visit waits for does not come"
            time.sleep(0.02)
