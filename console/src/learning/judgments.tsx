/** Latest feedback, with the action it is about and the learning result. */

import { Link } from "wouter-preact";
import type { Judgment, JudgmentList, Reward } from "../api/schemas";
import { Card } from "../components/card";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { useResource } from "../components/resource";
import { Tag } from "../components/tag";
import { When } from "../components/when";
import { axisName, plainReason } from "./axis";
import { signed } from "./judgment";
import { policyUpdates } from "./policy_updates";

const SOURCES = { text: "written", speech: "said", button: "pressed", rating: "rated", implicit: "observed" };

export function Judgments() {
  const found = useResource<JudgmentList>("/feedback?limit=20", "reward", "policy_update");
  return (
    <Card title="Latest feedback">
      <Loaded of={found}>
        {({ feedback }) =>
          feedback.length ? (
            <ul class="judgments" tabIndex={0} aria-label="Latest feedback">
              {feedback.map((judgment) => (
                <Judged key={judgment.feedback_id} judgment={judgment} />
              ))}
            </ul>
          ) : (
            <Empty title="No feedback yet" />
          )
        }
      </Loaded>
    </Card>
  );
}

function Judged({ judgment }: { judgment: Judgment }) {
  const update = policyUpdates.value.get(judgment.feedback_id);
  const first = judgment.rewards[0];
  return (
    <li>
      <div class="row">
        <strong>{judgment.text ? `“${judgment.text}”` : wordsOf(judgment)}</strong>
        {first && <Tag mood={first.sign > 0 ? "good" : first.sign < 0 ? "bad" : "plain"}>{signed(first.rating)}</Tag>}
      </div>
      <div class="soft small row">
        <When stamp={judgment.given} />
        <span>
          {SOURCES[judgment.source]}
          {judgment.person && ` by ${judgment.person}`}
        </span>
        {judgment.turn_id && <Link href={`/timeline?turn=${judgment.turn_id}`}>turn</Link>}
      </div>
      {judgment.rewards.length > 0 && <div class="small">about: {judgment.rewards.map(shareOf).join(", ")}</div>}
      {first && first.axes.length > 0 && (
        <div class="small">requested change: {first.axes.map(axisName).join(", ")}</div>
      )}
      {update && (
        <div class="small">
          {update.learned ? <Tag mood="good">learned</Tag> : <Tag>not learned</Tag>} {plainReason(update.reason)}
        </div>
      )}
    </li>
  );
}

function wordsOf({ rating }: Judgment): string {
  if (rating === null) return "Observed";
  return rating > 0 ? "Good" : rating < 0 ? "Bad" : "Neutral";
}

function shareOf({ skill, weight, policy_version: version }: Reward): string {
  const share = weight < 0.995 ? ` (${Math.round(weight * 100)} %)` : "";
  return `${plainName(skill)}${version ? ` version ${version}` : ""}${share}`;
}
