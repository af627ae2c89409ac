"""Writes the trained network as the ONNX file that the robot loads.

Run from the repository: `python -m training.desk_detector.export FOLDER FILE.onnx`.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

import torch
from torch import Tensor, nn

from training.desk_detector.frames import HEIGHT, WIDTH
from training.desk_detector.network import DeskNetwork

_OPSET = 17


class _Deployed(nn.Module):
    """Network for deployment, which takes camera images and returns qualities from 0 to 1."""

    def __init__(self, network: DeskNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        quality, distances = self.network(image.permute(0, 3, 1, 2).float() / 255.0)
        return quality.sigmoid(), distances


def export(network: DeskNetwork, path: Path) -> str:
    """Writes a network to `path` and returns the file's SHA-256.

    The graph's input `image` is 1 x height x width x 3, RGB, 0..255; its outputs are `quality`, 1 x kinds x rows x
    columns, 0..1, and `distances`, 1 x 4 x rows x columns, pixels.
    """
    example = torch.zeros((1, HEIGHT, WIDTH, 3), dtype=torch.uint8)
    names = {"input_names": ["image"], "output_names": ["quality", "distances"]}
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(_Deployed(network).eval(), (example,), path, opset_version=_OPSET, dynamo=False, **names)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    """Exports the averaged weights of a checkpoint, and prints the SHA-256 of the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the checkpoint is")
    parser.add_argument("onnx", type=Path)
    arguments = parser.parse_args()
    network = DeskNetwork()
    network.load_state_dict(torch.load(arguments.folder / "checkpoint.pt", weights_only=True)["average"])
    print(export(network, arguments.onnx))


if __name__ == "__main__":
    main()
