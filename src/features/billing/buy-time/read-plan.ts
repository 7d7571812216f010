import { type Amount, parseAmount } from '../../../core/money/amount.ts';
import type { Access } from '../../../core/policy/access.ts';
import type { Protection } from '../../../core/policy/protection.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import type { HostingService, InstanceList } from '../../../platform/hosting/service.ts';
import { readBalance, type Reading } from '../balance/reading.ts';
import { costsIn, haveAddons, usageOf } from '../usage/costs.ts';
import { stopsAtZero } from '../balance/at-zero.ts';
import { type Gain, gainsOf } from './gain.ts';

export interface PlanDeps {
  readonly hosting: HostingService;
  readonly access: Pick<Access, 'which'>;
  readonly isProtected: Protection;
  readonly now: () => number;
}

/** An instance that can be picked. `health`: the service's own word; `hasAddons`: of its own that cost something. */
export type Offered = Gain & { readonly health: string | undefined; readonly hasAddons: boolean };

/** What can be stopped to save, what costs most first. */
export interface Plan {
  readonly reading: Reading;
  readonly offered: readonly Offered[];
  /** So many run and are protected, and so are not offered. */
  readonly protectedCount: number;
  readonly incomplete: InstanceList['incomplete'];
}

/** Reads what runs, of what the person may see, and what it costs. Throws a Refusal without a balance, and HostingError. */
export async function readPlan(
  { hosting, access, isProtected, now }: PlanDeps,
  actor: Ask['actor'],
  channelId: string | undefined,
): Promise<Plan> {
  const [reading, { instances, incomplete }, usage, maySee] = await Promise.all([
    readBalance(hosting, now),
    hosting.listInstances(),
    usageOf(hosting),
    access.which(actor, 'instances:read', channelId),
  ]);
  const running = instances.filter((one) => stopsAtZero(one) && maySee(one));
  const health = new Map(running.map((one) => [one.id, one.health]));
  const costs = costsIn(usage);
  const costOf = (id: string, own: string | undefined): Amount | undefined =>
    parseAmount(costs.get(id) ?? own);
  const gains = gainsOf(
    reading,
    running
      .filter((one) => !isProtected(one))
      .map(({ id, name, dailyCostCredits }) => ({ id, name, perDay: costOf(id, dailyCostCredits) })),
  );
  return {
    reading,
    offered: gains.map((gain) => ({
      ...gain,
      health: health.get(gain.id),
      hasAddons: haveAddons(usage, [gain]),
    })),
    protectedCount: running.length - gains.length,
    incomplete,
  };
}
