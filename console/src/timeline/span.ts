/** Steps of a turn: kinds and descriptions. */

import type { Span } from "../api/schemas";

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
export const LABELS = ["turn", "heard", "reflex", "model", "tool", "handoff", "approval", "speech", "guardrail"];

/** Description of a span in one line. */
export function detail(span: Span): string {
  switch (span.kind) {
    case TOOL:
      return `${span.name} ${plainArguments(span.arguments_json)}`.trim();
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

/** The arguments of a call without JSON punctuation. */
export function plainArguments(text: string): string {
  try {
    const found: unknown = JSON.parse(text || "{}");
    if (typeof found !== "object" || found === null || Array.isArray(found)) return text;
    return Object.entries(found)
      .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(" ");
  } catch {
    return text;
  }
}

/** Input and output tokens of a turn. */
export function tokens(spans: Span[]): { read: number; written: number } {
  const steps = spans.filter((span) => span.kind !== TURN);
  const sum = (of: (span: Span) => number) => steps.reduce((total, span) => total + of(span), 0);
  return { read: sum((span) => span.input_tokens), written: sum((span) => span.output_tokens) };
}
