"""Evaluation report, with charts as PNG, a web page with light and dark themes, and the figures as JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.learning.environments.specification import Split
from reachy_agent_ros.learning.estimate import Estimate
from reachy_agent_ros.learning.evaluation.charts import DARK, LIGHT, Charts, Theme
from reachy_agent_ros.learning.evaluation.evaluation import EXPERT, EvaluationPlan, Played
from reachy_agent_ros.learning.evaluation.summary import Summary, figures, overview, summary
from reachy_agent_ros.storage.storing import storing

_CAPTIONS = {
    "success": "Success. Points are shares of the episodes, lines their 95 % Wilson intervals.",
    "efficiency": "Efficiency in the test ranges. Left of the line the policy needs more than the expert. Lines are "
    "bootstrapped 95 % confidence intervals of the mean. Policies that never succeeded have no point.",
    "error": "Error over the time of an episode in the test ranges: median, and 10th to 90th percentile.",
}

_STYLE = Path(__file__).with_name("page.css")

_TO = "\N{EN DASH}"
"""Separator between the ends of an interval."""

_COLUMNS = ("task", "range", "episodes", "success", "error", "time", "p10", "effort", "unsafe", "executed")

_NOTES = (
    "<p><b>Success</b> is defined by the task. <b>Time</b> and <b>effort</b> are the expert's values divided by the "
    "policy's in the same episodes, if the policy succeeded: 1 is as good, 0.5 takes twice as much. Time ends when the "
    "error first stays within 5.2 degrees for a quarter of a second, and p10 is its 10th percentile over the episodes; "
    "effort is the integral of the squared speed. <b>Unsafe</b> is the share of actions that led out of the envelope; "
    "they are never executed. <b>Executed</b> counts, with physics, the commands after the safety gate that were "
    "outside the envelope or jumped: it must be 0. Intervals have 95 % confidence: Wilson's for shares, bootstrapped "
    "for means.</p>"
)


def write_report(folder: Path, plan: EvaluationPlan, played: Sequence[Played]) -> Path:
    """Writes `report.html`, `figures.json` and the charts. Replaces existing files.

    Args:
        folder: Target folder, created if missing.
        plan: Plan of the evaluation.
        played: Results of the evaluation.

    Returns:
        Path of the HTML page.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    summaries = [summary(each) for each in played]
    with storing("Cannot write the report"):
        folder.mkdir(parents=True, exist_ok=True)
        charts = Charts(folder, played, summaries)
        drawn = [Chart(folder, name, _CAPTIONS[name]) for name in charts.draw()]
        write_durably(folder / "figures.json", json.dumps(figures(played), indent=1).encode())
        write_durably(folder / "report.html", _page(plan, summaries, drawn).encode())
    return (folder / "report.html").resolve()


@dataclass(frozen=True)
class Chart:
    """Chart with its caption, stored in a folder as `NAME-light.png` and `NAME-dark.png`."""

    folder: Path
    name: str
    caption: str

    def source(self, theme: Theme) -> str:
        """Returns the image for a theme as a `data:` URL."""
        content = (self.folder / f"{self.name}-{theme.name}.png").read_bytes()
        return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def document(title: str, about: str, parts: Iterable[str], notes: str) -> str:
    """Builds the HTML page of a report.

    Args:
        title: Title of the page, plain text.
        about: Subject and time of the evaluation, HTML.
        parts: Tiles, figures and tables, HTML.
        notes: Explanation of the numbers, HTML.
    """
    title = escape(title)
    lines = (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>",
        '<meta name=viewport content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_variables()}{_STYLE.read_text(encoding='utf-8')}</style></head><body><main>",
        f"<header><h1>{title}</h1><p>{about}</p></header>",
        *parts,
        f"<footer>{notes}</footer></main></body></html>\n",
    )
    return "\n".join(lines)


def tiles(title: str, found: Iterable[str]) -> str:
    """Returns the HTML of a plain-text title and a row of tiles below it. Use `tile` to create the tiles."""
    return f"<section><h2>{escape(title)}</h2><div class=tiles>{''.join(found)}</div></section>"


def tile(name: str, value: str, text: str, good: bool | None = None) -> str:
    """Returns the HTML of a tile with a number, its name and its description. May mark the number as good or bad."""
    mark = "" if good is None else " good" if good else " bad"
    return f'<div class="tile{mark}"><span>{name}</span><strong>{value}</strong><small>{text}</small></div>'


def figure(chart: Chart) -> str:
    """Returns the HTML of a chart with its caption, in the theme of the browser."""
    caption = escape(chart.caption)
    dark = f'<source media="(prefers-color-scheme: dark)" srcset="{chart.source(DARK)}">'
    image = f'<img alt="{caption}" src="{chart.source(LIGHT)}">'
    return f"<figure><picture>{dark}{image}</picture><figcaption>{caption}</figcaption></figure>"


def _page(plan: EvaluationPlan, summaries: Sequence[Summary], charts: Sequence[Chart]) -> str:
    """Returns the HTML page of an evaluation."""
    policies = list(dict.fromkeys(each.policy for each in summaries))
    own = [[each for each in summaries if each.policy == policy] for policy in policies]
    parts = [*map(_tiles, own), *map(figure, charts), *map(_table, own)]
    return document(f"Evaluation of {', '.join(policies)}", _about(plan), parts, _NOTES)


def _about(plan: EvaluationPlan) -> str:
    moment = datetime.now().astimezone().strftime("%-d %B %Y, %H:%M")
    physics = f", and {plan.physics} with physics;" if plan.physics else ";"
    played = f"{plan.episodes} episodes from each range of a task{physics} seed {plan.seed}"
    return f"{moment}. {played}. The episodes are not used for training."


def _tiles(summaries: Sequence[Summary]) -> str:
    arithmetic = [each for each in summaries if not each.setting.physics]
    found_tiles = []
    for kind, text in (
        ("training ranges", "Success"),
        ("test ranges", "Generalization"),
        ("held out", "Held-out tasks"),
    ):
        found = overview(each for each in arithmetic if each.kind == kind)
        if found is not None:
            tasks = f"{found.tasks} task{'s' if found.tasks > 1 else ''}"
            worst = f", p10 of them {100.0 * found.worst:.0f} %" if found.tasks > 1 else ""
            about = f"{_interval(found.success)} · {kind}, {tasks}{worst}"
            found_tiles.append(tile(text, _percent(found.success), about))
    found_tiles += _efficiency_and_safety(summaries)
    return tiles(summaries[0].policy, found_tiles)


def _efficiency_and_safety(summaries: Sequence[Summary]) -> Iterator[str]:
    times = [s.time.value for s in summaries if s.time and s.setting.split is Split.TEST and not s.setting.physics]
    if times and summaries[0].policy != EXPERT:
        yield tile(
            "Time", f"{sorted(times)[len(times) // 2]:.2f}", "of the expert's pace, median of tasks, test ranges"
        )
    unsafe = sum(each.unsafe.value * each.episodes for each in summaries) / sum(each.episodes for each in summaries)
    yield tile("Unsafe, proposed", f"{100.0 * unsafe:.2f} %", "of the actions; none is executed", good=unsafe < 0.01)
    executed = [each.executed for each in summaries if each.executed is not None]
    if executed:
        yield tile("Unsafe, executed", str(sum(executed)), "commands to the motors, physics", good=sum(executed) == 0)


def _table(summaries: Sequence[Summary]) -> str:
    head = "".join(f"<th>{column}</th>" for column in _COLUMNS)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in _cells(each))}</tr>" for each in summaries)
    name = escape(summaries[0].policy)
    return (
        f"<section><h2>{name}, task by task</h2><div class=table><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _cells(each: Summary) -> tuple[str, ...]:
    setting = each.setting
    return (
        setting.task.replace("_", " "),
        f"{each.kind if each.kind == 'held out' else setting.split}{', physics' if setting.physics else ''}",
        str(each.episodes),
        f"{_percent(each.success)} <small>{_interval(each.success)}</small>",
        f"{each.error.value:.1f}°",
        _ratio(each.time),
        "" if each.slowest is None else f"{each.slowest:.2f}",
        _ratio(each.effort),
        f"{100.0 * each.unsafe.value:.2f} %",
        "" if each.executed is None else str(each.executed),
    )


def _percent(estimate: Estimate) -> str:
    return f"{100.0 * estimate.value:.0f} %"


def _interval(estimate: Estimate) -> str:
    return f"{100.0 * estimate.low:.0f}{_TO}{100.0 * estimate.high:.0f} %"


def _ratio(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    return f"{estimate.value:.2f} <small>{estimate.low:.2f}{_TO}{estimate.high:.2f}</small>"


def _variables() -> str:
    return f":root{{{_colors(LIGHT)}}}@media(prefers-color-scheme:dark){{:root{{{_colors(DARK)}}}}}"


def _colors(theme: Theme) -> str:
    names = ("ground", "surface", "ink", "faint", "line")
    scheme = f"color-scheme:{theme.name};--accent:{theme.policies[0]};--good:{theme.policies[2]};--bad:#d6404f;"
    return scheme + "".join(f"--{name}:{getattr(theme, name)};" for name in names)
