/** Personas, and switching between them. */

import { post } from "../api/http";
import type { Persona, PersonaList } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";
import { Tag } from "../components/tag";

export function Personas() {
  const found = useResource<PersonaList>("/personas", "agent");
  const { running, error, run } = useAction();
  const become = (name: string) => run(() => post("/persona", { name }).then(found.reload));
  return (
    <Card title="Persona">
      <ProblemNotice error={error} />
      <Loaded of={found}>
        {({ personas }) => (
          <ul class="personas">
            {personas.map((persona) => (
              <li key={persona.name} class={persona.active ? "persona active" : "persona"}>
                <div class="row">
                  <strong>{persona.name}</strong>
                  {persona.active && <Tag mood="good">active</Tag>}
                </div>
                <p>{persona.description}</p>
                <p class="soft small">
                  {toolsOf(persona)}
                  {persona.voice && ` · voice ${persona.voice}`}
                </p>
                {!persona.active && (
                  <button type="button" disabled={running} onClick={() => become(persona.name)}>
                    Switch to {persona.name}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p class="soft small">A new persona takes effect on the next turn and persists across restarts.</p>
    </Card>
  );
}

function toolsOf({ tools }: Persona): string {
  if (tools.includes("*")) return "can use every tool";
  return tools.length ? `can use ${tools.map(kindOf).join(", ")}` : "cannot use tools";
}

/** The name of a tool, or of all tools that a pattern such as `*_note` stands for. */
function kindOf(tool: string): string {
  return tool.startsWith("*_") ? `${plainName(tool.slice(2))} tools` : plainName(tool);
}
