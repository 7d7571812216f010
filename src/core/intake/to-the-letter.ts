import type { Access } from '../policy/access.ts';
import { listOrLast } from '../lookup/find-or-last.ts';
import { Refusal } from '../refusal.ts';
import { isName } from './about.ts';
import type { Ask } from '../ask/ask.ts';
import type { Route } from './route.ts';
import { hasHidden, isStruck, unmangle, waysToRead } from '../ask/words.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { nameOf, whichInstance } from '../instances/messages.ts';

/** As for any other name. */
const FRESH_MS = 1_000;

/**
 * An ask in which names are as they were typed, to the letter, where an instance is called that: `_backup_` is not `backup`.
 * Only what no instance is called is cleaned of a phone's full stop and of marks, and what is struck out is not said. Throws a
 * Refusal where that may be several, or where what nobody sees may be a part of a name.
 */
export async function toTheLetter(
  {
    hosting,
    access,
  }: {
    readonly hosting: Pick<HostingService, 'listInstances' | 'findLastList'>;
    readonly access: Pick<Access, 'which'>;
  },
  { letters: typed, ...ask }: Ask,
  route: Pick<Route, 'id' | 'verb'>,
): Promise<Ask> {
  const letters = typed ?? ask.words;
  if (!letters.some((one, index) => isCleanedName(ask, one, index))) return ask;
  const { instances } = (await listOrLast(hosting, { freshMs: FRESH_MS, isAcrossWrites: true })).list;
  const maySee = await access.which(ask.actor, 'instances:read', ask.place.channelId);
  const known = instances.filter(maySee);
  const words = letters.flatMap((one, index) => {
    const word = ask.words[index] ?? one;
    return isCleanedName(ask, one, index) ? read(one, word, known, route) : [word];
  });
  return { ...ask, words };
}

function isCleanedName({ words }: Pick<Ask, 'words'>, letters: string, index: number): boolean {
  const word = words[index] ?? '';
  return (letters !== word || isStruck(letters)) && isName(word, words[index - 1]);
}

/** A word as it is meant; none where it is struck out. Throws a Refusal. */
function read(
  letters: string,
  word: string,
  known: readonly Instance[],
  { id: routeId, verb }: Pick<Route, 'id' | 'verb'>,
): string[] {
  const isQuoted = letters !== word && letters.replaceAll(/["']/g, '') === word;
  const isCertain = !isQuoted && !hasHidden(letters);
  if (isCertain && known.some((instance) => isCalled(instance, letters))) return [letters];
  if (isStruck(letters)) return [];
  const ways = [...new Set([...(isCertain ? [] : [letters]), ...waysToRead(letters), word])];
  const meant = ways.filter((way) => known.some((instance) => isCalled(instance, way)));
  if (meant.length > 1 || (hasHidden(letters) && meant.length > 0)) {
    const those = known.filter((instance) => meant.some((way) => isCalled(instance, way)));
    throw new Refusal('several', {
      ...whichInstance(
        verb,
        routeId,
        isCertain
          ? say`No instance is called "${letters}", and it may be one of these. Which one?`
          : say`"${letters}" is typed with more than a name, and it may be one of these. Which one?`,
      ),
      bullets: those.map(nameOf),
    });
  }
  return [meant[0] ?? word];
}

/** Whether a word is the whole name or id of an instance, or one word of its name. */
function isCalled({ id, name }: Instance, word: string): boolean {
  return [id, name, unmangle(name)].includes(word) || name.split(' ').includes(word);
}
