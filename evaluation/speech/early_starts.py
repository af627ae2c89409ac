"""Actions that the speech recognition and the reflex start before the end of a sentence."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache

from evaluation.speech.clip import Clip
from evaluation.speech.replay import AFTER, BEFORE
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.decision import Action, Decision, DecisionKind
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.vocabulary import vocabulary_of
from reachy_agent_ros.stt.audio_input import play_to_ears
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.listener import ActivityState, Listener, ListeningActivity, SpeechHandlers
from reachy_agent_ros.stt.own_noise import OwnNoise
from reachy_agent_ros.stt.recognizer import TranscriptRejection
from reachy_agent_ros.stt.utterance import Heard
from reachy_agent_ros.stt.voice_detectors import Silero
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.tools.predefined import predefined_tools


class EarlyStarts:
    """Combination of speech recognition, reflex and the declared reversible actions of the tools, as in the graph."""

    def __init__(self) -> None:
        tools = [tool.specification for tool in predefined_tools(state_directory(), emotions(), dances())]
        self._reversible = {tool.name for tool in tools if tool.reversible}
        vocabulary = vocabulary_of({tool.name: tool.schema for tool in tools})
        free_phrasing = FreePhrasing(vocabulary, cache(SentenceEmbedder))
        free_phrasing.warm_up()
        self._reflex = CommandRecognizer(vocabulary, free_phrasing)
        self._detector, self._recognizer = Silero(), Whisper()
        self._recognizer.warm_up()

    def begun(self, clip: Clip) -> bool | None:
        """Plays a clip in real time.

        Returns:
            Whether the action started before the end is the final one; None if none was started.
        """
        drafts: list[Heard] = []
        finals: list[Heard] = []
        self._listen(clip, drafts, finals)
        begun = next((actions for draft in drafts if (actions := self._early(draft))), ())
        if not begun:
            return None
        meant = self._decide(finals[-1]).actions if finals else ()
        return tuple(begun) == meant[: len(begun)]

    def _listen(self, clip: Clip, drafts: list[Heard], finals: list[Heard]) -> None:
        state = ActivityState.IDLE

        def note(activity: ListeningActivity) -> None:
            nonlocal state
            state = activity.state

        self._detector.reset()
        listener = Listener(
            self._detector,
            self._recognizer,
            Endpointing(),
            OwnNoise(),
            SpeechHandlers(note, finals.append, _fail, drafts.append),
        )
        padded = clip.padded(BEFORE, AFTER)
        play_to_ears(padded.samples, "bench", lambda chunk: listener.hear(chunk.samples, "bench"), CancelToken())
        listener.finish()
        while state is not ActivityState.IDLE:
            time.sleep(0.01)
            listener.refresh()
        listener.close()

    def _early(self, draft: Heard) -> Sequence[Action]:
        decision = self._decide(draft)
        stops = decision.stops
        return decision.actions if stops or all(one.tool in self._reversible for one in decision.actions) else ()

    def _decide(self, heard: Heard) -> Decision:
        if heard.recognition.rejection is not TranscriptRejection.NONE:
            return Decision(DecisionKind.DEFER)
        return self._reflex.decide(heard.recognition.text)


def _fail(error: BaseException) -> None:
    raise error
