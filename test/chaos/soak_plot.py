"""Plot of a soak test: each value over time, with the faults marked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from chaos.soak_samples import Sample


def plot_soak(path: Path, samples: Sequence[Sample], moments: Sequence[tuple[float, str]]) -> None:
    """Plots the samples of a soak test in a PNG file.

    Args:
        path: PNG file to write. Its folder is created if necessary.
        samples: Samples, oldest first.
        moments: Start time, s, and title of each fault.
    """
    minutes = [sample.time / 60.0 for sample in samples]
    curves = {
        "memory, MB": [sample.taken.resident for sample in samples],
        "descriptors": [sample.taken.descriptors for sample in samples],
        "threads": [sample.taken.threads for sample in samples],
        "loop p99, ms": [sample.loop[1] for sample in samples],
        "WAL, MB": [sample.taken.write_ahead for sample in samples],
        "turns in line": [sample.waiting for sample in samples],
        "restarts": [sample.restarts for sample in samples],
        "lost, unsafe": [sample.lost + sample.outside for sample in samples],
    }
    figure = Figure(figsize=(10.0, 1.4 * len(curves)), layout="constrained")
    axes = figure.subplots(len(curves), 1, sharex=True)
    for axis, (name, values) in zip(axes, curves.items(), strict=True):
        axis.plot(minutes, values, linewidth=1.2)
        axis.set_ylabel(name)
        axis.grid(alpha=0.3)
        for moment, _ in moments:
            axis.axvline(moment / 60.0, color="tab:red", alpha=0.3, linewidth=0.8)
    axes[-1].set_xlabel("minutes; each red line is a fault")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="png")
