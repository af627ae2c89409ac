/** A generated tool: every version with its code and test results. */

import { useLocation, useSearchParams } from "wouter-preact";
import { request } from "../api/http";
import type { GeneratedTool, GeneratedToolVersion, Tool } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { ConfirmedButton } from "../components/confirmed_button";
import { Loaded } from "../components/loaded";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";
import { Tag } from "../components/tag";
import { EnableButton } from "./enable_button";
import { ToolFacts, ToolTitle } from "./predefined_tool";
import { pathOf } from "./tool";
import { ToolVersion } from "./tool_version";
import { Versions } from "./versions";

interface Props {
  name: string;
  /** Entry in the list of tools; null if no version is active. */
  listed: Tool | null;
  changed: () => Promise<void>;
}

export function GeneratedToolView({ name, listed, changed }: Props) {
  const tool = useResource<GeneratedTool>(pathOf(name), "tools");
  const both = async () => {
    await Promise.all([changed(), tool.reload()]);
  };
  return <Loaded of={tool}>{(found) => <Shown tool={found} listed={listed} changed={both} />}</Loaded>;
}

interface ShownProps {
  tool: GeneratedTool;
  listed: Tool | null;
  changed: () => Promise<void>;
}

function Shown({ tool, listed, changed }: ShownProps) {
  const version = useShownVersion(tool);
  const [, go] = useLocation();
  const { running, error, run } = useAction();
  const forget = () =>
    run(async () => {
      await request("DELETE", pathOf(tool.name));
      go("/workshop");
      await changed();
    });
  return (
    <>
      <Card
        title={<ToolTitle name={tool.name} />}
        actions={
          <>
            <Standing tool={tool} />
            <EnableButton name={tool.name} enabled={tool.enabled} changed={changed} />
            <ConfirmedButton
              question={`Delete ${tool.name}?`}
              consequence="All versions, tests and run records of the tool are deleted."
              act="Delete"
              onConfirm={forget}
              disabled={running}
            >
              Delete
            </ConfirmedButton>
          </>
        }
      >
        <ProblemNotice error={error} />
        {!tool.enabled && <p class="soft">Disabled: {tool.reason || "by a person"}</p>}
        <p>{listed?.description || version.explanation}</p>
        {listed && <ToolFacts tool={listed} />}
      </Card>
      <ToolVersion key={version.version} tool={tool} version={version} changed={changed} />
      <Versions tool={tool} shown={version.version} changed={changed} />
    </>
  );
}

function Standing({ tool }: { tool: GeneratedTool }) {
  if (tool.versions.some((one) => one.state === "waiting")) return <Tag mood="busy">waiting for your review</Tag>;
  if (!tool.enabled) return <Tag mood="bad">disabled</Tag>;
  const active = tool.versions.find((one) => one.active);
  return active ? <Tag mood="good">version {active.version} active</Tag> : <Tag>no active version</Tag>;
}

/** The version in the address, otherwise the waiting one, otherwise the active one. */
function useShownVersion({ version, versions }: GeneratedTool): GeneratedToolVersion {
  const [search] = useSearchParams();
  const number = Number(search.get("version"));
  return (
    versions.find((one) => one.version === number) ??
    versions.findLast((one) => one.state === "waiting") ??
    versions.find((one) => one.version === version)!
  );
}
