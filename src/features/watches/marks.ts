import { z } from 'zod';
import type { Instance } from '../../platform/hosting/service.ts';

/** Whatever a service gives its machines, a record stays small. */
const MAX_LABELS = 20;
const MAX_CHARS = 100;

const shortText = z.string().max(MAX_CHARS);
/** The labels and the region that an instance had last, as far as the service told them. */
export const marksSchema = z.object({
  labels: z.array(shortText).max(MAX_LABELS).optional(),
  region: shortText.optional(),
});
export type Marks = z.infer<typeof marksSchema>;

/**
 * What is kept of the labels and the region of an instance; what the service doesn't tell now stays as it was `before`. What is too
 * long, or one too many, is left out: a right that goes by it allows less. Undefined where nothing was told. Pure.
 */
export function marksOf(
  { labels: told, region: at }: Pick<Instance, 'labels' | 'region'>,
  before: Marks | undefined,
): Marks | undefined {
  // In any order they are the same labels.
  const short = told?.filter(isShort).toSorted().slice(0, MAX_LABELS);
  const labels = short ?? before?.labels;
  const region = at === undefined ? before?.region : isShort(at) ? at : undefined;
  if (labels === undefined && region === undefined) return undefined;
  return { ...(labels ? { labels } : {}), ...(region === undefined ? {} : { region }) };
}

function isShort(text: string): boolean {
  return text.length <= MAX_CHARS;
}

/** Whether two looks saw the same marks. Pure. */
export function isSameMarks(one: Marks | undefined, other: Marks | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
