/** Form for a timer, an alarm or a reminder, with the time in words. */

import { useState } from "preact/hooks";
import { post } from "../api/http";
import type { ScheduleEntry, ScheduleRequest } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { ProblemNotice } from "../components/problem_notice";
import { KINDS, type Kind } from "./entry";

const EXAMPLES: Record<Kind, { time: string; text: string }> = {
  timer: { time: "ten minutes", text: "pasta" },
  alarm: { time: "tomorrow at 7:30 am", text: "get up" },
  reminder: { time: "every weekday at nine", text: "water the plants" },
};

export function AddEntry({ added }: { added: () => void }) {
  const [kind, setKind] = useState<Kind>("timer");
  const [time, setTime] = useState("");
  const [text, setText] = useState("");
  const [told, setTold] = useState("");
  const { running, error, run } = useAction();
  const complete = time.trim() !== "" && (kind !== "reminder" || text.trim() !== "");
  const add = async (event: Event) => {
    event.preventDefault();
    setTold("");
    const order: ScheduleRequest = { kind, time: time.trim(), text: text.trim(), language: "" };
    const done = await run(async () => {
      const entry = await post<ScheduleEntry>("/schedule", order);
      setTold(`The ${kind} is due ${new Date(entry.due * 1000).toLocaleString()}.`);
    });
    if (!done) return;
    setTime("");
    setText("");
    added();
  };
  return (
    <Card title="Add an entry">
      <form class="schedule-form" onSubmit={(event) => void add(event)}>
        <label>
          Kind
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value as Kind)}>
            {KINDS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <TextField label="When" value={time} example={EXAMPLES[kind].time} change={setTime} />
        <TextField
          label={kind === "reminder" ? "What to remind you of" : "Name (optional)"}
          value={text}
          example={EXAMPLES[kind].text}
          change={setText}
        />
        <button type="submit" class="primary" disabled={running || !complete}>
          Add
        </button>
      </form>
      <ProblemNotice error={error} />
      <p role="status">{told}</p>
    </Card>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  example: string;
  change: (value: string) => void;
}

function TextField({ label, value, example, change }: TextFieldProps) {
  return (
    <label>
      {label}
      <input
        type="text"
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
        placeholder={example}
        maxLength={200}
        autocomplete="off"
      />
    </label>
  );
}
