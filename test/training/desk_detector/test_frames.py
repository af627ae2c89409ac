from pathlib import Path

import numpy as np
import pytest

from training.desk_detector.frames import read_shards, write_shard


@pytest.mark.slow
def test_shard_contains_labeled_images_and_is_created_once(tmp_path: Path) -> None:
    path = write_shard(tmp_path, 3, size=4)
    images, labels = read_shards([path])
    assert (images.shape, images.dtype) == ((4, 240, 320, 3), np.uint8)
    objects = labels[labels[:, :, 0] >= 0]
    assert len(objects) > 0
    assert np.all(objects[:, 1] < objects[:, 3])
    assert np.all(objects[:, 2] < objects[:, 4])
    assert np.all((objects[:, 5:7] >= 0.0) & (objects[:, 5:7] <= 1.0))
    written = path.stat().st_mtime_ns
    assert write_shard(tmp_path, 3, size=4).stat().st_mtime_ns == written
