/** A new tool: described for a model to write, or written by a person; proven either way. */

import { useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { request } from "../api/http";
import type { CheckResult, GenerationResult, ToolTest } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { ProblemNotice } from "../components/problem_notice";
import { Found, type Result } from "./found";

export function NewTool({ changed }: { changed: () => Promise<void> }) {
  const [wish, setWish] = useState("");
  const [code, setCode] = useState("");
  const [cases, setCases] = useState("");
  const [found, setFound] = useState<Result | null>(null);
  const control = useRef<AbortController | null>(null);
  const { running, error, run } = useAction();
  const ask = (path: string, more: object) =>
    run(async () => {
      setFound(null);
      control.current = new AbortController();
      const tests = casesOf(cases);
      const answer = await request("POST", path, { code, test_cases: tests, ...more }, control.current.signal);
      setFound({ found: (await answer.json()) as CheckResult | GenerationResult, cases: tests, written: code });
    });
  const check = () => ask("/tools/check", {});
  const make = (event: Event) => {
    event.preventDefault();
    void ask("/tools/generate", { description: wish }).then(changed); // what only waits is in no catalogue yet
  };
  return (
    <>
      <Card title="Write a tool">
        <form onSubmit={make}>
          <label class="field">
            What it shall do
            <textarea rows={2} value={wish} onInput={(event) => setWish(event.currentTarget.value)} maxLength={4000} />
          </label>
          <label class="field">
            <span>
              Code <span class="soft">— leave it empty, and the robot's model writes it</span>
            </span>
            <textarea
              class="mono"
              rows={8}
              spellcheck={false}
              value={code}
              onInput={(event) => setCode(event.currentTarget.value)}
            />
          </label>
          <label class="field">
            <span>
              Tests <span class="soft">— a JSON list of args and expect; without any, code is read but not run</span>
            </span>
            <textarea
              class="mono"
              rows={3}
              spellcheck={false}
              placeholder='[{"args": {"number": 3}, "expect": 9}]'
              value={cases}
              onInput={(event) => setCases(event.currentTarget.value)}
            />
          </label>
          <ProblemNotice error={error?.name === "AbortError" ? null : error} />
          <div class="row">
            <button type="submit" class="primary" disabled={running || !(wish.trim() || code.trim())}>
              {code.trim() ? "Prove and keep it" : "Have it written"}
            </button>
            <button type="button" disabled={running || !code.trim()} onClick={check}>
              Only check it
            </button>
            {running && (
              <>
                <span role="status" class="soft">
                  Working on it; proofs take seconds, models longer.
                </span>
                <button type="button" onClick={() => control.current?.abort()}>
                  Cancel
                </button>
              </>
            )}
          </div>
        </form>
      </Card>
      {found && <Found {...found} />}
      <p class="soft small">
        Nothing written here runs before it is proven in a sandbox and on a simulated twin, and what moves the robot
        waits for a review. <Link href="/workshop">Back to the tools</Link>
      </p>
    </>
  );
}

/** The tests as a person writes them; expect and raises may be left out. */
export function casesOf(text: string): ToolTest[] {
  if (!text.trim()) return [];
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("The tests are no JSON.");
  }
  if (!Array.isArray(found)) throw new Error("The tests must be a list: [{...}, {...}].");
  return found.map((one: Partial<ToolTest>) => ({
    args: one.args ?? {},
    expect: one.expect ?? null,
    raises: one.raises ?? "",
  }));
}
