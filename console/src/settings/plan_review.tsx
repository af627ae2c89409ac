/** How much of a plan a person wants to approve. */

import { post } from "../api/http";
import type { Plan } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { Loaded } from "../components/loaded";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";

/** As `Plan` numbers them. */
const REVIEWS = [
  ["It acts at once", "Plans are shown, and nobody is asked about them."],
  ["I approve the plan", "It waits for a yes to each plan, and to each change of it."],
  ["I approve every step", "It waits for a yes to each step too."],
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
            <legend class="unseen">What of a plan I approve</legend>
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
