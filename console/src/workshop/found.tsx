/** Result of testing the code of a tool. */

import { Link } from "wouter-preact";
import type { CheckResult, GenerationResult, ToolTest } from "../api/schemas";
import { Card } from "../components/card";
import { Tag } from "../components/tag";
import { Cases } from "./cases";
import { Code } from "./code";
import { Verdicts } from "./verdicts";

export interface Result {
  found: CheckResult | GenerationResult;
  /** Tests of the tool. */
  cases: ToolTest[];
  /** Code that the person wrote; empty if a model wrote it. */
  written: string;
}

export function Found({ found, cases, written }: Result) {
  const { validation_result: validation, test_results: tests } = found;
  const made = "tool_name" in found ? found : null;
  const { robot_commands: commands, violations } =
    "violations" in found ? found : { robot_commands: 0, violations: [] };
  return (
    <Card
      title={made?.tool_name || "Test result"}
      actions={validation.ok ? <Tag mood="good">passed</Tag> : <Tag mood="bad">failed</Tag>}
    >
      <div role="status">
        {made && <Outcome made={made} />}
        {commands > 0 && <p>The tool sent {commands} commands to the simulated robot.</p>}
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
          <h3>Generated code</h3>
          <Code source={made.code} name={`Code of ${made.tool_name}`} />
        </>
      )}
    </Card>
  );
}

function Outcome({ made }: { made: GenerationResult }) {
  if (!made.version) return <p>The tool was not saved because it did not pass.</p>;
  const tool = <Link href={`/workshop?tool=${encodeURIComponent(made.tool_name)}`}>{made.tool_name}</Link>;
  return made.waiting ? (
    <p>
      Version {made.version} of {tool} is waiting for your review.
    </p>
  ) : (
    <p>
      Version {made.version} of {tool} can be called now.
    </p>
  );
}
