import { z } from 'zod';
import { POWERS } from '../../platform/hosting/service.ts';
import { findZone } from '../../platform/time/zoned-time.ts';

/** Nothing is planned further ahead. */
export const MAX_DAYS_AHEAD = 400;

const verb = z.enum(POWERS);
/** A time of day by the clock of a zone, which is an IANA name. */
export const timeInZone = {
  hour: z.int().min(0).max(23),
  minute: z.int().min(0).max(59),
  zone: z.string().refine((name) => findZone(name) !== undefined),
} as const;
const { hour, minute, zone } = timeInZone;

/** One verb at one time of day, on some days of the week; Monday is 1. */
const ruleSchema = z.object({ verb, days: z.array(z.int().min(1).max(7)).min(1), hour, minute });
export type ScheduleRule = z.infer<typeof ruleSchema>;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

/** How many days and ranges one schedule leaves out at most. */
export const MAX_EXCEPTIONS = 20;

/** Days there, the first and the last of them included. */
const daysSchema = z.object({ from: day, to: day });
/** What it leaves out: days, or a list of holidays of the policy file. */
const exceptionSchema = z.union([
  daysSchema,
  z.object({
    list: z.string(),
    /** Its days, as `withHolidays` puts them in for a look; never written down. */
    days: z.array(daysSchema).optional(),
  }),
]);
export type Exception = z.infer<typeof exceptionSchema>;

/** When a schedule runs, as it is kept in Redis. `zone` is an IANA name; `date` is a day there, as in 2026-12-24. */
export const whenSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('weekly'),
    zone,
    rules: z.array(ruleSchema).min(1).max(2),
    except: z.array(exceptionSchema).min(1).max(MAX_EXCEPTIONS).optional(),
    /** What somebody starts between a stop and the next start is stopped again. */
    keeps: z.literal(true).optional(),
    /** Nothing runs after it, Unix ms; without it, it goes on. */
    until: z.number().optional(),
  }),
  z.object({
    kind: z.literal('once'),
    ...timeInZone,
    verb,
    date: day,
    /** The exact moment, where it is not a time that somebody named: Unix ms. */
    at: z.number().optional(),
  }),
]);
export type When = z.infer<typeof whenSchema>;
