from pathlib import Path

import pytest

from scripts.recorded_moves import MOVES, recordings

RECORDINGS = dict(recordings())


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recorded_move_matches_its_score(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == RECORDINGS[path], "run scripts/recorded_moves.py"


def test_every_recorded_move_has_score() -> None:
    there = {path for folder in ("emotions", "gestures") for path in (MOVES / folder).glob("*.json")}
    assert there == RECORDINGS.keys()
