import { isId } from '../../platform/hosting/address.ts';
import type { Instance, InstanceList } from '../../platform/hosting/service.ts';
import { ago, say } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import type { InstanceMatch } from './find.ts';
import { nameOf } from '../instances/messages.ts';
import type { Instances } from './sight.ts';

/** A name read a second ago serves as well: what is asked then goes to the id, and a re-created name has another. */
const FRESH_MS = 1_000;

/** What was found, and the list in which. `isReadNow`: the one instance is what its id gave just now. */
export interface FoundIn {
  readonly found: InstanceMatch;
  readonly list: InstanceList;
  readonly isReadNow: boolean;
}

/**
 * What `find` finds of `typed` in the list. A list that was read a while ago only says which id is meant: the instance is
 * read by that, and where it is not what the list says, the list is read again. That there is none is said of a list read
 * now, as far as the budget allows. Throws a Refusal where nothing certain can be said.
 */
export async function findInList(
  hosting: Instances,
  typed: string,
  find: (instances: readonly Instance[]) => InstanceMatch,
): Promise<FoundIn> {
  const first = await hosting.listInstances({ freshMs: FRESH_MS, isAcrossWrites: true });
  const known = await inList(hosting, typed, first, find);
  if (known) return known;
  const now = await hosting.listInstances({ freshMs: 0 });
  if (now.readAtMs === undefined || now.readAtMs !== first.readAtMs) {
    const again = await inList(hosting, typed, now, find);
    if (again) return again;
  }
  const found = find(now.instances);
  // Its id says that it is something else by now, or nothing, and no newer list can be had.
  if (now.readAtMs !== undefined && found.found === 'one') throw outOfDate(found.instance, now.readAtMs);
  const outside = await findOutside(hosting, typed, now);
  return outside
    ? { found: { found: 'one', instance: outside }, list: now, isReadNow: true }
    : { found, list: now, isReadNow: false };
}

/** What a list says of it, provided that this is still so. */
async function inList(
  hosting: Instances,
  typed: string,
  list: InstanceList,
  find: (instances: readonly Instance[]) => InstanceMatch,
): Promise<FoundIn | undefined> {
  const found = find(list.instances);
  if (list.readAtMs === undefined || (found.found !== 'one' && found.found !== 'none'))
    return found.found === 'none' ? undefined : { found, list, isReadNow: false };
  const instance =
    found.found === 'one'
      ? await hosting.findInstance(found.instance.id)
      : await findOutside(hosting, typed, list);
  const isSame = found.found === 'none' || instance?.name === found.instance.name || instance?.id === typed;
  return instance && isSame ? { found: { found: 'one', instance }, list, isReadNow: true } : undefined;
}

/** The instance of that id which a list that is incomplete, or was read a while ago, doesn't have. */
export async function findOutside(
  hosting: Instances,
  typed: string,
  { instances, incomplete, readAtMs }: InstanceList,
): Promise<Instance | undefined> {
  const mayLack = incomplete !== undefined || readAtMs !== undefined;
  if (!mayLack || !isId(typed) || instances.some(({ id }) => id === typed)) return undefined;
  return hosting.findInstance(typed);
}

function outOfDate(instance: Instance, readAtMs: number): Refusal {
  return new Refusal('list-out-of-date', {
    lines: [
      say`${nameOf(instance)} has changed since I last read the list of instances, ${ago(readAtMs)}, so nothing was done. Give me its id, or try again in a minute.`,
    ],
  });
}
