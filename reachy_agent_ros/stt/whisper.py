"""Whisper recognizer (CTranslate2) with short windows, and rejection of unreliable transcriptions."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import ctranslate2
import numpy as np
from faster_whisper import WhisperModel
from threadpoolctl import threadpool_limits

from reachy_agent_ros.audio.samples import FULL_SCALE, SAMPLE_RATE, Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.stt.recognizer import Recognition, TranscriptRejection
from reachy_agent_ros.stt.whisper_models import model_folder

SHORTEST_WINDOW = 8.0
WINDOW_MARGIN = 4.0
LONGEST_WINDOW = 30.0
"""Length of the spectrogram, s: the encoder's time is proportional to it. If it is shorter, the decoder loops."""

LONGEST = 300.0
"""Maximum length of speech, s: speech longer than a window takes 3 MB of spectrogram per minute."""

LEAD = 0.05
"""Silence before the speech, s: without it, a name at the start of a window is missing from the text. With twice as
much, motor hum is transcribed as words."""

PEAK = 0.7
MOST_GAIN = 10.0
"""Target peak of speech as a fraction of full scale, and the maximum gain to reach it."""

TOKENS_PER_SECOND = 7
TOKENS_SPARE = 8
"""Limits of the text length: no speaker is faster, so a longer text is a decoding loop."""

CONTEXT = " Hey Reachy, look left. Stop! Nod twice, Reachy. Reachy, set your antennas. Thank you, Reachy."
"""Previous text given to the model for English speech, so that it does not confuse "stop" with "start" and knows the
robot's name, which must occur more than once."""

MOST_NO_SPEECH = 0.6
LEAST_LOG_PROBABILITY = -1.0
"""Thresholds for rejection, each of which is sufficient. Whisper's rule requires both and accepts a seventh of the
noise."""

DOUBT = (0.05, 0.2)
SURE_LOG_PROBABILITY = -0.35
"""Range of the no-speech probability over which the minimum log probability rises to `SURE_LOG_PROBABILITY`. It accepts
all of 174 clips of speech, and hardly any transcription of a minute of servo noise."""

HALT = re.compile(r"\W*(?:stop|wait)(?:\W+(?:stop|wait))*\W*", re.IGNORECASE)
HALT_LOG_PROBABILITY = -0.8
"""Minimum log probability of "stop" or "wait" alone if the no-speech probability is above the range `DOUBT`, which is
lower because stopping needlessly is the smaller mistake. Stops called over the robot's voice had -0.79 or more; most
coughs transcribed as "stop" had less."""

WORD = re.compile(r"\w\w|\d|\bI\b")
"""Match required in a text; otherwise the text is a spelled-out noise such as "R-" or "W-W"."""

SINGLE_REPEATS = 4
"""Number of repetitions of a single token that counts as a decoding loop: "no, no, no" is speech."""

CUT_OVERLAP = 2
"""Number of repeated tokens at the start of a sentence that counts as a loop if the decoder was cut off there."""


class Whisper:
    """Speech recognizer that uses a Whisper model in CTranslate2 format.

    Whisper normally pads every sentence to 30 s. Here, the window is 8 s for a short sentence, which takes a fifth of
    the time. As a drawback, the decoder sometimes loops, which the token limit and `without_repeated_tail` correct.
    Speech that is too long for a window is decoded in the normal way.

    Args:
        model: "tiny.en" or "base", which are packaged and verified, or the folder of a converted model.
        cpu_threads: Number of threads for decoding. A second thread takes 50 % more CPU time and hardly saves time.
        language: IETF tag of the spoken language; other than "en" only for a multilingual model.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the model is missing, does not match the pinned files, is not a Whisper
            model, or does not know the language; `STORAGE_FAILED` if "base" has no cache directory.
    """

    def __init__(self, model: str = "tiny.en", cpu_threads: int = 1, language: str = "en") -> None:
        folder = model_folder(model)
        self._whole = _load(folder, cpu_threads)
        self._model = self._whole.model
        self._tokens = self._whole.hf_tokenizer
        self._language = language
        if language not in self._whole.supported_languages:
            message = f"The model in {folder} does not support the language {language!r}."
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message)
        self._prompt = self._prompt_tokens()

    @property
    def longest(self) -> float:
        """Maximum length of an utterance (s)."""
        return LONGEST

    def warm_up(self) -> None:
        """Decodes 1 s of silence as a warm-up, because the first call takes 50 % longer than later calls."""
        self.recognize(np.zeros(SAMPLE_RATE, np.int16))

    def recognize(self, samples: Samples) -> Recognition:
        """Transcribes 16 kHz mono speech, truncated to `longest`."""
        start = time.monotonic()
        seconds = samples.size / SAMPLE_RATE
        if seconds > LONGEST_WINDOW - WINDOW_MARGIN:
            decoded = _decode_long(self._whole, samples[: int(LONGEST * SAMPLE_RATE)], self._language)
        else:
            decoded = self._decode_short(samples, seconds)
        return Recognition(
            text=decoded.text,
            rejection=rejection_of(*decoded),
            average_log_probability=decoded.log_probability,
            no_speech_probability=decoded.no_speech,
            language=self._language,
            decode_time=time.monotonic() - start,
        )

    def _decode_short(self, samples: Samples, seconds: float) -> _Decoded:
        most = int(TOKENS_PER_SECOND * seconds) + TOKENS_SPARE
        generated = self._generate(samples, seconds, most)
        decoded = generated.sequences_ids[0]
        spoken = without_repeated_tail(decoded, cut_off=len(decoded) >= most)
        text = self._tokens.decode(spoken, skip_special_tokens=True).strip()
        # CTranslate2 adds the end token's score, but divides by the other tokens only: one word would look like noise.
        log_probability = float(generated.scores[0]) * len(decoded) / (len(decoded) + 1)
        return _Decoded(text, log_probability, float(generated.no_speech_prob))

    def _prompt_tokens(self) -> list[int]:
        languages = [f"<|{self._language}|>", "<|transcribe|>"] if self._model.is_multilingual else []
        start = [self._token(name) for name in ("<|startoftranscript|>", *languages, "<|notimestamps|>")]
        if self._language != "en":
            return start
        return [self._token("<|startofprev|>"), *self._tokens.encode(CONTEXT, add_special_tokens=False).ids, *start]

    def _token(self, name: str) -> int:
        token: int | None = self._tokens.token_to_id(name)
        if token is None:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"The model's tokenizer has no token {name}.")
        return token

    def _generate(
        self, samples: Samples, seconds: float, most_tokens: int
    ) -> ctranslate2.models.WhisperGenerationResult:
        window = math.ceil(max(SHORTEST_WINDOW, seconds + WINDOW_MARGIN))
        # The sound is padded, not the spectrogram: in the latter, silence is the floor of the logarithm, not zero.
        audio = np.zeros(window * SAMPLE_RATE, np.float32)
        heard = audio[int(LEAD * SAMPLE_RATE) :][: samples.size]
        heard[:] = samples[: heard.size] / np.float32(FULL_SCALE)
        audio *= min(MOST_GAIN, PEAK / max(1e-6, float(np.abs(audio).max())))
        features = ctranslate2.StorageView.from_array(self._whole.feature_extractor(audio, padding=0)[None])
        return self._model.generate(
            self._model.encode(features),
            [self._prompt],
            beam_size=1,
            # CTranslate2 generates as many tokens as the prompt leaves of this, but at most half of it.
            max_length=max(2 * most_tokens, most_tokens + len(self._prompt)),
            return_scores=True,
            return_no_speech_prob=True,
        )[0]


class _Decoded(NamedTuple):
    """Result of the decoder: text, mean log probability per token, and no-speech probability (0 to 1)."""

    text: str
    log_probability: float = 0.0
    no_speech: float = 1.0


def _load(folder: Path, cpu_threads: int) -> WhisperModel:
    # OpenBLAS would start threads for the small matrices of a spectrogram, which spin for as long as decoding takes.
    threadpool_limits(1, user_api="blas")
    # The library would download missing files.
    if not (folder / "tokenizer.json").is_file():
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"{folder} is not a Whisper model: no tokenizer.json.")
    try:
        return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=cpu_threads)
    except (RuntimeError, ValueError, OSError) as error:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"{folder} is not a usable Whisper model: {error}") from error


def _decode_long(model: WhisperModel, samples: Samples, language: str) -> _Decoded:
    """Decodes 16 kHz mono speech in windows of 30 s. Each window starts after the last complete sentence.

    Time does not matter here, so the decoder may use a wider beam and retry where it repeats itself.
    """
    # With the previous text as a prompt, an error would propagate to the end.
    found, _ = model.transcribe(samples / np.float32(FULL_SCALE), language=language, condition_on_previous_text=False)
    parts = list(found)
    if not parts:
        return _Decoded("")
    lengths = [part.end - part.start for part in parts]
    return _Decoded(
        " ".join(part.text.strip() for part in parts),
        float(np.average([part.avg_logprob for part in parts], weights=lengths)),
        float(np.average([part.no_speech_prob for part in parts], weights=lengths)),
    )


def rejection_of(text: str, log_probability: float, no_speech: float) -> TranscriptRejection:
    """Returns the reason for rejecting a transcript, or `NONE`.

    Args:
        text: Transcription.
        log_probability: Mean natural logarithm of the tokens' probabilities.
        no_speech: Probability that there is no speech, 0 to 1.
    """
    if not any(character.isalnum() for character in text):
        return TranscriptRejection.EMPTY
    doubtful = no_speech > MOST_NO_SPEECH or log_probability < _least(text, no_speech)
    return TranscriptRejection.NOISE if doubtful or WORD.search(text) is None else TranscriptRejection.NONE


def without_repeated_tail(tokens: Sequence[int], *, cut_off: bool) -> list[int]:
    """Removes repetitions from the end of a token sequence.

    With a window shorter than the 30 s of its training, Whisper sometimes misses the end of the sentence and repeats it
    until the token limit, the last time truncated.

    Args:
        tokens: Decoded tokens.
        cut_off: Whether the decoder was stopped by the token limit.

    Returns:
        A prefix of `tokens`; all of them if nothing is repeated.
    """
    for period in range(1, len(tokens)):
        repeated = _overlap(tokens, period)
        enough = SINGLE_REPEATS if period == 1 else min(period, CUT_OVERLAP) if cut_off else period
        if repeated >= enough:
            return list(tokens[: len(tokens) - repeated])
    return list(tokens)


def _least(text: str, no_speech: float) -> float:
    """Returns the minimum mean log probability per token for accepting a text."""
    if HALT.fullmatch(text):
        return HALT_LOG_PROBABILITY if no_speech > DOUBT[1] else LEAST_LOG_PROBABILITY
    return float(np.interp(no_speech, DOUBT, (LEAST_LOG_PROBABILITY, SURE_LOG_PROBABILITY)))


def _overlap(tokens: Sequence[int], period: int) -> int:
    """Returns how many tokens at the end of a sequence are equal to the token `period` positions earlier."""
    count = 0
    while count < len(tokens) - period and tokens[-1 - count] == tokens[-1 - count - period]:
        count += 1
    return count
