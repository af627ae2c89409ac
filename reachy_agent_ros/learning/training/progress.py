"""How training goes, told while it does: to a terminal, the node's action, TensorBoard and a plot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType


@dataclass(frozen=True)
class Progress:
    """One round.

    Attributes:
        episodes: Played so far.
        of: To be played.
        figures: What there was to see, by name; `success` is the share of judged episodes, 0..1.
    """

    episodes: int
    of: int
    figures: Mapping[str, float]


Listener = Callable[[Progress], None]
"""Told of every round; what it raises ends the run between two rounds, with the checkpoint written."""


class TensorBoardListener:
    """TensorBoard's file of a run; a context manager and a `Listener`.

    Args:
        folder: Where it is made; TensorBoard is told this one, or one above.
    """

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter  # loads for a second

        self._writer = SummaryWriter(str(folder))

    def __call__(self, progress: Progress) -> None:
        """Writes one round; it is on disk when this returns, so that it can be watched."""
        for name, value in progress.figures.items():
            self._writer.add_scalar(name, value, progress.episodes)
        self._writer.flush()

    def __enter__(self) -> TensorBoardListener:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._writer.close()


def print_progress(progress: Progress) -> None:
    """Prints one line."""
    figures = ", ".join(f"{name} {value:.3g}" for name, value in progress.figures.items())
    print(f"{progress.episodes}/{progress.of} episodes: {figures}", flush=True)


def plot_curve(curve: Sequence[Progress], title: str, file: Path) -> None:
    """Draws every figure over the episodes, as PNG."""
    from matplotlib.figure import Figure  # loads for a second

    names = list(dict.fromkeys(name for each in curve for name in each.figures))
    figure = Figure(figsize=(7.0, 2.2 * len(names)), layout="constrained")
    panes = figure.subplots(len(names), sharex=True, squeeze=False)[:, 0]
    for pane, name in zip(panes, names, strict=True):
        points = [(each.episodes, each.figures[name]) for each in curve if name in each.figures]
        pane.plot(*zip(*points, strict=True), marker=".")
        pane.set_ylabel(name)
        pane.grid(alpha=0.3)
    panes[-1].set_xlabel("episodes")
    figure.suptitle(title)
    figure.savefig(file, dpi=110)
