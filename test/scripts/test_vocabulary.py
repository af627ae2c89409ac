"""Tests that the generated page about moves is up to date and that its images exist."""

import re

import numpy as np
import pytest
from PIL import Image

from scripts.contact_sheet import PICTURES, telling_moments
from scripts.vocabulary_document import DOCUMENT, document


@pytest.mark.slow
def test_vocabulary_page_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run scripts/vocabulary_document.py"


def test_vocabulary_images_exist_and_are_small() -> None:
    names = re.findall(r"\]\(\.\./images/(\w+\.png)\)", document())
    pictures = [DOCUMENT.parents[1] / "images" / name for name in names]
    assert len(pictures) == 2
    for path in pictures:
        with Image.open(path) as picture:
            assert picture.width > 500
    assert sum(path.stat().st_size for path in pictures) < 1_500_000


def test_contact_sheet_selects_most_different_moments_in_chronological_order() -> None:
    values = np.zeros((100, 9))
    values[10:20, 4], values[30:40, 4], values[50:60, 5], values[70:80, 3] = 0.4, -0.4, 0.4, 0.4
    moments = telling_moments(values)
    assert len(moments) == PICTURES
    assert moments == sorted(moments)
    assert {10, 30, 50, 70} < set(moments)
