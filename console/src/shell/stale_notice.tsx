/** Says that nothing has been heard for a while; what is below is grayed meanwhile. */

import { staleFor } from "./freshness";

export function StaleNotice() {
  const seconds = staleFor.value;
  if (!seconds) return null;
  return (
    <div class="stale" role="status">
      <strong>Last update {seconds} s ago.</strong> <span>What you see is old. The page connects again by itself.</span>
    </div>
  );
}
