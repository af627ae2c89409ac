/** All versions of a tool, with rollback. */

import { Link } from "wouter-preact";
import { request } from "../api/http";
import type { GeneratedTool, GeneratedToolVersion } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { ProblemNotice } from "../components/problem_notice";
import { Table } from "../components/table";
import { Tag } from "../components/tag";
import { When } from "../components/when";
import { pathOf } from "./tool";

interface Props {
  tool: GeneratedTool;
  /** Version that the page shows. */
  shown: number;
  changed: () => Promise<void>;
}

export function Versions({ tool, shown, changed }: Props) {
  const { running, error, run } = useAction();
  const back = (version: number) =>
    run(() => request("POST", `${pathOf(tool.name)}/rollback`, { version }).then(changed));
  return (
    <Card title="Versions">
      <ProblemNotice error={error} />
      <Table
        name="Versions"
        columns={["Version", "State", "Author", "Made", "Runs", <span class="unseen">Roll back</span>]}
      >
        {tool.versions.toReversed().map((version) => (
          <tr key={version.version}>
            <td>
              <Link
                href={`/workshop?tool=${encodeURIComponent(tool.name)}&version=${version.version}`}
                aria-current={version.version === shown ? "page" : undefined}
              >
                {version.version}
              </Link>
            </td>
            <td>
              <State version={version} />
            </td>
            <td>{version.author}</td>
            <td>
              <When stamp={version.created} />
            </td>
            <td>{version.runs ? `${version.successes} of ${version.runs} succeeded` : "none so far"}</td>
            <td>
              {version.state === "approved" && !version.active && (
                <button type="button" disabled={running} onClick={() => back(version.version)}>
                  Roll back to {version.version}
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

export function State({ version }: { version: GeneratedToolVersion }) {
  if (version.active) return <Tag mood="good">runs</Tag>;
  if (version.state === "waiting") return <Tag mood="busy">waiting</Tag>;
  return <Tag mood={version.state === "rejected" ? "bad" : "plain"}>{version.state}</Tag>;
}
