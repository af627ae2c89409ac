/** A time in words, with the exact time in the tooltip. */

import { signal } from "@preact/signals";
import { ago } from "./duration";

const now = signal(Date.now() / 1000);
setInterval(() => (now.value = Date.now() / 1000), 20_000);

export function When({ stamp }: { stamp: number }) {
  const date = new Date(stamp * 1000);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {ago(stamp, Math.max(now.value, Date.now() / 1000))}
    </time>
  );
}
