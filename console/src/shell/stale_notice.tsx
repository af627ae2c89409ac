/** Notice that the data is old; the view below is grayed out. */

import { staleFor } from "./freshness";

export function StaleNotice() {
  const seconds = staleFor.value;
  if (!seconds) return null;
  return (
    <div class="stale" role="status">
      <strong>Last update {seconds} s ago.</strong>{" "}
      <span>The data below is old. The page reconnects automatically.</span>
    </div>
  );
}
