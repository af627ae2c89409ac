/** Settings of the graph and its nodes, which the robot keeps in a file. */

import { useState } from "preact/hooks";
import type { SettingsList } from "../api/schemas";
import { Card } from "../components/card";
import { Loaded } from "../components/loaded";
import { useResource } from "../components/resource";
import { matching } from "./setting";
import { SettingEditor } from "./setting_editor";

export function RobotSettings() {
  const found = useResource<SettingsList>("/settings");
  const [words, setWords] = useState("");
  return (
    <Card title="Robot settings">
      <input
        type="search"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
        placeholder="Find a setting, for example volume"
        aria-label="Find a setting"
      />
      <Loaded of={found}>
        {({ settings, file }) => {
          const shown = matching(settings, words);
          return (
            <>
              <p class="soft small" role="status">
                {words.trim() ? `${shown.length} of ${settings.length} settings.` : changedIn(file, shown.length)}
              </p>
              <ul class="robot-settings">
                {shown.map((setting) => (
                  <SettingEditor key={setting.name} setting={setting} changed={found.reload} />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

function changedIn(file: string, count: number): string {
  return count ? `Changed in ${file} or by an environment variable:` : "All settings have their defaults.";
}
