"""Loss of the detector, which has two parts.

The quality must predict the overlap of each box, and the boxes must overlap the objects.

Cells are assigned to objects by how well they already detect them (Feng et al., "TOOD", 2021). Quality is learned with
the focal loss for soft targets (Li et al., "Generalized Focal Loss", 2020), boxes with the generalized overlap
(Rezatofighi et al., 2019).
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from training.desk_detector.network import cell_centers

_CELLS = 9
"""Maximum number of cells that learn to detect one object."""

_REACH = 6.0  # pixels about its center: the smallest objects fall between the cells' centers
_OVERLAP_POWER = 4
_BOX_WEIGHT = 2.0


def detection_loss(quality: Tensor, distances: Tensor, boxes: Tensor, kinds: Tensor, learn: Tensor) -> Tensor:
    """Computes the loss of a batch.

    Args:
        quality: Logits of the quality, shape B x K x rows x columns.
        distances: Distances of the box sides, pixels, shape B x 4 x rows x columns.
        boxes: x0, y0, x1, y1 of labeled objects, B x M x 4, pixels.
        kinds: Kinds of objects, shape B x M; -1 where there is no object.
        learn: Whether an object must be detected, shape B x M. Within other objects, nothing is learned for their kind.
    """
    centers = cell_centers(*quality.shape[2:])
    logits, sides = quality.flatten(2).transpose(1, 2), distances.flatten(2).transpose(1, 2)
    found = torch.cat((centers - sides[..., :2], centers + sides[..., 2:]), dim=-1)
    with torch.no_grad():
        owner, targets = _assign(logits.sigmoid(), found, centers, boxes, kinds, learn)
        weights = _weights(targets, centers, boxes, kinds, learn)
    total = targets.sum().clamp(min=1.0)
    focus = (targets - logits.sigmoid()).square().detach()
    cross = functional.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    owned = owner >= 0
    wanted = boxes.gather(1, owner.clamp(min=0)[..., None].expand(-1, -1, 4))
    misfit = (1.0 - generalized_overlap(found, wanted)) * targets.sum(dim=-1) * owned
    return ((weights * focus * cross).sum() + _BOX_WEIGHT * misfit.sum()) / total


def _assign(
    scores: Tensor, found: Tensor, centers: Tensor, boxes: Tensor, kinds: Tensor, learn: Tensor
) -> tuple[Tensor, Tensor]:
    """Returns the object that each cell learns (B x cells; -1 for none), and the quality targets (B x cells x K)."""
    fit = overlap(found[:, :, None], boxes[:, None])  # B x cells x M
    score = scores.gather(2, kinds.clamp(min=0)[:, None].expand(-1, scores.shape[1], -1))
    offsets = (centers[None, :, None] - (boxes[:, None, :, :2] + boxes[:, None, :, 2:]) / 2.0).abs()
    reach = ((boxes[..., 2:] - boxes[..., :2]) / 2.0).clamp(min=_REACH)[:, None]
    near = (offsets < reach).all(dim=-1) & learn[:, None]
    # Before anything has been learned, the distance decides.
    alignment = (score * fit**_OVERLAP_POWER + 1e-6 / (1.0 + (offsets / reach).sum(dim=-1))) * near
    least = alignment.topk(_CELLS, dim=1).values[:, -1:]
    alignment = alignment * (alignment >= least)
    best, owner = alignment.max(dim=2)
    best_of_object = alignment.amax(dim=1).clamp(min=1e-9)
    fit_of_object = (fit * (alignment > 0)).amax(dim=1)
    quality = best / best_of_object.gather(1, owner) * fit_of_object.gather(1, owner)
    owned = best > 0
    targets = torch.zeros_like(scores)
    targets.scatter_(2, kinds.clamp(min=0).gather(1, owner)[..., None], (quality * owned)[..., None])
    return torch.where(owned, owner, -1), targets


def _weights(targets: Tensor, centers: Tensor, boxes: Tensor, kinds: Tensor, learn: Tensor) -> Tensor:
    """Returns the weight of each cell and kind: 0 within an ignored object of the kind, otherwise 1."""
    places = centers[None, :, None]
    within = ((places > boxes[:, None, :, :2]) & (places < boxes[:, None, :, 2:])).all(dim=-1)  # B x cells x M
    unsure = within & ((kinds >= 0) & ~learn)[:, None]
    weights = torch.ones_like(targets)
    for kind in range(targets.shape[2]):
        weights[..., kind] = (~(unsure & (kinds == kind)[:, None]).any(dim=2) | (targets[..., kind] > 0)).float()
    return weights


def overlap(first: Tensor, second: Tensor) -> Tensor:
    """Returns the intersection over union (0..1) of boxes.

    Shapes are broadcast; the last dimension is the box.
    """
    shared, union, _ = _areas(first, second)
    return shared / union


def generalized_overlap(first: Tensor, second: Tensor) -> Tensor:
    """Returns the generalized intersection over union (-1..1) of boxes.

    It is `overlap` minus the share of the enclosing box that neither box covers.
    """
    shared, union, hull = _areas(first, second)
    return shared / union - (hull - union) / hull


def _areas(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns the areas of the intersection, the union and the enclosing box. The last two are never 0."""
    inner = torch.minimum(first[..., 2:], second[..., 2:]) - torch.maximum(first[..., :2], second[..., :2])
    outer = torch.maximum(first[..., 2:], second[..., 2:]) - torch.minimum(first[..., :2], second[..., :2])
    shared = inner.clamp(min=0.0).prod(dim=-1)
    areas = [(box[..., 2:] - box[..., :2]).clamp(min=0.0).prod(dim=-1) for box in (first, second)]
    union = (areas[0] + areas[1] - shared).clamp(min=1e-6)
    return shared, union, outer.clamp(min=0.0).prod(dim=-1).clamp(min=1e-6)
