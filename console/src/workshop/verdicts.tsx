/** What each stage of proving a tool found. */

import { Check, X } from "lucide-preact";
import type { Verdict } from "../api/schemas";
import { duration } from "../components/duration";

const STAGES: Record<string, string> = {
  text: "plain text that shows what it is",
  syntax: "the form of a tool, and nothing that is not allowed",
  sandbox: "every test, in a box of its own",
  trial: "the same on a simulated twin, by the real safety gate",
  review: "a person wants it",
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
