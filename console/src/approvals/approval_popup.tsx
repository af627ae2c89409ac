/** The oldest question, over whatever view is open; it takes no focus from who is typing. */

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
    <aside class="approval-popup" role="alertdialog" aria-label="The robot asks for leave" aria-live="assertive">
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

/** What came of an answer to the last question there was. */
function Alone() {
  if (!objection.value) return null;
  return (
    <div class="approval-popup">
      <Objection />
    </div>
  );
}
