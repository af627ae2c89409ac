/** The oldest open approval, beside what a view shows: it covers nothing and leaves the focus where it is. */

import { useLocation } from "wouter-preact";
import { approvals } from "./approvals";
import { Objection } from "./objection";
import { Question } from "./question";
import "./approvals.css";

export function ApprovalDock() {
  const [, navigate] = useLocation();
  const [first, ...others] = approvals.value;
  if (!first) return <Objection />;
  return (
    <aside class="approval-dock" role="alertdialog" aria-label="The robot asks for permission" aria-live="assertive">
      <Question key={first.approval_id} approval={first} />
      <Objection />
      {others.length > 0 && (
        <button type="button" onClick={() => navigate("/approvals")}>
          {others.length} more
        </button>
      )}
    </aside>
  );
}
