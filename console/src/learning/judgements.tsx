/** The latest judgements: what was said, what it was about, and what was learned from it. */

import { Link } from "wouter-preact";
import type { Judgement, JudgementList, Reward } from "../api/schemas";
import { Card } from "../components/card";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { useResource } from "../components/resource";
import { Tag } from "../components/tag";
import { When } from "../components/when";
import { signed } from "./judgement";
import { policyUpdates } from "./policy_updates";

const SOURCES = { text: "written", speech: "said", button: "pressed", rating: "rated", implicit: "noticed" };

export function Judgements() {
  const found = useResource<JudgementList>("/feedback?limit=20", "reward", "policy_update");
  return (
    <Card title="Latest judgements">
      <Loaded of={found}>
        {({ feedback }) =>
          feedback.length ? (
            <ul class="judgements" tabIndex={0} aria-label="Latest judgements">
              {feedback.map((judgement) => (
                <Judged key={judgement.feedback_id} judgement={judgement} />
              ))}
            </ul>
          ) : (
            <Empty title="No judgements yet" />
          )
        }
      </Loaded>
    </Card>
  );
}

function Judged({ judgement }: { judgement: Judgement }) {
  const update = policyUpdates.value.get(judgement.feedback_id);
  const first = judgement.rewards[0];
  return (
    <li>
      <div class="row">
        <strong>{judgement.text ? `“${judgement.text}”` : wordsOf(judgement)}</strong>
        {first && <Tag mood={first.sign > 0 ? "good" : first.sign < 0 ? "bad" : "plain"}>{signed(first.rating)}</Tag>}
      </div>
      <div class="soft small row">
        <When stamp={judgement.given} />
        <span>
          {SOURCES[judgement.source]}
          {judgement.person && ` by ${judgement.person}`}
        </span>
        {judgement.turn_id && <Link href={`/timeline?turn=${judgement.turn_id}`}>turn</Link>}
      </div>
      {judgement.rewards.length > 0 && <div class="small">about {judgement.rewards.map(shareOf).join(", ")}</div>}
      {first && first.axes.length > 0 && <div class="small">wants {first.axes.join(", ")}</div>}
      {update && (
        <div class="small">
          {update.learned ? <Tag mood="good">learned</Tag> : <Tag>not learned</Tag>} {update.reason}
        </div>
      )}
    </li>
  );
}

function wordsOf({ rating }: Judgement): string {
  if (rating === null) return "Noticed";
  return rating > 0 ? "Good" : rating < 0 ? "Bad" : "So-so";
}

function shareOf({ skill, weight, policy_version: version }: Reward): string {
  const share = weight < 0.995 ? ` (${Math.round(weight * 100)} %)` : "";
  return `${skill}${version ? ` ${version}` : ""}${share}`;
}
