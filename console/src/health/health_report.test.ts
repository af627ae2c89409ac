import { expect, test } from "vitest";
import type { Diagnostic, HealthReport } from "../api/schemas";
import { troubles, withReport } from "./health_report";

function report(cpu: number | null, levels: Diagnostic["level"][] = []): HealthReport {
  const node = {
    name: "agent",
    state: "ready" as const,
    detail: "",
    pid: 1,
    age: 1,
    cpu,
    resident_mb: 1,
    restarts: 0,
    last_end: "",
  };
  const diagnostics = levels.map((level) => ({ node: "agent", concern: level, level, message: "", values: {} }));
  return {
    stamp: 0,
    namespace: "",
    domain: "0",
    supervisor: 1,
    transport: "",
    arguments: {},
    ready: true,
    cpu: 0.5,
    cores: 2,
    memory_mb: 1,
    nodes: [node],
    diagnostics,
  };
}

test("keeps figures for two minutes and skips missing ones", () => {
  let history = withReport({}, report(null));
  expect(history).toEqual({ machine: [0.5] });
  for (let at = 0; at < 130; at++) history = withReport(history, report(at));
  expect(history.agent).toHaveLength(120);
  expect(history.agent?.at(-1)).toBe(129);
});

test("lists the worst state first and leaves out good ones", () =>
  expect(troubles(report(0, ["warn", "ok", "error", "stale"])).map((found) => found.level)).toEqual([
    "error",
    "stale",
    "warn",
  ]));
