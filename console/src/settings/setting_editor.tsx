/** One setting of the robot, with a field that changes it. */

import { useState } from "preact/hooks";
import { post } from "../api/http";
import type { ChangedSetting, Setting } from "../api/schemas";
import { useAction } from "../components/action";
import { ProblemNotice } from "../components/problem_notice";
import { rangeOf, valueOf } from "./setting";

interface Props {
  setting: Setting;
  changed: () => Promise<void>;
}

const EFFECTS = { now: "The change is in effect.", next_start: "The change takes effect at the next start." };

export function SettingEditor({ setting, changed }: Props) {
  const [text, setText] = useState(String(setting.value));
  const [told, setTold] = useState("");
  const { running, error, run } = useAction();
  const save = (value: Setting["value"] | null) =>
    run(async () => {
      const answer = await post<ChangedSetting>("/settings", { name: setting.name, value });
      setText(String(answer.setting.value));
      setTold(EFFECTS[answer.effect]);
      await changed();
    });
  return (
    <li class="robot-setting">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void save(setting.type === "bool" ? text === "true" : valueOf(setting, text));
        }}
      >
        <label>
          <strong>{setting.name}</strong>
          <span class="soft small"> {setting.description}</span>
          <Field setting={setting} text={text} change={setText} />
        </label>
        {setting.editable && (
          <button type="submit" disabled={running || text === String(setting.value)}>
            Save
          </button>
        )}
        {setting.editable && setting.origin !== "default" && (
          <button type="button" disabled={running} onClick={() => void save(null)}>
            Reset
          </button>
        )}
      </form>
      <p class="soft small">
        {rangeOf(setting)}
        {setting.origin !== "default" && ` · set by ${setting.origin}`}
        {!setting.editable && " · can only be changed on the machine, with reachy-agent config"}
      </p>
      <p class="small" role="status">
        {told}
      </p>
      <ProblemNotice error={error} />
    </li>
  );
}

interface FieldProps {
  setting: Setting;
  text: string;
  change: (text: string) => void;
}

function Field({ setting, text, change }: FieldProps) {
  const choices = setting.type === "bool" ? ["true", "false"] : setting.choices;
  if (choices.length)
    return (
      <select value={text} disabled={!setting.editable} onChange={(event) => change(event.currentTarget.value)}>
        {choices.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    );
  return (
    <input
      type="text"
      inputMode={setting.type === "string" ? "text" : "decimal"}
      value={text}
      disabled={!setting.editable}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}
