/** Steps of a turn: kinds and descriptions. */

import type { Span } from "../api/schemas";
import { plainName } from "../components/plain_name";

export const TURN = 0;
export const HEARING = 1;
export const REFLEX = 2;
export const MODEL = 3;
export const TOOL = 4;
export const HANDOFF = 5;
export const APPROVAL = 6;
export const SPEECH = 7;
export const GUARDRAIL = 8;

/** Name of a kind, by its number. */
export const LABELS = ["turn", "heard", "intent", "model", "tool", "handoff", "approval", "speech", "guardrail"];

/** Description of a span in one line. */
export function detail(span: Span): string {
  switch (span.kind) {
    case TOOL:
      return `${plainName(span.name)} ${plainArguments(span.arguments_json)}`.trim();
    case HEARING:
      return span.summary ? `“${span.summary}” (${span.name})` : span.name;
    case SPEECH:
    case HANDOFF:
      return span.summary || span.name;
    case REFLEX:
      return span.summary;
    default:
      return [span.name, span.summary].filter(Boolean).join(" · ");
  }
}

const UNITS: Record<string, string> = { deg: "°", s: " s", m: " m", mm: " mm" };

/** The arguments of a call without JSON punctuation, with the units that end their names: `yaw_deg` as an angle in °. */
export function plainArguments(text: string): string {
  try {
    const found: unknown = JSON.parse(text || "{}");
    if (typeof found !== "object" || found === null || Array.isArray(found)) return text;
    return Object.entries(found).map(plainArgument).join(", ");
  } catch {
    return text;
  }
}

function plainArgument([name, value]: [string, unknown]): string {
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  const [, quantity, unit] = /^(.+)_(deg|s|mm?)$/.exec(name) ?? [];
  return unit ? `${plainName(quantity!)} ${shown}${UNITS[unit]}` : `${plainName(name)} ${shown}`;
}

/** Input and output tokens of a turn. */
export function tokens(spans: Span[]): { read: number; written: number } {
  const steps = spans.filter((span) => span.kind !== TURN);
  const sum = (of: (span: Span) => number) => steps.reduce((total, span) => total + of(span), 0);
  return { read: sum((span) => span.input_tokens), written: sum((span) => span.output_tokens) };
}
