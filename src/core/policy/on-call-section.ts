import { isTaken, markOf } from './pattern.ts';
import { z } from 'zod';
import { parseTimeOfDay } from '../../platform/time/clock-words.ts';
import { DAY_MS, parseDuration } from '../../platform/time/duration.ts';
import { findZone } from '../../platform/time/zoned-time.ts';
import { ADMINS, MAX_STEPS, MAX_WHO } from '../on-call/escalation.ts';
import type { ChannelOnCall } from '../on-call/on-call.ts';
import { BREAKING, breakingOf, isWholeDay } from '../on-call/quiet.ts';
import { listOf, must } from './must.ts';

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
