import type { Begun, HostingService } from '../../src/platform/hosting/service.ts';
import { attempt, doubt, fault, type Finding, notTried, ok, wordsOf } from './finding.ts';

const CHECK = 'the lost one in a list';
const SEVERAL = 'several actions';
/** An action that was begun just now began at most so long before its list was read. */
const JUST_NOW_MS = 60_000;

/** What was begun on an instance so far; undefined where that can't be read. */
export async function listedActions(hosting: HostingService, id: string): Promise<Begun | undefined> {
  const begun = await attempt(() => hosting.listBegun(id));
  return 'value' in begun ? begun.value : undefined;
}

/** Whether the restart whose answer was lost is in the list of what was begun. `before`: that list before it. */
export async function foundInList(
  hosting: HostingService,
  id: string,
  before: Begun | undefined,
): Promise<Finding> {
  const read = await attempt(() => hosting.listBegun(id));
  if ('fault' in read) return fault(CHECK, wordsOf(read.fault));
  if (!read.value) return notTried(CHECK, 'the adapter lists nothing that was begun');
  const { actions, servedAt, hasMore } = read.value;
  const known = new Set(before?.actions.map((one) => one.id));
  const added = actions.filter((one) => !known.has(one.id));
  const restarts = added.filter(({ does }) => does === 'restart');
  const [one] = restarts;
  if (!one || restarts.length > 1)
    return fault(
      CHECK,
      `${added.length} actions came after the restart, of which ${restarts.length} are one`,
    );
  if (servedAt === undefined)
    return doubt(CHECK, 'the service sends no Date, so nobody can tell when an action began');
  if (Math.abs(servedAt - one.startedAt) > JUST_NOW_MS)
    return fault(CHECK, `startedAt is ${Math.round((servedAt - one.startedAt) / 1_000)} s before now`);
  const isOrdered = !hasMore || one === actions[0];
  return isOrdered ? ok(CHECK, `action ${one.id}`) : doubt(CHECK, 'is not the first of several pages');
}

/** Whether actions are the same together as alone. */
export async function batchedActions(hosting: HostingService, ids: readonly string[]): Promise<Finding> {
  if (ids.length < 2) return notTried(SEVERAL, 'the power calls named fewer than two');
  const actionOf = hosting.findActions(ids);
  for (const id of ids) {
    const [together, alone] = [
      await attempt(() => actionOf(id)),
      await attempt(() => hosting.findAction(id)),
    ];
    if ('fault' in together) return fault(SEVERAL, wordsOf(together.fault));
    if ('fault' in alone) return fault(SEVERAL, wordsOf(alone.fault));
    if (together.value?.state !== alone.value?.state)
      return fault(
        SEVERAL,
        `${id} is ${together.value?.state ?? 'missing'} together and ${alone.value?.state ?? 'missing'} alone`,
      );
  }
  return ok(SEVERAL, `${ids.length} in one call, the same as alone`);
}
