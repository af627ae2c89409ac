/** A predefined tool, or a tool of an MCP server. */

import type { Tool } from "../api/schemas";
import { Card } from "../components/card";
import { duration } from "../components/duration";
import { Fact, Facts } from "../components/facts";
import { plainName } from "../components/plain_name";
import { Tag } from "../components/tag";
import { EnableButton } from "./enable_button";

const PERMISSIONS = {
  autonomous: "runs without asking",
  notify: "runs and tells you",
  confirm: "asks you first",
  forbidden: "never runs",
};

const AUTHORS = {
  none: "",
  person: "a person",
  language_model: "a language model",
  import: "somebody else, imported from a file",
};

export function PredefinedTool({ tool, changed }: { tool: Tool; changed: () => Promise<void> }) {
  return (
    <Card
      title={<ToolTitle name={tool.name} />}
      actions={
        <>
          {tool.enabled ? <Tag mood="good">enabled</Tag> : <Tag mood="bad">disabled</Tag>}
          <EnableButton name={tool.name} enabled={tool.enabled} changed={changed} />
        </>
      }
    >
      <p>{tool.description}</p>
      <ToolFacts tool={tool} />
    </Card>
  );
}

export function ToolTitle({ name }: { name: string }) {
  return (
    <>
      <span class="tool-name">{plainName(name)}</span> <code class="soft small">{name}</code>
    </>
  );
}

export function ToolFacts({ tool }: { tool: Tool }) {
  return (
    <Facts>
      {AUTHORS[tool.author] && <Fact name="Written by">{AUTHORS[tool.author]}</Fact>}
      <Fact name="Permission">{PERMISSIONS[tool.permission]}</Fact>
      <Fact name="Body">{tool.moves_robot ? "can move the robot" : "does not move the robot"}</Fact>
      <Fact name="Used by">{tool.specialist || "every agent"}</Fact>
      <Fact name="Time limit">{duration(tool.time_limit)}</Fact>
      {tool.untrusted_output && (
        <Fact name="Result">contains third-party text, whose instructions are not followed</Fact>
      )}
      <Fact name="Arguments">
        <Parameters schema={tool.parameters} />
      </Fact>
    </Facts>
  );
}

interface Property {
  type?: string;
  description?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
}

function Parameters({ schema }: { schema: Record<string, unknown> }) {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Property>);
  const required = (schema.required ?? []) as string[];
  if (properties.length === 0) return <>none</>;
  return (
    <ul class="parameters">
      {properties.map(([name, property]) => (
        <li key={name}>
          <code>{name}</code> <span class="soft small">{rangeOf(property, required.includes(name))}</span>
          {property.description && <div class="small">{property.description}</div>}
        </li>
      ))}
    </ul>
  );
}

function rangeOf({ type, enum: choices, minimum, maximum }: Property, required: boolean): string {
  const range = minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : "";
  return [choices ? choices.join(", ") : type, range, required ? "" : "optional"].filter(Boolean).join(" · ");
}
