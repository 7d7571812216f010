import { setTimeout as wait } from 'node:timers/promises';
import type { Adapter } from './adapter.ts';
import { HostingError } from './hosting-error.ts';
import type { HostingReads, Instance } from './service.ts';
import type { ReadPriority } from './shared-read.ts';

/** So many are looked at by their ids for one reading of a list. */
const MOST_DETAILS = 5;
const WAIT_MS = 2_000;
/** So long a reason is taken for the same while its instance stays paused: else each reading of a list would take two calls. */
const SAME_FOR_MS = 15_000;

/**
 * Says of each instance that is paused, and doesn't say why, what the service's money says of it: its adapter judges by the
 * balance, and what a day of it costs is looked up by its id where a list doesn't say it (`findDetail`). Costs nothing where none
 * is paused. What can't be read now leaves it without a reason, and is no fault. `begunAt`: when the instances
 * were asked for, by this process' own clock, ms.
 */
export function createExplainPaused(
  billing: Adapter['billing'],
  getBalance: HostingReads['getBalance'],
  findDetail: (instanceId: string, priority: ReadPriority) => Promise<Instance | undefined>,
): (instances: readonly Instance[], priority: ReadPriority, begunAt: number) => Promise<readonly Instance[]> {
  const pausedFor = billing?.kind === 'prepaid' ? billing.pausedFor : undefined;
  /** What a day of each costs: a list doesn't always say it. */
  const costs = new Map<string, string | undefined>();

  /** Why each was paused when that was last judged, by this process' own clock, ms. */
  const reasons = new Map<string, { readonly why: Instance['pausedFor']; readonly at: number }>();

  /** What a list has is remembered, however long it is, and nothing else; a reading of one says nothing of the others. */
  const forgetOthers = (instances: readonly Instance[]): void => {
    if (instances.length < 2) return;
    const ids = new Set(instances.map(({ id }) => id));
    for (const known of [costs, reasons]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
  };

  const learnCosts = async (unknown: readonly Instance[], priority: ReadPriority): Promise<void> => {
    await Promise.all(
      unknown.slice(0, MOST_DETAILS).map(async ({ id }) => {
        const detail = await unlessFault(findDetail(id, priority));
        if (detail) costs.set(id, detail.dailyCostCredits);
      }),
    );
  };

  return async (instances, priority, begunAt) => {
    const isUnexplained = ({ status, pausedFor: why }: Instance): boolean =>
      status === 'paused' && why === undefined;
    const paused = instances.filter(isUnexplained);
    for (const one of instances) if (one.status !== 'paused') reasons.delete(one.id);
    forgetOthers(instances);
    if (!pausedFor || paused.length === 0) return instances;
    const explained = (): readonly Instance[] =>
      instances.map((one) => {
        const why = isUnexplained(one) ? reasons.get(one.id)?.why : undefined;
        return why === undefined ? one : { ...one, pausedFor: why };
      });
    const isKnown = ({ id }: Instance): boolean =>
      performance.now() - (reasons.get(id)?.at ?? Number.NEGATIVE_INFINITY) < SAME_FOR_MS;
    if (paused.every(isKnown)) return explained();
    // One of before the pause would not explain it.
    const freshMs = performance.now() - begunAt;
    const balance = await unlessFault(getBalance({ freshMs, priority }));
    if (balance === undefined) return instances;
    const whyOf = (instance: Instance): ReturnType<typeof pausedFor> => {
      const cost = instance.dailyCostCredits ?? costs.get(instance.id);
      return pausedFor(cost === undefined ? instance : { ...instance, dailyCostCredits: cost }, balance);
    };
    const isUnknown = (one: Instance): boolean =>
      one.dailyCostCredits === undefined && !costs.has(one.id) && whyOf(one) === undefined;
    await learnCosts(paused.filter(isUnknown), priority);
    const at = performance.now();
    for (const one of paused) reasons.set(one.id, { why: whyOf(one), at });
    return explained();
  };
}

/** Undefined where it fails or takes too long: the list is worth more than the reason. */
async function unlessFault<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await Promise.race([reading, wait(WAIT_MS, undefined, { ref: false })]);
  } catch (error) {
    if (error instanceof HostingError) return undefined;
    throw error;
  }
}
