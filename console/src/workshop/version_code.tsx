/** The code of a version, or its changes to the previous one. */

import { useState } from "preact/hooks";
import type { GeneratedTool, GeneratedToolVersion } from "../api/schemas";
import { Card } from "../components/card";
import { Loaded } from "../components/loaded";
import { useResource } from "../components/resource";
import { Code } from "./code";
import { CodeDiff } from "./code_diff";
import { pathOf } from "./tool";

export function VersionCode({ tool, version }: { tool: GeneratedTool; version: GeneratedToolVersion }) {
  const before = tool.versions.findLast((one) => one.version < version.version);
  const [changes, setChanges] = useState(before !== undefined);
  const code = useResource<GeneratedTool>(`${pathOf(tool.name)}?version=${version.version}`);
  const old = useResource<GeneratedTool>(before ? `${pathOf(tool.name)}?version=${before.version}` : null);
  return (
    <Card
      title="Code"
      actions={
        before && (
          <div class="row" role="group" aria-label="Show">
            <button type="button" aria-pressed={changes} onClick={() => setChanges(true)}>
              Changes since {before.version}
            </button>
            <button type="button" aria-pressed={!changes} onClick={() => setChanges(false)}>
              Complete code
            </button>
          </div>
        )
      }
    >
      <Loaded of={code}>
        {(now) =>
          changes && before ? (
            <Loaded of={old}>
              {(then) => <CodeDiff before={then.code} after={now.code} name={`Changes of ${tool.name}`} />}
            </Loaded>
          ) : (
            <Code source={now.code} name={`Code of ${tool.name}`} />
          )
        }
      </Loaded>
    </Card>
  );
}
