/** A turn, as `GET traces` tells it. */

import type { Span } from "./span";

export interface TurnSummary {
  turn_id: string;
  session_id: string;
  /** s since the epoch. */
  began: number;
  heard: string;
  reply: string;
  agent: string;
  /** s; null while it runs. */
  duration: number | null;
  input_tokens: number;
  output_tokens: number;
  tools: string[];
  error_code: number;
  error_msg: string;
  /** Steps that could not be kept. */
  lost: number;
}

export interface TurnDetail extends TurnSummary {
  spans: Span[];
}
