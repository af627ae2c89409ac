/** Tools, as the gateway tells them. */

export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  version: number;
  source: "predefined" | "generated" | "external";
  permission: "autonomous" | "notify" | "confirm" | "forbidden";
  enabled: boolean;
  moves_robot: boolean;
  reversible: boolean;
  untrusted_output: boolean;
  specialist: string;
  time_limit: number;
  waiting: boolean;
}

export interface Tools {
  tools: Tool[];
  /** Names of those with a version that waits for a review. */
  waiting: string[];
}

export interface Verdict {
  stage: string;
  ok: boolean;
  reason: string;
  duration: number;
}

export interface Case {
  args: Record<string, unknown>;
  expect: unknown;
  raises: string;
}

export interface CaseResult {
  ok: boolean;
  result: unknown;
  error: string;
  duration: number;
}

export interface Version {
  version: number;
  state: "waiting" | "approved" | "rejected";
  active: boolean;
  digest: string;
  author: string;
  request: string;
  explanation: string;
  asked_by: string;
  comment: string;
  decided_by: string;
  needs: string[];
  created: number;
  time_limit: number;
  memory_limit: number;
  verdicts: Verdict[];
  cases: Case[];
  runs: number;
  successes: number;
  failures: string[];
}

export interface GeneratedTool {
  name: string;
  /** Of `version`. */
  code: string;
  version: number;
  enabled: boolean;
  reason: string;
  versions: Version[];
}

export interface Proof {
  validation_result: { ok: boolean; verdicts: Verdict[] };
  test_results: { passed: number; failed: number; results: CaseResult[] };
  robot_commands?: number;
  violations?: string[];
}

export interface Made extends Proof {
  tool_name: string;
  version: number;
  registered: boolean;
  waiting: boolean;
  code: string;
}

export const pathOf = (name: string) => `/tools/${encodeURIComponent(name)}`;
