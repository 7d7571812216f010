import { z } from 'zod';
import { POWERS } from '../../platform/hosting/service.ts';
import { findZone } from '../../platform/time/zoned-time.ts';

const verb = z.enum(POWERS);
const hour = z.int().min(0).max(23);
const minute = z.int().min(0).max(59);
const zone = z.string().refine((name) => findZone(name) !== undefined);

/** One verb at one time of day, on some days of the week; Monday is 1. */
const ruleSchema = z.object({ verb, days: z.array(z.int().min(1).max(7)).min(1), hour, minute });
export type Rule = z.infer<typeof ruleSchema>;

/** When a schedule runs, as it is kept in Redis. `zone` is an IANA name; `date` is a day there, as in 2026-12-24. */
export const whenSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('weekly'), zone, rules: z.array(ruleSchema).min(1).max(2) }),
  z.object({
    kind: z.literal('once'),
    zone,
    verb,
    date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    hour,
    minute,
  }),
]);
export type When = z.infer<typeof whenSchema>;
