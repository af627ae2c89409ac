/** The oldest open approval, above every view. It does not take the focus from a text field. */

import { useLocation } from "wouter-preact";
import { approvals, objection } from "./approvals";
import { Objection } from "./objection";
import { Question } from "./question";
import "./approvals.css";

export function ApprovalPopup() {
  const [location, navigate] = useLocation();
  const [first, ...others] = approvals.value;
  if (location.startsWith("/approvals")) return null;
  if (!first) return <Alone />;
  return (
    <aside class="approval-popup" role="alertdialog" aria-label="The robot asks for permission" aria-live="assertive">
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

/** Result of an answer after which no approval is open. */
function Alone() {
  if (!objection.value) return null;
  return (
    <div class="approval-popup">
      <Objection />
    </div>
  );
}
