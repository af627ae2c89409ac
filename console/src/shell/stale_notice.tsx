/** Notice that the data is old; the view below is grayed out. */

import { outdated, staleFor } from "./freshness";

export function StaleNotice() {
  if (!outdated.value) return null;
  return (
    <div class="stale" role="status">
      <strong>Connection lost. Last update {staleFor.value} s ago.</strong>{" "}
      <span>The data below is old. The page reconnects automatically.</span>
    </div>
  );
}
