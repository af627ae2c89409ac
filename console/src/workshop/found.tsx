/** What came of proving code. */

import { Link } from "wouter-preact";
import type { CheckResult, GenerationResult, ToolTest } from "../api/schemas";
import { Card } from "../components/card";
import { Tag } from "../components/tag";
import { Cases } from "./cases";
import { Code } from "./code";
import { Verdicts } from "./verdicts";

export interface Result {
  found: CheckResult | GenerationResult;
  /** What it was tested with. */
  cases: ToolTest[];
  /** The code that the person wrote, empty where a model did. */
  written: string;
}

export function Found({ found, cases, written }: Result) {
  const { validation_result: validation, test_results: tests } = found;
  const made = "tool_name" in found ? found : null;
  const { robot_commands: commands, violations } =
    "violations" in found ? found : { robot_commands: 0, violations: [] };
  return (
    <Card
      title={made?.tool_name || "What was found"}
      actions={validation.ok ? <Tag mood="good">proven</Tag> : <Tag mood="bad">failed</Tag>}
    >
      <div role="status">
        {made && <Outcome made={made} />}
        {commands > 0 && <p>The robot would have been given {commands} commands.</p>}
      </div>
      <Verdicts verdicts={validation.verdicts} />
      {violations.map((violation) => (
        <p key={violation}>{violation}</p>
      ))}
      {cases.length > 0 && (
        <>
          <h3>Tests</h3>
          <Cases cases={cases} results={tests.results} />
        </>
      )}
      {made && !written && (
        <>
          <h3>What was written</h3>
          <Code source={made.code} name={`Code of ${made.tool_name}`} />
        </>
      )}
    </Card>
  );
}

function Outcome({ made }: { made: GenerationResult }) {
  if (!made.version) return <p>Nothing was kept, because it failed.</p>;
  const tool = <Link href={`/workshop?tool=${encodeURIComponent(made.tool_name)}`}>{made.tool_name}</Link>;
  return made.waiting ? (
    <p>
      Version {made.version} of {tool} waits for your review.
    </p>
  ) : (
    <p>
      Version {made.version} of {tool} can be called now.
    </p>
  );
}
