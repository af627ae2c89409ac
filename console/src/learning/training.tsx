/** State and progress of the trainer, and the form that starts training. */

import { useState } from "preact/hooks";
import { post, request } from "../api/http";
import type { TrainingStatus } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { Fact, Facts } from "../components/facts";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";
import { Tag } from "../components/tag";
import { Chart } from "./chart";
import { signed } from "./judgment";
import { course } from "./training_curve";

export function Training() {
  const status = useResource<TrainingStatus>("/training/status", "training");
  const state = status.data.value?.state ?? "idle";
  return (
    <Card title="Training" actions={<Tag mood={state === "idle" ? "plain" : "busy"}>{state}</Tag>}>
      <Loaded of={status}>{(status) => <Shown status={status} />}</Loaded>
      <Begin state={state} changed={status.reload} />
    </Card>
  );
}

function Shown({ status }: { status: TrainingStatus }) {
  const { skill, points } = course.value;
  return (
    <>
      {status.state === "training" && (
        <p>
          <label>
            Episode {status.episode} of {status.episodes}{" "}
            <progress value={status.episode} max={Math.max(status.episodes, 1)} />
          </label>
        </p>
      )}
      {points.length > 1 && (
        <Chart
          name={`Mean reward of ${plainName(skill)} by episode`}
          line={points}
          counts={`episodes of ${plainName(skill)}`}
        />
      )}
      <Facts>
        {status.skill && <Fact name="Skill">{plainName(status.skill)}</Fact>}
        {status.detail && <Fact name="Detail">{status.detail}</Fact>}
        {status.success_rate !== null && (
          <Fact name="Success rate">{Math.round(status.success_rate * 100)} % in the fixed test</Fact>
        )}
        {status.avg_reward !== null && <Fact name="Mean reward">{signed(status.avg_reward)}</Fact>}
        {status.best_checkpoint && <Fact name="Best version">{status.best_checkpoint}</Fact>}
        {status.error && <Fact name="Error">{status.error}</Fact>}
      </Facts>
      {!status.skill && <p class="soft">No training yet. Record a demonstration of a skill, then train it.</p>}
    </>
  );
}

function Begin({ state, changed }: { state: TrainingStatus["state"]; changed: () => Promise<void> }) {
  const [skill, setSkill] = useState("");
  const { running, error, run } = useAction();
  const begin = (event: Event) => {
    event.preventDefault();
    void run(() => post("/training", { skill: skill.trim() }).then(changed));
  };
  return (
    <form class="begin" onSubmit={begin}>
      <ProblemNotice error={error} />
      {state === "training" ? (
        <button
          type="button"
          disabled={running}
          onClick={() => run(() => request("DELETE", "/training").then(changed))}
        >
          Stop training
        </button>
      ) : (
        <div class="row">
          <input
            type="text"
            value={skill}
            onInput={(event) => setSkill(event.currentTarget.value)}
            placeholder="skill of a demonstration"
            aria-label="Skill to train"
            list="shown-skills"
            autocomplete="off"
          />
          <button type="submit" disabled={running || state !== "idle" || !skill.trim()}>
            Start training
          </button>
        </div>
      )}
    </form>
  );
}
