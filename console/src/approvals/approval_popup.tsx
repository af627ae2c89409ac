/** The oldest question, over whatever view is open; it takes no focus from who is typing. */

import { useLocation } from "wouter-preact";
import { approvals, objection } from "./approvals";
import { Question } from "./question";
import "./approvals.css";

export function ApprovalPopup() {
  const [location, navigate] = useLocation();
  const [first, ...others] = approvals.value;
  if (!first || location.startsWith("/approvals")) return null;
  return (
    <aside class="approval-popup" role="alertdialog" aria-label="The robot asks for leave" aria-live="assertive">
      <Question key={first.approval_id} approval={first} />
      {objection.value && <p class="small">{objection.value}</p>}
      {others.length > 0 && (
        <button type="button" onClick={() => navigate("/approvals")}>
          {others.length} more
        </button>
      )}
    </aside>
  );
}
