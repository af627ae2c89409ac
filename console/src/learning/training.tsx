/** What the trainer does now, with its curve, and having it train. */

import { useState } from "preact/hooks";
import { post, request } from "../api/http";
import type { TrainingStatus } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { Fact, Facts } from "../components/facts";
import { Loaded } from "../components/loaded";
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
        <Chart name={`Mean reward of ${skill} over its episodes`} line={points} counts={`episodes of ${skill}`} />
      )}
      <Facts>
        {status.skill && <Fact name="Skill">{status.skill}</Fact>}
        {status.detail && <Fact name="It says">{status.detail}</Fact>}
        {status.success_rate !== null && (
          <Fact name="Success">{Math.round(status.success_rate * 100)} % in the fixed test</Fact>
        )}
        {status.avg_reward !== null && <Fact name="Reward">{signed(status.avg_reward)} on average</Fact>}
        {status.best_checkpoint && <Fact name="Acts">{status.best_checkpoint}</Fact>}
        {status.error && <Fact name="Failed">{status.error}</Fact>}
      </Facts>
      {!status.skill && <p class="soft">Nothing was trained yet. Show the robot a skill, then have it train that.</p>}
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
          End the training
        </button>
      ) : (
        <div class="row">
          <input
            type="text"
            value={skill}
            onInput={(event) => setSkill(event.currentTarget.value)}
            placeholder="skill, as it was shown"
            aria-label="Skill to train"
            list="shown-skills"
            autocomplete="off"
          />
          <button type="submit" disabled={running || state !== "idle" || !skill.trim()}>
            Train it
          </button>
        </div>
      )}
    </form>
  );
}
