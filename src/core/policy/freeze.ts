import { z } from 'zod';
import { isUntold, isMeant, mayBeMeant, type PolicyTarget } from './pattern.ts';

/** Nobody changes anything until it ends. Times are Redis' clock, Unix ms. */
export const freezeSchema = z.object({
  id: z.string(),
  /** Names of instances, `*` for any run of characters, ids, or `label:env=prod` and `region:fra1`; without, all of them. */
  on: z.array(z.string()).optional(),
  /** Without, until somebody ends it. */
  until: z.number().optional(),
  why: z.string(),
  by: z.string(),
  at: z.number(),
  /** Who keeps it, where that isn't who froze. */
  owner: z.string().optional(),
  /** It was ended before its time; kept for a while. `requestId`: of the request that did. */
  thawed: z.object({ by: z.string(), at: z.number(), requestId: z.string() }).optional(),
});
export type Freeze = z.infer<typeof freezeSchema>;

/** Whether a freeze still counts. `now`: Redis' clock, Unix ms. Pure. */
export function isFrozen({ until, thawed }: Freeze, now: number): boolean {
  return thawed === undefined && (until === undefined || now < until);
}

/** Who keeps a freeze. Pure. */
export function keeperOf({ by, owner = by }: Freeze): string {
  return owner;
}

/** The freeze with those of its patterns alone that mean the target: the others may be names that nobody was to read. Pure. */
export function asOf(freeze: Freeze, target: PolicyTarget | undefined): Freeze {
  const { on } = freeze;
  return on && target ? { ...freeze, on: on.filter((one) => mayBeMeant([one], target)) } : freeze;
}

/** The freezes that a target stands under now; without a target, those that are for all. Pure. */
export function freezesOf(
  freezes: readonly Freeze[],
  target: PolicyTarget | undefined,
  now: number,
): readonly Freeze[] {
  return freezes.filter(
    (one) =>
      isFrozen(one, now) && (one.on === undefined || (target !== undefined && isMeant(one.on, target))),
  );
}

/** Whether a target may stand under one of them, and nobody can tell, since its labels or its region are not known. Pure. */
export function mayBeFrozen(freezes: readonly Freeze[], target: PolicyTarget, now: number): boolean {
  return freezes.some((one) => isFrozen(one, now) && isUntold(one.on, target));
}

/** Those of `seen` that still count. Pure. */
export function stillFrozen(
  seen: readonly Pick<Freeze, 'id'>[],
  freezes: readonly Freeze[],
  now: number,
): readonly Freeze[] {
  return freezes.filter((one) => isFrozen(one, now) && seen.some(({ id }) => id === one.id));
}
