"""The page about the moves is current, and so are its pictures' names."""

import re

import pytest
from contact_sheet import PICTURES, telling_moments
from PIL import Image
from vocabulary_document import DOCUMENT, document

from reachy_agent_ros.motion.emotion import emotion, emotions


def test_the_document_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run scripts/vocabulary_document.py"


def test_its_pictures_are_there_and_small() -> None:
    pictures = [DOCUMENT.parent / name for name in re.findall(r"\]\((\w+\.png)\)", document())]
    assert len(pictures) == 2
    for path in pictures:
        with Image.open(path) as picture:
            assert picture.width > 500
    assert sum(path.stat().st_size for path in pictures) < 1_500_000


@pytest.mark.parametrize("name", emotions())
def test_the_moments_drawn_are_different_ones_in_order(name: str) -> None:
    moments = telling_moments(emotion(name))
    assert len(set(moments)) == PICTURES
    assert moments == sorted(moments)
