/** One version of a tool: request, code, test results and runs. */

import type { GeneratedTool, GeneratedToolVersion } from "../api/schemas";
import { Card } from "../components/card";
import { duration } from "../components/duration";
import { Fact, Facts } from "../components/facts";
import { When } from "../components/when";
import { Cases } from "./cases";
import { Review } from "./review";
import { Verdicts } from "./verdicts";
import { VersionCode } from "./version_code";
import { State } from "./versions";

interface Props {
  tool: GeneratedTool;
  version: GeneratedToolVersion;
  changed: () => Promise<void>;
}

export function ToolVersion({ tool, version, changed }: Props) {
  return (
    <>
      <Card title={`Version ${version.version}`} actions={<State version={version} />}>
        <About version={version} />
        {version.state === "waiting" && <Review name={tool.name} version={version.version} changed={changed} />}
      </Card>
      <VersionCode tool={tool} version={version} />
      <Card title="Test stages">
        <Verdicts verdicts={version.verdicts} />
        {version.cases.length > 0 && (
          <>
            <h3>Tests</h3>
            <Cases cases={version.cases} />
          </>
        )}
      </Card>
      {version.failures.length > 0 && (
        <Card title="Latest failures">
          <ul>
            {version.failures.toReversed().map((failure, index) => (
              <li key={index}>{failure}</li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function About({ version }: { version: GeneratedToolVersion }) {
  return (
    <Facts>
      {version.request && <Fact name="Request">“{version.request}”</Fact>}
      {version.explanation && <Fact name="Explanation">{version.explanation}</Fact>}
      <Fact name="Author">
        {version.author}, <When stamp={version.created} />
        {version.asked_by && <>, requested with {version.asked_by}</>}
      </Fact>
      <Fact name="Access">{version.needs.length ? version.needs.join(", ") : "nothing outside the sandbox"}</Fact>
      <Fact name="Limits">{`${duration(version.time_limit)}, ${Math.round(version.memory_limit / 2 ** 20)} MB`}</Fact>
      <Fact name="Runs">{version.runs ? `${version.runs}, ${version.successes} succeeded` : "none so far"}</Fact>
      {version.decided_by && <Fact name="Reviewed by">{version.decided_by}</Fact>}
      {version.comment && <Fact name="Review">“{version.comment}”</Fact>}
    </Facts>
  );
}
