/** A figure over time, as small as a word. */

const WIDTH = 96;
const HEIGHT = 20;

/** Values before the line is drawn, and the least number that its width stands for: fewer would be a dot or jump. */
const FEWEST = 3;
const NARROWEST = 15;

interface Props {
  /** One value each second. */
  values: number[];
  /** Value at the top of the chart, unless a value is higher. */
  top: number;
  label: string;
}

/** Period of the values, in words. */
export function periodOf(values: number): string {
  return values < 120 ? `last ${Math.max(values, NARROWEST)} s` : "last 2 minutes";
}

export function Sparkline({ values, top, label }: Props) {
  if (values.length < FEWEST) return <span class="soft small">collecting…</span>;
  const most = Math.max(top, ...values);
  const step = WIDTH / (Math.max(values.length, NARROWEST) - 1);
  const points = values.map((value, at) => {
    const x = WIDTH - (values.length - 1 - at) * step;
    return `${x.toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`;
  });
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <polyline points={points.join(" ")} />
    </svg>
  );
}
