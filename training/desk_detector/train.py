"""Trains the network on shards of frames. A restarted run resumes from its checkpoint.

Run from the repository: `python -m training.desk_detector.train FRAMES FOLDER --steps 12000`.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.desk_detector.batches import batch
from training.desk_detector.frames import Labels, read_shards
from training.desk_detector.loss import detection_loss
from training.desk_detector.network import DeskNetwork

SEED = 20
BATCH = 32
WINDOW = (192, 160)
"""Width and height of the windows used in most training steps, pixels: they take 40 % of the time of a frame."""

WHOLE_FROM = 0.85
"""Share of the steps after which complete frames are used, 0..1."""

RATE = 2e-3
WARM_UP = 200  # steps
DECAY = 0.05
MEMORY = 0.998  # of the running average of the weights, a step
SAVE_EVERY = 100  # steps
MAX_GRADIENT = 5.0


class Training:
    """Training run. Its checkpoint contains the complete state.

    Args:
        steps: Number of steps after which the learning rate has decreased to 1 %.
        seed: Random seed of the initial weights and of every batch.
    """

    def __init__(self, steps: int, seed: int = SEED) -> None:
        torch.manual_seed(seed)
        self.steps, self.seed, self.step = steps, seed, 0
        self.network = DeskNetwork().to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval()
        decayed = [p for p in self.network.parameters() if p.ndim > 1]
        others = [p for p in self.network.parameters() if p.ndim <= 1]
        groups = [{"params": decayed, "weight_decay": DECAY}, {"params": others, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=RATE)

    def advance(self, images: NDArray[np.uint8], labels: Labels) -> float:
        """Trains on a batch for one step, and returns the loss. The seed and the step determine the batch."""
        rng = np.random.default_rng((self.seed, self.step))
        data = batch(rng, images, labels, BATCH, *self._window(images))
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        self.network.train()
        with torch.autocast("cpu", torch.bfloat16):
            quality, sides = self.network(data.images.contiguous(memory_format=torch.channels_last))
        loss = detection_loss(quality, sides, data.boxes, data.kinds, data.learn)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRADIENT)
        self.optimizer.step()
        self.step += 1
        self._remember()
        return loss.item()

    def save(self, path: Path) -> None:
        """Writes the checkpoint atomically."""
        unfinished = path.with_suffix(".part")
        parts = {"network": self.network, "average": self.average, "optimiser": self.optimizer}
        torch.save({"step": self.step, **{name: part.state_dict() for name, part in parts.items()}}, unfinished)
        unfinished.rename(path)

    def load(self, path: Path) -> None:
        """Resumes from a checkpoint."""
        held = torch.load(path, weights_only=True)
        self.step = held["step"]
        self.network.load_state_dict(held["network"])
        self.average.load_state_dict(held["average"])
        self.optimizer.load_state_dict(held["optimiser"])

    def _window(self, images: NDArray[np.uint8]) -> tuple[int, int]:
        """Returns the width and height (pixels) of windows. In the final steps, windows are complete frames."""
        return WINDOW if self.step < WHOLE_FROM * self.steps else (images.shape[2], images.shape[1])

    def _rate(self) -> float:
        """Returns the learning rate. It rises over the first steps, and then decreases like a cosine."""
        if self.step < WARM_UP:
            return RATE * (self.step + 1) / WARM_UP
        return RATE * (0.01 + 0.99 * (1.0 + math.cos(math.pi * min(1.0, self.step / self.steps))) / 2.0)

    @torch.no_grad()
    def _remember(self) -> None:
        memory = min(MEMORY, self.step / (self.step + 10.0))
        now = self.network.state_dict()
        for name, value in self.average.state_dict().items():
            if value.is_floating_point():
                value.lerp_(now[name], 1.0 - memory)
            else:
                value.copy_(now[name])


def main() -> None:
    """Runs the training with the command-line arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("frames", type=Path, help="folder of shards")
    parser.add_argument("folder", type=Path, help="where the checkpoint is")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    checkpoint = arguments.folder / "checkpoint.pt"
    training = Training(arguments.steps, arguments.seed)
    if checkpoint.exists():
        training.load(checkpoint)
    images, labels = read_shards(sorted(arguments.frames.glob("[0-9][0-9][0-9][0-9].npz")))
    print(f"{len(images)} frames, from step {training.step}", flush=True)
    losses, began = [], time.monotonic()
    while training.step < training.steps:
        losses.append(training.advance(images, labels))
        if training.step % SAVE_EVERY == 0 or training.step == training.steps:
            training.save(checkpoint)
            pace = len(losses) * BATCH / (time.monotonic() - began)
            print(f"step {training.step}: loss {np.mean(losses):.4f}, {pace:.1f} frames/s", flush=True)
            losses, began = [], time.monotonic()


if __name__ == "__main__":
    main()
