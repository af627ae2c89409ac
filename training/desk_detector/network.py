"""Network of the detector: 3x3 convolutions, a small feature pyramid, and one head with a stride of 8 pixels.

Every cell of the head predicts how well a box at its position would fit an object of each kind, and the distances of
the four sides of that box from the cell center (Tian et al., "FCOS", 2019; pyramid: Lin et al., 2017).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from reachy_agent_ros.vision.desk_detector import STRIDE
from training.desk_detector.scene import KINDS

_PRIOR = -4.6
"""Logit of 1 %, the initial quality: most cells contain no object and would dominate the loss with a higher start."""

_MAX_LOG = 4.0
"""Maximum logarithm of a distance in strides, so that bad early predictions do not overflow."""


class DeskNetwork(nn.Module):
    """Network with 0.96 million parameters, which maps images to quality logits and side distances."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_Block(3, 24, 2), _Block(24, 40, 2))
        self.fine = nn.Sequential(_Block(40, 64, 2), _Residual(64))
        self.middle = nn.Sequential(_Block(64, 112, 2), _Residual(112))
        self.coarse = nn.Sequential(_Block(112, 160, 2), _Block(160, 160))
        self.lateral = nn.ModuleList(nn.Conv2d(channels, 64, 1) for channels in (64, 112, 160))
        self.merge_middle, self.merge_fine = _Block(64, 64), _Block(64, 64)
        self.head = nn.Sequential(_Block(64, 64), _Block(64, 64))
        self.quality = nn.Conv2d(64, len(KINDS), 1)
        self.sides = nn.Conv2d(64, 4, 1)
        nn.init.constant_(self.quality.bias, _PRIOR)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Detects objects in images.

        Args:
            images: Images, shape B x 3 x height x width, RGB, 0..1.

        Returns:
            Logits of the quality, B x kinds x rows x columns, and distances of the left, upper, right and lower side
            from the cell's center, B x 4 x rows x columns, pixels.
        """
        fine = self.fine(self.stem(images))
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        merged = self.merge_middle(_upsampled(self.lateral[2](coarse), middle) + self.lateral[1](middle))
        merged = self.merge_fine(_upsampled(merged, fine) + self.lateral[0](fine))
        features = self.head(merged)
        logs = self.sides(features).float().clamp(-_MAX_LOG, _MAX_LOG)
        return self.quality(features).float(), STRIDE * logs.exp()


class _Block(nn.Sequential):
    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        convolution = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        super().__init__(convolution, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.blocks = nn.Sequential(_Block(channels, channels), _Block(channels, channels))

    def forward(self, features: Tensor) -> Tensor:
        return features + self.blocks(features)


def _upsampled(features: Tensor, like: Tensor) -> Tensor:
    """Upsamples features to a finer grid by repeating cells. The finer grid may have an odd number of rows."""
    return functional.interpolate(features, size=(like.shape[2], like.shape[3]), mode="nearest")


def cell_centers(rows: int, columns: int) -> Tensor:
    """Returns the centers (pixels) of the cells of the head, row by row, in the shape (rows * columns) x 2."""
    y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
    return (torch.stack((x, y), dim=-1).reshape(-1, 2) + 0.5) * STRIDE
