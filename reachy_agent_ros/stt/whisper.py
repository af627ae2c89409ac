"""Whisper through CTranslate2, in a window as short as the sentence, and which of its texts to believe."""

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
from reachy_agent_ros.stt.recogniser import Recognition, TranscriptRejection
from reachy_agent_ros.stt.whisper_models import model_folder

SHORTEST_WINDOW = 8.0
WINDOW_MARGIN = 4.0
LONGEST_WINDOW = 30.0
"""Seconds of spectrogram: the encoder's work grows with it, and below these the decoder starts to loop."""

LONGEST = 300.0
"""Seconds of speech at once: what does not fit into a window takes its 3 MB of spectrogram a minute whole."""

LEAD = 0.05
"""Seconds of silence put before the speech: a name with which a window begins is left out of the text. With twice as
much, a motor hum is taken for words."""

PEAK = 0.7
MOST_GAIN = 10.0
"""Quiet speech is made as loud as this part of full scale, by no more than this factor."""

TOKENS_PER_SECOND = 7
TOKENS_SPARE = 8
"""Bound on the text: nobody speaks faster, so more is a loop."""

CONTEXT = " Hey Reachy, look left. Stop! Nod twice, Reachy. Reachy, set your antennas. Thank you, Reachy."
"""What an English model is told was said before: it then no longer takes "stop" for "start", and knows the robot's
name, which it must be told more than once."""

MOST_NO_SPEECH = 0.6
LEAST_LOG_PROBABILITY = -1.0
"""Either bound alone rejects: Whisper's own rule wants both and lets a seventh of the noise through."""

DOUBT = (0.05, 0.2)
SURE_LOG_PROBABILITY = -0.35
"""Probabilities that nobody speaks between which a text must be surer and surer, up to that. Of 174 clips of speech all
are; of what a minute of servos is taken for, hardly anything."""

HALT = re.compile(r"\W*(?:stop|wait)(?:\W+(?:stop|wait))*\W*", re.IGNORECASE)
HALT_LOG_PROBABILITY = -0.8
"""Alone it needs not be as sure: to hold for nothing is a smaller mistake than not to hold. Stops that were called over
the robot's voice got -0.79 and more, most coughs that were written as one less."""

WORD = re.compile(r"\w\w|\d|\bI\b")
"""Without one of these a text is a noise spelt out: "R-", "W-W"."""

SINGLE_REPEATS = 4
"""From this many on, repeats of a single token are a loop: "no, no, no" is speech."""

CUT_OVERLAP = 2
"""From this many tokens on, the start of a sentence said again is a loop, where the decoder was cut off there."""


class Whisper:
    """A Whisper model in CTranslate2's format.

    The stock path pads every sentence to 30 s; the window here is 8 s for a short sentence, a fifth of the work. The
    price is a decoder that loops now and then, which the token bound and `without_repeated_tail` take back. Speech
    that is too long for any window takes the stock path.

    Args:
        model: "tiny.en" or "base", which come in packages and are checked first, or a converted model's folder.
        cpu_threads: Threads of one decode; a second one costs half as much again and hardly saves time.
        language: IETF tag of what is spoken; other than "en" only for a multilingual model.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: not there, not the pinned files, not a Whisper model, or one that does not
            know the language.
    """

    def __init__(self, model: str = "tiny.en", cpu_threads: int = 1, language: str = "en") -> None:
        folder = model_folder(model)
        self._whole = _load(folder, cpu_threads)
        self._model = self._whole.model
        self._tokens = self._whole.hf_tokenizer
        self._language = language
        if language not in self._whole.supported_languages:
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"The model in {folder} does not know {language!r}.")
        self._prompt = self._prompt_tokens()

    @property
    def longest(self) -> float:
        """Seconds of speech it takes at once."""
        return LONGEST

    def warm_up(self) -> None:
        """Decodes a second of silence: the first call costs half as much again."""
        self.recognise(np.zeros(SAMPLE_RATE, np.int16))

    def recognise(self, samples: Samples) -> Recognition:
        """Recognises 16 kHz mono speech; what is longer than `longest` is cut off."""
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
        # The score is a mean over the tokens but holds the end's share too; without this, one word looks like noise.
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
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"The model's tokenizer does not know {name}.")
        return token

    def _generate(
        self, samples: Samples, seconds: float, most_tokens: int
    ) -> ctranslate2.models.WhisperGenerationResult:
        window = math.ceil(max(SHORTEST_WINDOW, seconds + WINDOW_MARGIN))
        # The sound is padded, not the spectrogram: the model knows silence by its logarithm's floor, not by zeros.
        audio = np.zeros(window * SAMPLE_RATE, np.float32)
        heard = audio[int(LEAD * SAMPLE_RATE) :][: samples.size]
        heard[:] = samples[: heard.size] / np.float32(FULL_SCALE)
        audio *= min(MOST_GAIN, PEAK / max(1e-6, float(np.abs(audio).max())))
        features = ctranslate2.StorageView.from_array(self._whole.feature_extractor(audio, padding=0)[None])
        return self._model.generate(
            self._model.encode(features),
            [self._prompt],
            beam_size=1,
            # CTranslate2 generates as many tokens as the prompt leaves of this, but no more than half of it.
            max_length=max(2 * most_tokens, most_tokens + len(self._prompt)),
            return_scores=True,
            return_no_speech_prob=True,
        )[0]


class _Decoded(NamedTuple):
    """What the decoder wrote: natural logarithm a token, and the probability, 0..1, that nobody speaks."""

    text: str
    log_probability: float = 0.0
    no_speech: float = 1.0


def _load(folder: Path, cpu_threads: int) -> WhisperModel:
    # OpenBLAS would wake threads for the small matrices of a spectrogram, and they spin for as long as a decode takes.
    threadpool_limits(1, user_api="blas")
    # The library would fetch from the network what is not there.
    if not (folder / "tokenizer.json").is_file():
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"{folder} is no usable Whisper model: it has no tokenizer.json.")
    try:
        return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=cpu_threads)
    except (RuntimeError, ValueError, OSError) as error:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"{folder} is no usable Whisper model: {error}") from error


def _decode_long(model: WhisperModel, samples: Samples, language: str) -> _Decoded:
    """Decodes 16 kHz mono speech 30 s at a time, each time from the end of the last whole sentence.

    Nobody waits for it, so it may search wider and try again where it repeats itself.
    """
    # A text that it once got wrong would be carried on to the end if each part were told of the one before.
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
    """Whether and why a text is not to be believed.

    Args:
        text: What was written.
        log_probability: Natural logarithm, mean a token.
        no_speech: Probability, 0..1, that nobody speaks.
    """
    if not any(character.isalnum() for character in text):
        return TranscriptRejection.EMPTY
    doubtful = no_speech > MOST_NO_SPEECH or log_probability < _least(text, no_speech)
    return TranscriptRejection.NOISE if doubtful or WORD.search(text) is None else TranscriptRejection.NONE


def without_repeated_tail(tokens: Sequence[int], *, cut_off: bool) -> list[int]:
    """Drops the tail of a token sequence that only says again what stands right before it.

    Whisper decoded with a window shorter than its training's 30 s sometimes misses the end of the sentence and says
    it again until its tokens run out, the last time cut short.

    Args:
        tokens: As decoded.
        cut_off: Whether the decoder was stopped by its bound instead of ending by itself.

    Returns:
        A prefix of `tokens`: all of them where nothing is repeated.
    """
    for period in range(1, len(tokens)):
        repeated = _overlap(tokens, period)
        enough = SINGLE_REPEATS if period == 1 else min(period, CUT_OVERLAP) if cut_off else period
        if repeated >= enough:
            return list(tokens[: len(tokens) - repeated])
    return list(tokens)


def _least(text: str, no_speech: float) -> float:
    """Of the log probabilities that are believed."""
    if HALT.fullmatch(text):
        return HALT_LOG_PROBABILITY if no_speech > DOUBT[1] else LEAST_LOG_PROBABILITY
    return float(np.interp(no_speech, DOUBT, (LEAST_LOG_PROBABILITY, SURE_LOG_PROBABILITY)))


def _overlap(tokens: Sequence[int], period: int) -> int:
    """Length of the run at the end of the tokens in which each equals the token `period` places before it."""
    count = 0
    while count < len(tokens) - period and tokens[-1 - count] == tokens[-1 - count - period]:
        count += 1
    return count
