/** Result of each stage of testing a tool. */

import { Check, X } from "lucide-preact";
import type { Verdict } from "../api/schemas";
import { duration } from "../components/duration";

const STAGES: Record<string, string> = {
  text: "no hidden or misleading characters",
  syntax: "valid structure, only allowed names",
  sandbox: "all tests, each in a sandbox",
  trial: "all tests on a simulated robot, with the safety gate",
  review: "approval by a person",
};

export function Verdicts({ verdicts }: { verdicts: Verdict[] }) {
  return (
    <ol class="verdicts">
      {verdicts.map((verdict) => (
        <li key={verdict.stage} class={verdict.ok ? "passed" : "failed"}>
          {verdict.ok ? <Check size={18} aria-label="passed" /> : <X size={18} aria-label="failed" />}
          <div>
            <strong>{verdict.stage}</strong> <span class="soft small">{STAGES[verdict.stage]}</span>
            {verdict.reason && <pre class="small">{verdict.reason}</pre>}
          </div>
          <span class="soft small">{duration(verdict.duration)}</span>
        </li>
      ))}
    </ol>
  );
}
