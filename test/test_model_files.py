"""Tests that every function that loads a model rejects files with a wrong checksum."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from reachy_agent_ros.core import embedding, multilingual_embedding
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.multilingual_embedding import MultilingualEmbedder
from reachy_agent_ros.core.weights import PackagedWeights
from reachy_agent_ros.learning.advisor import choice
from reachy_agent_ros.learning.reward import reward_model
from reachy_agent_ros.learning.reward.reward_model import RewardModel
from reachy_agent_ros.nlu import topic_classifier
from reachy_agent_ros.nlu.stop import classifier as stop_classifier
from reachy_agent_ros.nlu.stop.classifier import StopClassifier
from reachy_agent_ros.nlu.templates import intent_classifier
from reachy_agent_ros.nlu.templates.intent_classifier import IntentClassifier
from reachy_agent_ros.nlu.topic_classifier import TopicClassifier
from reachy_agent_ros.nlu.turn import completeness
from reachy_agent_ros.nlu.turn.completeness import CompletenessClassifier
from reachy_agent_ros.robot import head_clearance
from reachy_agent_ros.robot.head_clearance import HeadClearance
from reachy_agent_ros.stt.smart_turn import SMART_TURN, SmartTurn
from reachy_agent_ros.stt.voice_detectors import SILERO, Silero
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.stt.whisper_models import BASE, TINY_EN
from reachy_agent_ros.tts.voice import JOE, Piper
from reachy_agent_ros.vision import desk_detector
from reachy_agent_ros.vision.desk_detector import DeskDetector
from reachy_agent_ros.vision.face_detector import CENTERFACE, FaceDetector

PACKAGE = Path(__file__).resolve().parent.parent / "reachy_agent_ros"

PACKAGED: dict[str, tuple[PackagedWeights, Callable[[], object]]] = {
    "whisper tiny.en": (TINY_EN, Whisper),
    "whisper base, its first part": (BASE[0], lambda: Whisper("base")),
    "whisper base, its second part": (BASE[1], lambda: Whisper("base")),
    "voice detector": (SILERO, Silero),
    "end of turn by sound": (SMART_TURN, SmartTurn),
    "voice": (JOE, Piper),
    "sentence embedder": (embedding.WEIGHTS, SentenceEmbedder),
    "multilingual sentence embedder": (multilingual_embedding.WEIGHTS, MultilingualEmbedder),
    "desk detector": (desk_detector.WEIGHTS, DeskDetector),
    "face detector": (CENTERFACE, FaceDetector),
}

embedder = cache(SentenceEmbedder)
multilingual_embedder = cache(MultilingualEmbedder)

BESIDE: dict[str, tuple[ModuleType, str, Callable[[], object]]] = {
    "reward model": (reward_model, "FILE", lambda: RewardModel(embedder())),
    "its directions": (reward_model, "DIRECTIONS_FILE", lambda: RewardModel(embedder())),
    "stop classifier": (stop_classifier, "FILE", StopClassifier),
    "completeness": (completeness, "FILE", CompletenessClassifier),
    "topics of small talk": (topic_classifier, "FILE", lambda: TopicClassifier(embedder())),
    "intents": (intent_classifier, "FILE", lambda: IntentClassifier(multilingual_embedder())),
    "clearance of the head": (head_clearance, "FILE", HeadClearance),
    "axes of the advisor": (choice, "FILE", lambda: choice.topics(np.zeros(384, np.float32))),
}

LOADING = {
    "storage/packed_arrays.py": "its callers check the file first",
    "stt/smart_turn.py": "here",
    "stt/voice_detectors.py": "here",
    "stt/whisper.py": "here; a user's folder: test/core/test_weights.py",
    "learning/advisor/choice.py": "here",
    "learning/correction/policy_store.py": "test/learning/correction/test_policy_store.py",
    "learning/evaluation/contender.py": "the user names the file for an evaluation; it may only contain arrays",
    "learning/reward/heads.py": "here; a user's: test/learning/reward/test_personalisation.py",
    "learning/training/checkpoint.py": "test/learning/training/test_checkpoint.py",
    "core/embedding.py": "here",
    "core/multilingual_embedding.py": "here",
    "core/onnx_session.py": "its callers check the file before they load it",
    "nlu/subwords.py": "here, as the stop classifier, completeness and the intent classifier",
    "nlu/topic_classifier.py": "here",
    "robot/head_clearance.py": "here",
    "vision/desk_detector.py": "here",
    "vision/face_detector.py": "here",
    "vision/onnx_detector.py": "test/vision/test_onnx_detector.py",
    "tts/vits.py": "here; its parts: test/tts/test_vits_parts.py",
    "tts/vits_parts.py": "here, its input; test/tts/test_vits_parts.py, its cached output",
}
"""Modules that load models, with the test of their checksum or the reason why there is none."""

_LOADERS = {
    *(
        "InferenceSession",
        "onnx_session",
        "WhisperModel",
        "safe_open",
        "np.load",
        "read_arrays",
        "onnx.load",
        "Tokenizer.from_file",
    ),
    *("pickle.load", "pickle.loads", "torch.load", "joblib.load", "YOLO", "WebRtcVad", "PiperVoice.load"),
}


def changed(source: Path, target: Path) -> None:
    """Copies a file and flips one bit in the middle of the copy."""
    content = bytearray(source.read_bytes())
    content[len(content) // 2] ^= 1
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def install(package: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Makes Python find a package in another folder."""
    found = importlib.util.find_spec
    other = SimpleNamespace(submodule_search_locations=[str(folder)])
    patch.setattr(importlib.util, "find_spec", lambda name: other if name == package else found(name))


@pytest.mark.parametrize("name", PACKAGED)
def test_rejects_packaged_model_with_flipped_bit(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights, load = PACKAGED[name]
    if importlib.util.find_spec(weights.package) is None:
        pytest.skip(f"{weights.package} is not installed")
    monkeypatch.setenv("REACHY_AGENT_CACHE", str(tmp_path / "cache"))
    original = weights.verified()
    for file in weights.sha256:
        copy = tmp_path / file / weights.folder
        changed(original / file, copy / file)
        for other in weights.sha256.keys() - {file}:
            (copy / other).symlink_to(original / other)
        with monkeypatch.context() as patch:
            install(weights.package, tmp_path / file, patch)
            refused(load, file)


@pytest.mark.parametrize("name", BESIDE)
def test_rejects_bundled_model_with_flipped_bit(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, constant, load = BESIDE[name]
    file: Path = getattr(module, constant)
    changed(file, tmp_path / file.name)
    choice._axes.cache_clear()
    head_clearance._read_table.cache_clear()
    monkeypatch.setattr(module, constant, tmp_path / file.name)
    refused(load, file.name)


def refused(load: Callable[[], object], file: str) -> None:
    with pytest.raises(AgentError, match="is not the pinned file") as refusal:
        load()
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE
    assert file in refusal.value.message


@pytest.mark.slow
def test_every_module_that_loads_models_is_listed() -> None:
    loading = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if not path.is_relative_to(PACKAGE / "tool_generation") and loads(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert loading == LOADING.keys()


def loads(tree: ast.AST) -> bool:
    """Returns whether a module calls a function that loads models.

    The function is recognized by the end of its dotted name.
    """
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return any({call.rpartition(".")[2], ".".join(call.split(".")[-2:])} & _LOADERS for call in calls)
