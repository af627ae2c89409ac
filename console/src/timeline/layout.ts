/** Layout of a turn: spans as rows on one axis of seconds. */

import type { Span } from "../api/schemas";
import { APPROVAL, GUARDRAIL, MODEL, TOOL, TURN } from "./span";

export interface Bar {
  span: Span;
  /** Whether the row belongs to the one above: the approval of a tool, or a check of the model. */
  nested: boolean;
  /** Percent of the axis. */
  left: number;
  width: number;
}

export interface Tick {
  seconds: number;
  left: number;
}

export interface Layout {
  bars: Bar[];
  ticks: Tick[];
  /** s after the start of the turn. */
  start: number;
  end: number;
}

const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600];
const MOST_TICKS = 6;

/** The rows of a turn, ordered by start, with a common axis. */
export function layout(spans: Span[]): Layout {
  const steps = spans.filter((span) => span.kind !== TURN).sort((a, b) => a.start - b.start || a.span - b.span);
  const start = Math.min(0, ...spans.map((span) => span.start));
  const end = Math.max(start + 0.001, ...spans.map((span) => span.start + span.duration));
  const place = (seconds: number) => (100 * (seconds - start)) / (end - start);
  let above: Span | null = null;
  const bars = steps.map((span) => {
    const nested = (span.kind === APPROVAL || span.kind === GUARDRAIL) && above !== null && within(span, above);
    if (span.kind === TOOL || span.kind === MODEL) above = span;
    return { span, nested, left: place(span.start), width: (100 * span.duration) / (end - start) };
  });
  return { bars, ticks: ticks(start, end), start, end };
}

function within(span: Span, outer: Span): boolean {
  return span.start + span.duration <= outer.start + outer.duration;
}

/** Round seconds along the axis, including zero, where the turn begins. */
export function ticks(start: number, end: number): Tick[] {
  const step =
    STEPS.find((one) => (end - start) / one <= MOST_TICKS) ?? STEPS.at(-1)! * Math.ceil((end - start) / 3600);
  const first = Math.ceil(start / step - 1e-9);
  const last = Math.floor(end / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const seconds = Number(((first + index) * step).toFixed(9)) + 0;
    return { seconds, left: (100 * (seconds - start)) / (end - start) };
  });
}
