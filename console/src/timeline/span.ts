/** Steps of a turn: kinds and descriptions. */

import type { Span } from "../api/schemas";
import { plainArgument } from "../components/plain_argument";
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

/** Error codes CANCELED and PREEMPTED. */
const ENDED_EARLY = [1, 106];

/** Whether a person, a stop or the next sentence interrupted speech, which is not a failure. */
export const interrupted = (span: Span) => span.kind === SPEECH && ENDED_EARLY.includes(span.error_code);

export const failed = (span: Span) => span.error_code !== 0 && !interrupted(span);

/** Description of a span in one line. */
export function detail(span: Span): string {
  if (interrupted(span)) return `Interrupted: ${span.summary || span.name}`;
  if (failed(span) && span.error_msg) return span.error_msg;
  return content(span);
}

/** Content of a span, regardless of how it ended. */
export function content(span: Span): string {
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

/** The arguments of a call without JSON punctuation, with the units that end their names: `yaw_deg` as an angle in °. */
export function plainArguments(text: string): string {
  try {
    const found: unknown = JSON.parse(text || "{}");
    if (typeof found !== "object" || found === null || Array.isArray(found)) return text;
    return Object.entries(found)
      .map(([name, value]) => plainArgument(name, value).join(" "))
      .join(", ");
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
