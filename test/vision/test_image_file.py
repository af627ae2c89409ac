from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.image_file import FORMATS, decode_image, read_image
from support.huge_png import huge_png


def encoded(kind: str, size: tuple[int, int] = (8, 6), mode: str = "RGB") -> bytes:
    buffer = io.BytesIO()
    PillowImage.new(mode, size, 128).save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize("kind", FORMATS)
def test_reads_every_supported_image_format(kind: str) -> None:
    assert decode_image(encoded(kind, mode="L")).shape == (6, 8, 3)


def test_image_reader_applies_exif_orientation(tmp_path: Path) -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = 6  # EXIF orientation: a rotation by 90 degrees
    PillowImage.new("RGB", (8, 6)).save(tmp_path / "turned.jpg", exif=exif)
    assert read_image(tmp_path / "turned.jpg").shape == (8, 6, 3)
    assert decode_image((tmp_path / "turned.jpg").read_bytes()).shape == (8, 6, 3)


def test_rejects_image_formats_that_run_external_programs(tmp_path: Path) -> None:
    with pytest.raises(AgentError) as caught:
        decode_image(encoded("EPS"))
    assert caught.value.message == "The picture is not an image."


@pytest.mark.parametrize("side", [8_000, 60_000])
def test_rejects_huge_image_without_decoding(side: int) -> None:
    data = huge_png(side)
    with pytest.raises(AgentError) as caught:
        decode_image(data)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    assert "too large" in caught.value.message or "exceeds limit" in caught.value.message


@settings(max_examples=50, deadline=None)
@given(kind=st.sampled_from(FORMATS), place=st.floats(0.0, 1.0), junk=st.binary(min_size=1, max_size=30))
def test_damaged_image_is_read_or_raises_agent_error(kind: str, place: float, junk: bytes) -> None:
    data = encoded(kind, (40, 30))
    start = int(place * len(data))
    with suppress(AgentError):
        assert np.isfinite(decode_image(data[:start] + junk + data[start + len(junk) :])).all()
