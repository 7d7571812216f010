import type { Access } from '../policy/access.ts';
import { listOrLast } from '../lookup/find-or-last.ts';
import { Refusal } from '../refusal.ts';
import { isName } from './about.ts';
import type { Ask } from '../ask/ask.ts';
import type { Route } from './route.ts';
import { waysToRead } from '../ask/words.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { nameOf, whichInstance } from '../instances/messages.ts';

/** As for any other name. */
const FRESH_MS = 1_000;

/**
 * An ask in which names are as they were typed, to the letter, where an instance is called that: `_backup_` is not `backup`.
 * Only what no instance is called is cleaned of a phone's full stop and of marks. Throws a Refusal where that may be several.
 */
export async function toTheLetter(
  {
    hosting,
    access,
  }: {
    readonly hosting: Pick<HostingService, 'listInstances' | 'findLastList'>;
    readonly access: Pick<Access, 'which'>;
  },
  { letters, ...ask }: Ask,
  route: Pick<Route, 'id' | 'verb'>,
): Promise<Ask> {
  if (!letters?.some((one, index) => isCleanedName(ask, one, index))) return ask;
  const { instances } = (await listOrLast(hosting, { freshMs: FRESH_MS, isAcrossWrites: true })).list;
  const maySee = await access.which(ask.actor, 'instances:read', ask.place.channelId);
  const known = instances.filter(maySee);
  const words = letters.map((one, index) =>
    isCleanedName(ask, one, index) ? read(one, known, route) : (ask.words[index] ?? one),
  );
  return { ...ask, words };
}

function isCleanedName({ words }: Pick<Ask, 'words'>, letters: string, index: number): boolean {
  const word = words[index] ?? '';
  return letters !== word && isName(word, words[index - 1]);
}

/** A word as it is meant. Throws a Refusal. */
function read(
  letters: string,
  known: readonly Instance[],
  { id: routeId, verb }: Pick<Route, 'id' | 'verb'>,
): string {
  if (known.some((instance) => isCalled(instance, letters))) return letters;
  const ways = waysToRead(letters);
  const meant = ways.filter((way) => known.some((instance) => isCalled(instance, way)));
  if (meant.length > 1) {
    const those = known.filter((instance) => meant.some((way) => isCalled(instance, way)));
    throw new Refusal('several', {
      ...whichInstance(
        verb,
        routeId,
        say`No instance is called "${letters}", and it may be one of these. Which one?`,
      ),
      bullets: those.map(nameOf),
    });
  }
  return meant[0] ?? ways.at(-1) ?? letters;
}

/** Whether a word is the whole name or id of an instance, or one word of its name. */
function isCalled({ id, name }: Instance, word: string): boolean {
  return id === word || name.split(' ').includes(word);
}
