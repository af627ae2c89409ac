/** Lengths of time as people read them. */

/** Seconds from one second on, milliseconds below. */
export function duration(seconds: number): string {
  if (seconds < 0) return `-${duration(-seconds)}`;
  if (seconds >= 90) {
    const whole = Math.round(seconds);
    return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  }
  if (seconds >= 0.9995) return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;
  const milliseconds = seconds * 1000;
  return `${milliseconds < 9.95 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
}

const STEPS: [number, Intl.RelativeTimeFormatUnit][] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Time since an event, in words; "just now" below one minute. */
export function ago(stamp: number, now: number): string {
  const passed = Math.max(now - stamp, 0);
  const step = STEPS.find(([length]) => passed >= length);
  return step ? words.format(-Math.floor(passed / step[0]), step[1]) : "just now";
}
