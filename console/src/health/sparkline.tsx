/** A figure over time, as small as a word. */

const WIDTH = 96;
const HEIGHT = 20;

interface Props {
  values: number[];
  /** Value at the top of the chart, unless a value is higher. */
  top: number;
  label: string;
}

export function Sparkline({ values, top, label }: Props) {
  const most = Math.max(top, ...values);
  const points = values.map((value, at) => {
    const x = WIDTH - (values.length - 1 - at) * (WIDTH / 119);
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
