/** Open approvals, the latest answers and standing permissions. */

import { request } from "../api/http";
import type { Grant, GrantList } from "../api/schemas";
import { useAction } from "../components/action";
import { Card } from "../components/card";
import { Empty } from "../components/empty";
import { Loaded } from "../components/loaded";
import { plainName } from "../components/plain_name";
import { ProblemNotice } from "../components/problem_notice";
import { useResource } from "../components/resource";
import { View } from "../components/view";
import { answered, approvals } from "./approvals";
import { Objection } from "./objection";
import { Question } from "./question";

export function Approvals() {
  return (
    <View title="Approvals">
      <Objection />
      {approvals.value.length === 0 && (
        <Empty title="No open approvals">
          The robot asks here before it does something that affects others or cannot be undone. No answer before the
          time runs out counts as no.
        </Empty>
      )}
      {approvals.value.map((approval) => (
        <Question key={approval.approval_id} approval={approval} />
      ))}
      <Answers />
      <Grants />
    </View>
  );
}

function Answers() {
  return (
    <Card title="Answers">
      {answered.value.length === 0 ? (
        <p class="soft">None since the agent started. The command reachy-agent audit lists all answers.</p>
      ) : (
        <ul class="grants">
          {answered.value.map((one) => (
            <li key={one.approval_id}>
              <span>
                <strong>{plainName(one.tool)}</strong> {one.approved ? "approved" : "denied"} by {one.decided_by}
                {one.asked_by && <span class="soft">, requested with {one.asked_by}</span>}
              </span>
              <time class="soft small" dateTime={new Date(one.decided * 1000).toISOString()}>
                {new Date(one.decided * 1000).toLocaleTimeString()}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Grants() {
  const grants = useResource<GrantList>("/grants", "grants", "approvals");
  const { running, error, run } = useAction();
  const revoke = (grant: Grant) =>
    run(async () => {
      await request("DELETE", `/grants/${grant.grant_id}`);
      await grants.reload();
    });
  return (
    <Card title="Standing permissions">
      <ProblemNotice error={error} />
      <Loaded of={grants}>
        {(found) =>
          found.grants.length === 0 ? (
            <p class="soft">None. The robot asks every time.</p>
          ) : (
            <ul class="grants">
              {found.grants.map((grant) => (
                <li key={grant.grant_id}>
                  <span>
                    <strong>{grant.tools.map(plainName).join(", ")}</strong> {scope(grant)}
                    {grant.given_by && <span class="soft">, given by {grant.given_by}</span>}
                  </span>
                  <button type="button" disabled={running} onClick={() => revoke(grant)}>
                    Revoke
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function scope(grant: Grant): string {
  const where = grant.session_id ? `in the conversation ${grant.session_id}` : "in every conversation";
  const count = grant.uses > 0 ? `, ${grant.uses} more times` : "";
  const until = grant.expires ? `, until ${new Date(grant.expires * 1000).toLocaleTimeString()}` : "";
  return where + count + until;
}
