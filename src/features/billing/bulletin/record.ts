import { z } from 'zod';
import type { Route } from '../../../core/intake/route.ts';
import type { SettingShown } from '../../../core/intake/setting.ts';
import type { WokenOne } from '../../../core/records/job.ts';
import type { OneKind, OneRecord } from '../../../core/records/one-record.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Phrase } from '../../../platform/slack/phrase.ts';

/** How often the bulletin that is due was tried. Times are the calendar's, Unix ms, as in all of the record. */
const attemptSchema = z.object({
  /** Which one it is: the one that was due then. */
  of: z.number(),
  startedAt: z.number(),
  /** It is tried again then. */
  dueAt: z.number(),
  failures: z.int(),
});
export type Attempt = z.infer<typeof attemptSchema>;

/** When a bulletin comes next and where, and how often the one that is due was tried. */
export interface BulletinRecord<When> {
  readonly set?: SetBulletin<When> | undefined;
  readonly attempt?: Attempt | undefined;
}
/** A bulletin that is set. `dueAt`: when the next one is due. */
export interface SetBulletin<When> {
  readonly schedule: When;
  readonly channelId: string;
  readonly by: string;
  readonly dueAt: number;
}
export type BulletinKind<When> = OneKind<BulletinRecord<When>> & WokenOne<BulletinRecord<When>>;

/** What a channel is told again and again, at times that people set. */
export interface Bulletin<When> {
  readonly kind: BulletinKind<When>;
  readonly store: OneRecord<BulletinRecord<When>>;
  readonly route: Pick<Route, 'id' | 'verb' | 'spoken' | 'usage' | 'summary'>;
  /** As in "the digest". Outside of Slack it is its kind. */
  readonly called: string;
  /** As in "This week's". */
  readonly whose: string;
  readonly icon: string;
  /** What it is asked for with first: when that is, the words for it, and what asks for another time. */
  readonly usual: {
    readonly when: string;
    readonly words: readonly string[];
    readonly other: NonNullable<SettingShown['presses']>[number];
  };
  /** When it comes, by the words after the verb; without a zone in `usualZone`. Throws a Refusal. */
  parse(words: readonly string[], usualZone: string): When;
  /** "every Monday at 09:00 (UTC), next …". */
  whenWords(schedule: When, nextAt: number): Phrase;
  /** When the next one is due, strictly after `afterMs`; both Unix ms. */
  nextAt(schedule: When, afterMs: number): number;
  /** What it is made of, as far as that is kept here. `now`: the calendar's, Unix ms. */
  read(set: SetBulletin<When>, now: number): Promise<ToMake>;
}

/** A bulletin that is to be made. */
interface ToMake {
  /** The ledger will soon know more of its days. */
  readonly isComing: boolean;
  /** Makes it, with its figures for machines: amounts as decimals. Throws HostingError or a Refusal. */
  look(): Promise<{ readonly message: Message; readonly facts: Readonly<Record<string, string>> }>;
}

/** The schema of a bulletin that comes at what `schedule` reads. */
export function bulletinSchema<When>(schedule: z.ZodType<When>): z.ZodType<BulletinRecord<When>> {
  const set = z.object({ schedule, channelId: z.string(), by: z.string(), dueAt: z.number() });
  return z.object({ set: set.optional(), attempt: attemptSchema.optional() });
}

/** What the kinds of all bulletins have in common. */
export const BY_SCHEDULE = {
  isSeldom: true,
  isByCalendar: true,
  none: {},
  dueAt: ({ set, attempt }: BulletinRecord<unknown>): number => {
    if (!set) return Number.POSITIVE_INFINITY;
    return attempt?.of === set.dueAt ? attempt.dueAt : set.dueAt;
  },
} as const;

/** How often the one that is due was tried; nothing of one before it counts. */
export function attemptOf(
  { attempt }: BulletinRecord<unknown>,
  { dueAt }: SetBulletin<unknown>,
  now: number,
): Attempt {
  return attempt?.of === dueAt ? attempt : { of: dueAt, startedAt: now, dueAt: now, failures: 0 };
}

/** The record whose bulletin is tried again; undefined where another has ended it, or it was set again meanwhile. */
export function putOff<When>(
  record: BulletinRecord<When>,
  attempt: Attempt,
): BulletinRecord<When> | undefined {
  return record.set?.dueAt === attempt.of ? { ...record, attempt } : undefined;
}

/** The record of which the one due at `dueAt` is over; undefined where another ended it, or it was set again meanwhile. */
export function endedAt<When>(
  record: BulletinRecord<When>,
  dueAt: number,
  nextAt: (schedule: When) => number,
): BulletinRecord<When> | undefined {
  const { set } = record;
  if (!set || set.dueAt !== dueAt) return undefined;
  // A late one is not made up for by two at once.
  return { set: { ...set, dueAt: nextAt(set.schedule) } };
}
