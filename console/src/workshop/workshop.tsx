/** The robot's tools, predefined and generated, and their reviews. */

import { Plus } from "lucide-preact";
import { Link, useSearchParams } from "wouter-preact";
import type { ToolCatalogue } from "../api/schemas";
import { Loaded } from "../components/loaded";
import { useResource } from "../components/resource";
import { Split } from "../components/split";
import { View } from "../components/view";
import { GeneratedToolView } from "./generated_tool";
import { NewTool } from "./new_tool";
import { PredefinedTool } from "./predefined_tool";
import { ToolList } from "./tool_list";
import "./workshop.css";

export function Workshop() {
  const tools = useResource<ToolCatalogue>("/tools", "tools");
  const [search] = useSearchParams();
  const name = search.get("tool");
  const writes = search.has("new");
  return (
    <View
      title="Workshop"
      actions={
        <Link class="button primary" href="/workshop?new">
          <Plus size={18} aria-hidden="true" /> Write a tool
        </Link>
      }
    >
      <Loaded of={tools}>
        {(found) => (
          <Split
            list={<ToolList found={found} chosen={name ?? ""} />}
            chosen={
              writes ? (
                <NewTool changed={tools.reload} />
              ) : name ? (
                <Chosen key={name} name={name} found={found} changed={tools.reload} />
              ) : null
            }
            picked={writes || name !== null}
            back="/workshop"
            hint="Choose a tool to see what it does, who wrote it and its test results."
          />
        )}
      </Loaded>
    </View>
  );
}

function Chosen({ name, found, changed }: { name: string; found: ToolCatalogue; changed: () => Promise<void> }) {
  const tool = found.tools.find((one) => one.name === name);
  if (tool && tool.source !== "generated") return <PredefinedTool tool={tool} changed={changed} />;
  return <GeneratedToolView name={name} listed={tool ?? null} changed={changed} />;
}
