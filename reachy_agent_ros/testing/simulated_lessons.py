"""Learning from feedback and demonstrations with a simulated robot, as in the graph."""

from __future__ import annotations

import logging
import math
from contextlib import AbstractContextManager
from pathlib import Path

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.learning.action_record import ActJournal
from reachy_agent_ros.learning.correction.learner import OnlineLearner, PolicyCache, judged_act
from reachy_agent_ros.learning.correction.performance import PERFORMED, GazeDistance, performed
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import DISTANCE, MAKE_GESTURE, USUAL
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.sources import add_given_actions
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder, is_judgment
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource, judgment_from
from reachy_agent_ros.learning.imitation.taught_skill import StoredRepertoire
from reachy_agent_ros.learning.reward.instruction import is_instruction
from reachy_agent_ros.learning.reward.reward_model import RewardModel
from reachy_agent_ros.learning.score import Score, Sign
from reachy_agent_ros.testing.scenario import ShownPosture, ShownSkill
from reachy_agent_ros.tools.call import ToolRequest
from reachy_agent_ros.tools.execution_style import ExecutionStyle

_SEED = 0
"""Random seed of learning, which makes scenarios repeatable."""

_EPISODES = 60
_CONTENT = 0.6
"""Rating of gestures before the scenario."""

_log = logging.getLogger(__name__)


class SimulatedLessons:
    """Reward model and learners of a simulated robot, and their files. In the graph, they run in separate nodes.

    Args:
        folder: Folder of the learned data.

    Attributes:
        repertoire: Taught skills.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        policies = folder / "policies"
        self._learners = {skill.name: OnlineLearner(skill, PolicyStore(policies), seed=_SEED) for skill in PERFORMED}
        self._habits = PolicyCache(policies, PERFORMED, _log.warning)
        self._looked_at = GazeDistance()
        self._store = FeedbackStore(folder / "feedback.db")
        self._recorder = FeedbackRecorder(self._store, RewardModel(SentenceEmbedder()), is_instruction)
        self._journal = ActJournal(self._recorder.note_act)
        self.repertoire = StoredRepertoire(policies)

    @property
    def ways(self) -> int:
        """Number of different variations of gestures that the robot has made."""
        made = [act for act in self._store.acts() if act.skill == MAKE_GESTURE.name]
        return len({tuple(sorted(act.action.items())) for act in made})

    def perform(self, request: ToolRequest) -> AbstractContextManager[ExecutionStyle]:
        """Returns the context manager for one tool call. Implements `tools.call.Perform`."""
        return performed(request, self._journal, self._habits, self._looked_at)

    def hear(self, text: str, given: float, obeyed: bool) -> None:
        """Learns from a sentence if it praises or criticizes the robot.

        Args:
            text: The sentence.
            given: Time of the sentence, s since the epoch.
            obeyed: Whether the reflex interpreted the sentence as a command.
        """
        try:
            reward = self._recorder.overhear(judgment_from(FeedbackSource.TEXT, text, given=given), obeyed)
            if is_judgment(reward.score, obeyed):
                act = judged_act(reward.score, [credit.act for credit in reward.credits])
                self._learners[act.skill].learn(act, reward.score)
        except AgentError as error:
            if error.code is not ErrorCode.NO_DATA:  # there was no action to judge
                raise

    def rate_gestures(self, count: int) -> None:
        """Makes `count` gestures and rates each of them as positive."""
        learner = self._learners[MAKE_GESTURE.name]
        for _ in range(count):
            learner.learn(learner.act({DISTANCE: USUAL}), Score(Sign.POSITIVE, _CONTENT, 1.0))

    def show(self, shown: ShownSkill) -> None:
        """Stores a demonstration and trains a skill on it. The training takes a minute of CPU time.

        Raises:
            AgentError: The errors of `add_given_actions` and `Teaching.train`; `MODEL_UNAVAILABLE` if a package for
                training is not installed.
        """
        try:
            from reachy_agent_ros.learning.imitation.teaching import Teaching
            from reachy_agent_ros.learning.training.configuration import Algorithm
        except ModuleNotFoundError as missing:
            message = f"{missing.name} is not installed. Run scripts/setup --learning."
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from None
        times = [posture.at for posture in shown.postures]
        postures = [_pose(posture) for posture in shown.postures]
        demonstrations = Demonstrations(self._folder / "demonstrations")
        add_given_actions(demonstrations, shown.skill, shown.prompt, times, postures)
        Teaching(self._folder).train(shown.skill, Algorithm.CLONING, _EPISODES, _SEED)

    def close(self) -> None:
        """Closes the feedback store."""
        self._store.close()


def _pose(posture: ShownPosture) -> BodyPose:
    angles = (math.radians(angle) for angle in (posture.roll_deg, posture.pitch_deg, posture.yaw_deg))
    antennas = math.radians(posture.antenna_right_deg), math.radians(posture.antenna_left_deg)
    return BodyPose(head_transform(*angles), *antennas)
