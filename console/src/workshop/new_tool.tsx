/** A new tool, generated from a description or written by a person, and tested in both cases. */

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
    void ask("/tools/generate", { description: wish }).then(changed); // a tool that waits for review is not in the list of tools yet
  };
  return (
    <>
      <Card title="Write a tool">
        <form onSubmit={make}>
          <label class="field">
            What should it do?
            <textarea rows={2} value={wish} onInput={(event) => setWish(event.currentTarget.value)} maxLength={4000} />
          </label>
          <label class="field">
            <span>
              Code <span class="soft">(leave empty to have the robot's model write it)</span>
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
              Tests{" "}
              <span class="soft">(a JSON list of args and expect; without tests, the code is checked but not run)</span>
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
              {code.trim() ? "Test and save" : "Generate"}
            </button>
            <button type="button" disabled={running || !code.trim()} onClick={check}>
              Test only
            </button>
            {running && (
              <>
                <span role="status" class="soft">
                  Testing takes seconds, generating takes longer.
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
        A tool is tested in a sandbox and on a simulated robot before it can run. Tools that move the robot also need
        your review. <Link href="/workshop">Back to the tools</Link>
      </p>
    </>
  );
}

/** Parses the tests; `expect` and `raises` are optional. */
export function casesOf(text: string): ToolTest[] {
  if (!text.trim()) return [];
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("The tests are not valid JSON.");
  }
  if (!Array.isArray(found)) throw new Error("The tests must be a list: [{...}, {...}].");
  return found.map((one: Partial<ToolTest>) => ({
    args: one.args ?? {},
    expect: one.expect ?? null,
    raises: one.raises ?? "",
  }));
}
