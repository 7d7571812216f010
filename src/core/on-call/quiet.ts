import { z } from 'zod';
import { clockAt, findZone } from '../../platform/time/zoned-time.ts';
import { nextMoment } from '../../platform/time/clock-words.ts';
import { matcherOf } from '../instances/filter.ts';

/** What breaks quiet hours by its kind: alerts of a critical balance, and instances that are deleted, paused or in error. */
export const BREAKING = ['critical', 'errors'] as const;

const timeSchema = z.object({ hour: z.int().min(0).max(23), minute: z.int().min(0).max(59) });

/** When a channel hears only of what can't wait, every day by the clock of a zone. */
export const quietSchema = z.object({
  from: timeSchema,
  until: timeSchema,
  /** An IANA name. */
  zone: z.string().refine((name) => findZone(name) !== undefined),
  /** Kinds, and names of instances as people type them: `prod-*`. */
  breaks: z.array(z.string()),
});
export type Quiet = z.infer<typeof quietSchema>;

/** What may break them, as it is kept: a kind in any spelling by its word, anything else as a name of instances. Pure. */
export function breakingOf(word: string): string {
  const lower = word.toLowerCase();
  if (/^errors?$/.test(lower)) return 'errors';
  return lower === 'critical' ? lower : word;
}

/** Whether they would never end. Pure. */
export function isWholeDay({ from, until }: Pick<Quiet, 'from' | 'until'>): boolean {
  return from.hour === until.hour && from.minute === until.minute;
}

/** When the quiet hours end that it is in, Unix ms; undefined outside of them. Pure. */
export function quietUntil({ from, until, zone }: Quiet, at: number): number | undefined {
  const clock = clockAt(at, zone);
  const minuteOf = ({ hour, minute }: { readonly hour: number; readonly minute: number }): number =>
    hour * 60 + minute;
  const [now, first, last] = [minuteOf(clock), minuteOf(from), minuteOf(until)];
  const isIn = first < last ? first <= now && now < last : first <= now || now < last;
  return isIn ? nextMoment(until, zone, at) : undefined;
}

/** Whether an alert of this kind breaks them. Pure. */
export function breaksByKind({ breaks }: Quiet, kind: (typeof BREAKING)[number]): boolean {
  return breaks.includes(kind);
}

/** Whether what happens to an instance breaks them. `isGrave`: it is deleted, paused or in error. Pure. */
export function breaksFor(
  quiet: Quiet,
  { id, name }: { readonly id: string; readonly name: string },
  isGrave: boolean,
): boolean {
  if (isGrave && breaksByKind(quiet, 'errors')) return true;
  return quiet.breaks.some(
    (one) => !isKind(one) && (one === id || matcherOf(one.replace(/^name:/i, ''))(name)),
  );
}

/** Whether it is a kind, and no name of instances. Pure. */
export function isKind(word: string): boolean {
  return BREAKING.some((kind) => kind === word);
}
