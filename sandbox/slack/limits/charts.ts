import { z } from 'zod';
import { id, text } from './texts.ts';

/** The docs say 6; newer third-party docs say 12. The double holds the bot to what is safe. */
const MAX_SERIES = 6;
const POINTS = 20;

const point = z.strictObject({ label: text(20), value: z.number() });
const axes = {
  series: z
    .array(z.strictObject({ name: text(20), data: z.array(point).min(1).max(POINTS) }))
    .min(1)
    .max(MAX_SERIES),
  axis_config: z.strictObject({
    categories: z.array(text(20)).min(1).max(POINTS),
  }),
};

const chart = z.strictObject({ type: z.literal('bar'), ...axes }).superRefine((one, context) => {
  const { categories } = one.axis_config;
  const refuse = (message: string, ...path: (string | number)[]): void =>
    context.addIssue({ code: 'custom', path, message });
  if (new Set(categories).size < categories.length)
    refuse('categories must be unique', 'axis_config', 'categories');
  if (new Set(one.series.map((series) => series.name)).size < one.series.length) {
    refuse('series names must be unique', 'series');
  }
  for (const [index, { data }] of one.series.entries()) {
    const labels = new Set(data.map((each) => each.label));
    const isComplete = labels.size === data.length && data.length === categories.length;
    if (isComplete && categories.every((category) => labels.has(category))) continue;
    refuse('must have exactly one point for each category', 'series', index, 'data');
  }
});

/** A `data_visualization` block with bars; in messages only. */
export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: id,
  title: text(50),
  chart,
});
