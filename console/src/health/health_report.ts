/** Health of the graph, now and in the last minutes. */

import type { Diagnostic, HealthReport } from "../api/schemas";

/** One report a second, so two minutes. */
const KEPT = 120;

/** History of figures: adds those of a report and drops the oldest. */
export type History = Record<string, number[]>;

export function withReport(history: History, report: HealthReport): History {
  const figures: Record<string, number | null> = { machine: report.cpu };
  for (const node of report.nodes) figures[node.name] = node.cpu;
  const next = { ...history };
  for (const [name, value] of Object.entries(figures)) {
    if (value !== null) next[name] = [...(history[name] ?? []), value].slice(-KEPT);
  }
  return next;
}

/** Problems of the nodes, the worst first. */
export function troubles(report: HealthReport): Diagnostic[] {
  const order = ["error", "stale", "warn"];
  return report.diagnostics
    .filter((diagnostic) => order.includes(diagnostic.level))
    .sort((one, other) => order.indexOf(one.level) - order.indexOf(other.level));
}
