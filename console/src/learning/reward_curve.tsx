/** Chart of the ratings over time. */

import { useState } from "preact/hooks";
import type { Reward, RewardList } from "../api/schemas";
import { Card } from "../components/card";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { useResource } from "../components/resource";
import { Chart } from "./chart";
import { curveOf, signed } from "./judgment";
import { trailingMean } from "./scale";

/** Number of ratings in the trailing mean. */
const MEAN_OF = 10;

export function RewardCurve() {
  const [skill, setSkill] = useState("");
  const rewards = useResource<RewardList>("/rewards?limit=500", "reward");
  const found = rewards.data.value?.rewards ?? [];
  const skills = [...new Set(found.map((reward) => reward.skill))].sort();
  return (
    <Card
      title="Ratings over time"
      actions={
        skills.length > 1 && (
          <select aria-label="Skill" value={skill} onChange={(event) => setSkill(event.currentTarget.value)}>
            <option value="">All skills</option>
            {skills.map((one) => (
              <option key={one} value={one}>
                {plainName(one)}
              </option>
            ))}
          </select>
        )
      }
    >
      <Loaded of={rewards}>{({ rewards }) => <Curve rewards={curveOf(rewards, skill)} />}</Loaded>
    </Card>
  );
}

function Curve({ rewards }: { rewards: Reward[] }) {
  if (rewards.length === 0) {
    return <Empty title="No ratings yet">Ask the robot for something, then give feedback.</Empty>;
  }
  const means = trailingMean(
    rewards.map((reward) => reward.rating),
    MEAN_OF,
  );
  const last = means.at(-1)!;
  return (
    <>
      <Chart
        name={`${rewards.length} ratings; the mean of the last ${MEAN_OF} is ${signed(last)}`}
        line={means.map((mean, index) => ({ x: index + 1, y: mean }))}
        dots={rewards.map((reward, index) => ({ x: index + 1, y: reward.rating, about: aboutOf(reward) }))}
        range={[-1, 1]}
        counts="ratings"
      />
      <p class="soft small">
        Each point is one rating from −1 to 1. The line is the mean of the last {MEAN_OF}, now {signed(last)}.
      </p>
    </>
  );
}

function aboutOf({ skill, rating, given }: Reward): string {
  return `${plainName(skill)}: ${signed(rating)}, ${new Date(given * 1000).toLocaleString()}`;
}
