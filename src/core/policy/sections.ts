import { z } from 'zod';
import { type Costed, readCostFilter } from '../instances/cost-filter.ts';
import { must, listOf } from './read-yaml.ts';
import { Temporal } from 'temporal-polyfill';
import { isTaken, markOf } from './pattern.ts';
import { parseTimeOfDay } from '../../platform/time/clock-words.ts';
import { DAY_MS, parseDuration } from '../../platform/time/duration.ts';
import { findZone } from '../../platform/time/zoned-time.ts';
import { ADMINS, MAX_STEPS, MAX_WHO } from '../on-call/escalation.ts';
import { type ChannelOnCall, BREAKING, breakingOf, isWholeDay } from '../on-call/on-call.ts';

/** Names for parts of the costs, in the order of the file. */
export type CostGroups = readonly { readonly name: string; readonly filter: string }[];

/** What stands for all of them where one is named. */
export const ALL_GROUPS = 'all';

/** What the policy file gives a name to. It begins with a letter, since an amount and a day begin with a digit. */
const called = z
  .string()
  .regex(
    /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}._-]{0,79}$/u,
    'must be a name in lower case that begins with a letter, without spaces',
  );

const filter = z.string(must('a filter like name:web-*')).superRefine((text, context) => {
  const read = readCostFilter(text);
  if ('why' in read) context.addIssue({ code: 'custom', message: read.why });
});

/** The section `costgroups` of a policy file: filters of instances by the names of the groups. Each message is the end of a sentence. */
export const costGroupsSection = z.record(
  called.refine((name) => name !== ALL_GROUPS, "can't be the name of a group: it stands for all costs"),
  filter,
  must('a map of names to filters like name:web-*'),
);

/** The section in the order of the file. */
export function costGroupsOf(section: Readonly<Record<string, string>>): CostGroups {
  return Object.entries(section).map(([name, text]) => ({ name, filter: text }));
}

/** Gives the group that an instance counts in, which is the first whose filter it passes; undefined where it is none. Pure. */
export function groupsBy(groups: CostGroups): (instance: Costed) => string | undefined {
  const read = groups.flatMap(({ name, filter: text }) => {
    const one = readCostFilter(text);
    return 'filter' in one ? [{ name, isIn: one.filter }] : [];
  });
  return (instance) => read.find(({ isIn }) => isIn(instance))?.name;
}

/** Days of the calendar, the first and the last of them included: `2026-12-24`. */
interface Days {
  readonly from: string;
  readonly to: string;
}

/** The days of each list of holidays, by its name. */
export type Holidays = Readonly<Record<string, readonly Days[]>>;

const DAYS = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/;
const A_DAY = 'must be a day like 2026-12-25, or days like 2026-12-24..2027-01-01';
/** A schedule that leaves them out looks at each of them, one after the other. */
const MOST_DAYS = 400;
const TOO_LONG = `must be at most ${MOST_DAYS} days from the first to the last`;
const SOME = 'must be a list of days like 2026-12-25';

const days = z.string(A_DAY).transform((text, context): Days => {
  const [, from = '', to = from] = DAYS.exec(text) ?? [];
  const isRange = isDay(from) && isDay(to) && from <= to;
  if (isRange && Temporal.PlainDate.from(from).until(to).days < MOST_DAYS) return { from, to };
  context.addIssue({ code: 'custom', message: isRange ? TOO_LONG : A_DAY });
  return z.NEVER;
});

/** The section `holidays` of a policy file: lists of days by their names. Each message is the end of a sentence. */
export const holidaysSection = z.record(
  called,
  z.array(days, SOME).min(1, 'must have at least one day; leave it out if it has none'),
  'must be a map of names to lists of days',
);

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}

const CLOCK = 'a time of day like 22:00';
const AFTER = 'how long nobody must have been on it, up to a day: 90s, 10m or 2h';
const WHO = 'a list of names of people, ids, or admins';

const clock = z
  .string(must(CLOCK))
  .refine((typed) => parseTimeOfDay(typed) !== undefined, `must be ${CLOCK}`)
  .transform((typed) => parseTimeOfDay(typed) ?? { hour: 0, minute: 0 });
const after = z
  .string(must(AFTER))
  .refine((typed) => {
    const afterMs = parseDuration(typed, ['s', 'm', 'h', 'd']);
    return afterMs !== undefined && afterMs <= DAY_MS;
  }, `must be ${AFTER}`)
  .transform((typed) => parseDuration(typed, ['s', 'm', 'h', 'd']) ?? 0);

const step = z.strictObject(
  {
    who: listOf(z.string(), WHO).min(1, 'must name somebody').max(MAX_WHO, `must name ${MAX_WHO} at most`),
    after: after.optional(),
  },
  must('a map with who, and after for a later step'),
);

/** What a policy file says of who is told in one channel. */
export const onCallSection = z.strictObject(
  {
    steps: listOf(step, 'a list of steps, each a map with who')
      .min(1, 'must have at least one')
      .max(MAX_STEPS, `must be ${MAX_STEPS} at most`)
      .refine(
        (steps) => steps.every(({ after: ms = 0 }, at) => at === 0 || ms > (steps[at - 1]?.after ?? 0)),
        'must come one after another: each step needs an after that is longer than the one before',
      )
      .optional(),
    quiet: z
      .strictObject(
        {
          from: clock,
          until: clock,
          zone: z
            .string(must('a time zone like Europe/Berlin'))
            .refine((name) => findZone(name) !== undefined, 'must be a time zone like Europe/Berlin'),
          except: z
            .array(
              z.string().refine(isOfNames, 'must be critical, errors, a name or an id, and no other filter'),
              must('a list of critical, errors, and names like prod-*'),
            )
            .optional(),
        },
        must('a map with from, until and zone'),
      )
      .refine((quiet) => !isWholeDay(quiet), "can't begin and end at the same time")
      .optional(),
  },
  must('a map with steps or quiet'),
);

/** What an alert is about is known by its name alone at night. */
function isOfNames(pattern: string): boolean {
  return isTaken(pattern) && markOf(pattern) === undefined;
}

/** Who is named in the steps of the section, and where, as far as it can be read. `admins` is no name. */
export function namesInOnCall(
  section: unknown,
): readonly { readonly who: string; readonly path: readonly PropertyKey[] }[] {
  const steps = z.looseObject({ steps: z.array(z.looseObject({ who: z.array(z.string()) })) });
  const channels = z.record(z.string(), z.unknown()).safeParse(section).data ?? {};
  return Object.entries(channels).flatMap(([channelId, one]) =>
    (steps.safeParse(one).data?.steps ?? []).flatMap(({ who }, index) =>
      who.flatMap((name, at) =>
        name === ADMINS ? [] : [{ who: name, path: ['oncall', channelId, 'steps', index, 'who', at] }],
      ),
    ),
  );
}

/** The section with ids in place of names. */
export function onCallOf(
  section: Readonly<Record<string, z.output<typeof onCallSection>>>,
  idOf: (name: string) => string,
): Readonly<Record<string, ChannelOnCall>> {
  return Object.fromEntries(
    Object.entries(section).map(([channelId, { steps, quiet }]) => [
      channelId,
      {
        ...(steps && {
          steps: steps.map(({ who, after: afterMs = 0 }) => ({
            afterMs,
            who: who.map((name) => (name === ADMINS ? name : idOf(name))),
          })),
        }),
        ...(quiet && {
          quiet: {
            from: quiet.from,
            until: quiet.until,
            zone: quiet.zone,
            breaks: quiet.except?.map(breakingOf) ?? [...BREAKING],
          },
        }),
      },
    ]),
  );
}
