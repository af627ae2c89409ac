/** All tools: those waiting for review, generated tools, tools of MCP servers, predefined tools. */

import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { Tool, ToolCatalogue } from "../api/schemas";
import { plainName } from "../components/plain_name";
import { Tag } from "../components/tag";

interface Group {
  title: string;
  tools: Pick<Tool, "name" | "description" | "enabled">[];
}

export function ToolList({ found, chosen }: { found: ToolCatalogue; chosen: string }) {
  const [words, setWords] = useState("");
  const groups = grouped(found, words);
  return (
    <>
      <input
        type="search"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        placeholder="Find a tool"
        aria-label="Find a tool"
      />
      {groups.map((group) => (
        <section key={group.title}>
          <h2 class="group-title">
            {group.title} <span class="soft">{group.tools.length}</span>
          </h2>
          <ul class="items">
            {group.tools.map((tool) => (
              <li key={tool.name}>
                <Link
                  class="item"
                  href={`/workshop?tool=${encodeURIComponent(tool.name)}`}
                  aria-current={tool.name === chosen}
                >
                  <span class="item-name row">
                    {plainName(tool.name)}
                    {!tool.enabled && <Tag mood="bad">disabled</Tag>}
                  </span>
                  <span class="item-about one-line">{tool.description}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <p class="soft">No matching tools.</p>}
    </>
  );
}

/** Tools with all the words, by group, without empty groups. */
export function grouped({ tools, waiting }: Pick<ToolCatalogue, "tools" | "waiting">, words: string): Group[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (tool: Pick<Tool, "name" | "description">) =>
    wanted.every((word) => `${tool.name} ${plainName(tool.name)} ${tool.description}`.toLowerCase().includes(word));
  const of = (source: Tool["source"]) => tools.filter((tool) => tool.source === source && !waiting.includes(tool.name));
  const queued = waiting.map(
    (name) => tools.find((tool) => tool.name === name) ?? { name, description: "New tool", enabled: true },
  );
  return [
    { title: "Waiting for your review", tools: queued },
    { title: "Generated tools", tools: of("generated") },
    { title: "Tools of MCP servers", tools: of("external") },
    { title: "Predefined tools", tools: of("predefined") },
  ]
    .map((group) => ({ ...group, tools: group.tools.filter(has) }))
    .filter((group) => group.tools.length > 0);
}
