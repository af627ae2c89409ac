"""Tests that train the desk detector for a few seconds. They require torch."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from numpy.typing import NDArray

from training.desk_detector.frames import Labels, read_shards, write_shard

torch = pytest.importorskip("torch")
batches = pytest.importorskip("training.desk_detector.batches")
export = pytest.importorskip("training.desk_detector.export")
loss = pytest.importorskip("training.desk_detector.loss")
train = pytest.importorskip("training.desk_detector.train")

Frames = tuple[NDArray[np.uint8], Labels]


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Frames:
    return read_shards([write_shard(tmp_path_factory.mktemp("frames"), 0, size=12)])


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "BATCH", 4)


@pytest.mark.nightly
def test_training_reduces_loss_of_network(frames: Frames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "WARM_UP", 5)
    training = train.Training(steps=60)
    losses = [training.advance(*frames) for _ in range(60)]
    assert np.mean(losses[-20:]) < 0.85 * np.mean(losses[:10])


@pytest.mark.nightly
def test_interrupted_training_resumes_with_same_result(frames: Frames, tmp_path: Path) -> None:
    whole, first, rest = (train.Training(steps=4) for _ in range(3))
    for _ in range(4):
        whole.advance(*frames)
    for _ in range(2):
        first.advance(*frames)
    first.save(tmp_path / "checkpoint.pt")
    rest.load(tmp_path / "checkpoint.pt")
    for _ in range(2):
        rest.advance(*frames)
    for expected, actual in zip(whole.average.parameters(), rest.average.parameters(), strict=True):
        torch.testing.assert_close(expected, actual)


@pytest.mark.slow
def test_exported_network_gives_same_output_as_trained_network(frames: Frames, tmp_path: Path) -> None:
    network = train.Training(steps=1).average
    export.export(network, tmp_path / "net.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "net.onnx"), providers=["CPUExecutionProvider"])
    quality, distances = session.run(None, {"image": frames[0][:1]})
    with torch.no_grad():
        logits, expected = network(torch.from_numpy(frames[0][:1]).permute(0, 3, 1, 2).float() / 255.0)
    np.testing.assert_allclose(quality, logits.sigmoid(), atol=1e-4)
    np.testing.assert_allclose(distances, expected, rtol=1e-3)


def test_boxes_match_objects_in_random_crops() -> None:
    image = np.zeros((1, 240, 320, 3), np.uint8)
    image[0, 100:140, 150:210] = 255
    labels = np.array([[[1.0, 150.0, 100.0, 210.0, 140.0, 1.0, 1.0, 2400.0]]], np.float32)
    taken = batches.batch(np.random.default_rng(0), image, labels, 16, 192, 160)
    assert taken.images.shape == (16, 3, 160, 192)
    for picture, box, learn in zip(taken.images, taken.boxes[:, 0], taken.learn[:, 0], strict=True):
        rows, columns = np.nonzero(picture[0].numpy() > 0.4)
        if learn:
            drawn = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
            assert box.tolist() == pytest.approx(drawn, abs=2.0)
    assert taken.learn.any()


def test_box_overlap_is_intersection_over_union() -> None:
    first, second = torch.tensor([0.0, 0.0, 2.0, 2.0]), torch.tensor([1.0, 0.0, 3.0, 2.0])
    assert loss.overlap(first, second).item() == pytest.approx(1 / 3)
    assert loss.generalized_overlap(first, second).item() == pytest.approx(1 / 3)
    apart = torch.tensor([4.0, 0.0, 6.0, 2.0])
    assert loss.generalized_overlap(first, apart).item() == pytest.approx(-1 / 3)


def test_correct_prediction_has_lower_loss_than_wrong_prediction() -> None:
    boxes, kinds = torch.tensor([[[16.0, 16.0, 40.0, 40.0]]]), torch.tensor([[2]])
    learn = torch.tensor([[True]])
    centers = loss.cell_centers(8, 8)
    sides = torch.cat((centers - boxes[0, 0, :2], boxes[0, 0, 2:] - centers), dim=1).T.reshape(1, 4, 8, 8)
    inside = (sides > 0).all(dim=1)
    right, wrong = torch.full((1, 3, 8, 8), -8.0), torch.full((1, 3, 8, 8), -8.0)
    right[0, 2][inside[0]] = 8.0
    wrong[0, 0][inside[0]] = 8.0

    def lost(quality: NDArray[np.float32]) -> float:
        return float(loss.detection_loss(quality, sides.clamp(min=0.1), boxes, kinds, learn))

    assert lost(right) < 0.1 * lost(wrong)


def test_barely_visible_object_does_not_affect_loss() -> None:
    boxes, kinds = torch.tensor([[[16.0, 16.0, 40.0, 40.0]]]), torch.tensor([[2]])
    claims, silence = torch.full((1, 3, 8, 8), -12.0), torch.full((1, 3, 8, 8), -12.0)
    claims[0, 2, 3, 3] = 5.0
    sides = torch.full((1, 4, 8, 8), 8.0)
    unsure = torch.tensor([[False]])
    lost = [float(loss.detection_loss(quality, sides, boxes, kinds, unsure)) for quality in (claims, silence)]
    assert lost[0] == pytest.approx(lost[1], abs=1e-6)
    nothing = torch.tensor([[-1]])
    assert float(loss.detection_loss(claims, sides, boxes, nothing, unsure)) > 1.0
