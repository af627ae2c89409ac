/** Choice of the plans and steps that need approval. */

import { post } from "../api/http";
import type { Plan } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { Loaded } from "../components/loaded";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";

/** In the order of the numbers in `Plan`. */
const REVIEWS = [
  ["No approval", "The robot shows its plan and starts at once."],
  ["Approve each plan", "The robot asks before it starts or changes a plan."],
  ["Approve each step", "The robot also asks before each step."],
];

export function PlanReview() {
  const plan = useResource<Plan>("/plan", "plan");
  const { running, error, run } = useAction();
  const choose = (review: number) => run(() => post("/plan/review", { review }).then(plan.reload));
  return (
    <Card title="Plans">
      <ProblemNotice error={error} />
      <Loaded of={plan}>
        {({ review }) => (
          <fieldset class="choices" disabled={running}>
            <legend class="unseen">Approval of plans</legend>
            {REVIEWS.map(([name, about], number) => (
              <label key={number} class="choice">
                <input type="radio" name="review" checked={review === number} onChange={() => choose(number)} />
                <span>
                  {name} <span class="soft small">{about}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
      </Loaded>
    </Card>
  );
}
