/** Notice that an answer had no effect, until it is dismissed. */

import { objection } from "./approvals";

export function Objection() {
  if (!objection.value) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{objection.value}</p>
      <button type="button" onClick={() => (objection.value = "")}>
        Understood
      </button>
    </div>
  );
}
