/** One approval: the tool call, its reason and time limit, and the three answers. */

import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import type { Approval } from "../api/schemas";
import { duration } from "../components/duration";
import { plainName } from "../components/plain_name";
import { serverNow } from "../shell/server_clock";
import { type Decision, argumentRows, decide, deed } from "./approvals";
import "./approvals.css";

export function Question({ approval }: { approval: Approval }) {
  const sending = useSignal(false);
  const title = useId();
  const answer = async (decision: Decision) => {
    sending.value = true;
    await decide(approval, decision);
    sending.value = false;
  };
  const rows = argumentRows(approval.arguments_json);
  return (
    <article class="question" aria-labelledby={title}>
      <h2 id={title}>{approval.question}</h2>
      {deed(approval.tool) && (
        <p>
          <strong>Tool:</strong> {deed(approval.tool)}
        </p>
      )}
      <p>
        <strong>Reason:</strong> {approval.reason}
      </p>
      {rows.length > 0 && (
        <table class="arguments">
          <caption class="unseen">Arguments</caption>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <details class="soft small">
        <summary>Details</summary>
        Tool <code>{approval.tool}</code>, requested by {plainName(approval.requester) || "the agent"} in the
        conversation {approval.session_id}
        {approval.asked_by && <> with {approval.asked_by}</>}. Rule: {approval.rule}
      </details>
      <Countdown approval={approval} />
      <div class="row answers">
        <button type="button" class="danger" disabled={sending.value} onClick={() => answer("deny")}>
          Deny
        </button>
        <button type="button" disabled={sending.value} onClick={() => answer("once")}>
          Approve once
        </button>
        <button type="button" disabled={sending.value} onClick={() => answer("conversation")}>
          Approve for this conversation
        </button>
      </div>
    </article>
  );
}

/** Time left to answer. A timer is not read aloud every second. */
function Countdown({ approval }: { approval: Approval }) {
  const left = useSignal(Math.max(0, approval.expires - serverNow()));
  useEffect(() => {
    const timer = setInterval(() => (left.value = Math.max(0, approval.expires - serverNow())), 500);
    return () => clearInterval(timer);
  }, [approval]);
  const whole = Math.max(approval.expires - approval.requested, 1);
  return (
    <div class="countdown">
      <span class="countdown-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(100, (100 * left.value) / whole)}%` }} />
      </span>
      <span class="small" role="timer">
        Denied automatically in {duration(Math.ceil(left.value)).replace(/\.\d+/, "")}
      </span>
    </div>
  );
}
