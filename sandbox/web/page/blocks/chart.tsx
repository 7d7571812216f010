import type { JSX } from 'preact';
import type { BlockProps } from './block-props.ts';
import { record, records, textOf } from './json.ts';
import { Undrawn } from './undrawn.tsx';

/** With more bars than this, what stands at them is turned. */
const FLAT_BARS = 6;

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly series: number;
}

/** A chart of bars, with the number over each. */
export function Chart({ block }: BlockProps): JSX.Element {
  const chart = record(block['chart']);
  if (chart['type'] !== 'bar') return <Undrawn what={`a chart of type ${String(chart['type'])}`} />;
  const series = records(chart['series']);
  const bars = series.flatMap((one, index) =>
    records(one['data']).map((point): Bar => ({
      label: textOf(point, 'label'),
      value: Number(point['value']),
      series: index,
    })),
  );
  const top = Math.max(1, ...bars.map(({ value }) => value));
  const isTight = bars.length > FLAT_BARS;
  return (
    <figure class={isTight ? 'chart tight' : 'chart'} aria-label={textOf(block, 'title')}>
      <figcaption>{textOf(block, 'title')}</figcaption>
      <ol class="bars">
        {bars.map((bar, index) => (
          <li key={index} aria-label={`${bar.label}: ${bar.value}`}>
            <div class="column" aria-hidden="true">
              <span class="value">{bar.value.toLocaleString('en-US')}</span>
              <span class={`bar series-${bar.series}`} style={{ height: `${heightOf(bar, top)}%` }} />
            </div>
            <span class="label" aria-hidden="true" title={bar.label}>
              {bar.label}
            </span>
          </li>
        ))}
      </ol>
      <p class="legend">
        {series.map((one, index) => (
          <span key={index}>
            <i class={`series-${index}`} /> {textOf(one, 'name')}
          </span>
        ))}
      </p>
    </figure>
  );
}

/** In hundredths of the room for bars; room for the number over the highest is left. */
function heightOf({ value }: Bar, top: number): number {
  return Math.max(0.5, (Math.max(0, value) / top) * 82);
}
