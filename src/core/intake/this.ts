import { isSame, type Fingerprint } from '../instances/facts.ts';
import { gone, nameOf } from '../instances/messages.ts';
import { Refusal } from '../refusal.ts';
import { isName } from './about.ts';
import type { Ask } from '../ask/ask.ts';
import { isWrite, type Route } from './route.ts';
import { oneOf } from '../ask/mend-words.ts';
import { isDown } from '../../platform/hosting/hosting-error.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { say } from '../../platform/slack/phrase.ts';
import { listOrLast } from '../lookup/find-or-last.ts';
import { withoutSpaces } from '../instances/filter.ts';
import { toTheLetter } from './to-the-letter.ts';
import type { Parts } from '../parts/parts.ts';

/** The same with each filter as one word. */
function joined(ask: Ask): Ask {
  const words = withoutSpaces(ask.words);
  if (words === ask.words) return ask;
  const { letters: _, ...rest } = ask;
  return { ...rest, words: [...words] };
}

/** An ask in which ids stand for "this". */
export type ResolveThis = (ask: Ask, route: Route) => Promise<Ask>;

const THIS = 'this';
/** As for any other name. */
const FRESH_MS = 1_000;
const MAX_NAMED = 5;

/**
 * Puts the id of the instance that the thread's card is about in the place of "this", provided that this is still the same
 * instance. Several cards in one thread may be about several: then nothing is guessed. An instance or a favorite that is
 * called "this" is meant by it outside of such a thread, and inside the person is asked which one they mean. Throws a Refusal.
 */
export function createResolveThis(
  deps: Pick<Parts, 'hosting' | 'threads' | 'access' | 'favorites'>,
): ResolveThis {
  return async (asked, route) => {
    if (asked.value !== undefined || asked.picked !== undefined) return asked;
    if (!route.namesInstances) return joined(asked);
    const ask = joined(await toTheLetter(deps, asked, route));
    const word = ask.words.find((one, index) => isThis(one, ask.words[index - 1]));
    if (word === undefined) return ask;
    const about = await aboutThread(deps, ask);
    const [shown, second] = about;
    if (!shown) {
      if (await isOrdinary(deps, ask)) return ask;
      // What only reads may be no command at all: "can somebody approve this".
      const code = isWrite(route, ask.words) ? 'unclear' : 'no-name';
      throw new Refusal(code, ask.place.threadTs === undefined ? notInThread() : notAbout());
    }
    if (second) throw several(ask, route, about);
    const called = await namedThis(deps, ask, (name) => name === THIS);
    if (called.length > 0 || (await deps.favorites.find(THIS))) throw calledThis(shown, called);
    await refuseUnlessSame(deps, shown, isWrite(route, ask.words));
    return { ...ask, words: replaced(ask.words, shown.id), meant: { ...shown } };
  };
}

function isThis(word: string, before: string | undefined): boolean {
  return word.toLowerCase() === THIS && isName(word, before);
}

function replaced(words: readonly string[], id: string): string[] {
  return words.map((word, index) => (isThis(word, words[index - 1]) ? id : word));
}

/** What the thread is about, as far as the person may see it. */
async function aboutThread(
  { threads, access }: Pick<Parts, 'threads' | 'access'>,
  { actor, place }: Ask,
): Promise<readonly Fingerprint[]> {
  if (place.threadTs === undefined) return [];
  try {
    const { instances } = await threads.find(place.channelId, place.threadTs);
    if (instances.length === 0) return instances;
    return instances.filter(await access.which(actor, 'instances:read', place.channelId));
  } catch (error) {
    if (!isRedisAway(error)) throw error;
    throw new Refusal(
      'no-database',
      say`I can't reach my database right now, so I can't tell which instance "this" is. Give me its name or id.`,
    );
  }
}

/** Whether the word may be a name after all: that is for the ordinary lookup to say. */
async function isOrdinary(
  deps: Pick<Parts, 'hosting' | 'threads' | 'access' | 'favorites'>,
  ask: Ask,
): Promise<boolean> {
  if (await deps.favorites.find(THIS)) return true;
  return (await namedThis(deps, ask, (name) => name.startsWith(THIS))).length > 0;
}

/** Instances that the person may see and whose names, in lower case, pass. */
async function namedThis(
  { hosting, access }: Pick<Parts, 'hosting' | 'access'>,
  { actor, place }: Ask,
  passes: (name: string) => boolean,
): Promise<readonly Instance[]> {
  const { instances } = (await listOrLast(hosting, { freshMs: FRESH_MS })).list;
  const named = instances.filter(({ name }) => passes(name.toLowerCase()));
  return named.length === 0 ? [] : named.filter(await access.which(actor, 'instances:read', place.channelId));
}

/** What was re-created since under its id or its name is another instance. What only reads may be about one that is gone. */
async function refuseUnlessSame(
  { hosting }: Pick<Parts, 'hosting'>,
  shown: Fingerprint,
  isChange: boolean,
): Promise<void> {
  const priority = isChange ? 'change' : 'read';
  const reading = hosting.findInstance(shown.id, { priority });
  // Nothing is done to what is only looked at, so it may be told of while the service is down.
  const instance = await (isChange ? reading : reading.catch(noneWhileDown));
  if (!instance && isChange) throw new Refusal('gone', gone(shown));
  if (instance && !isSame(shown, instance)) {
    throw new Refusal(
      'changed',
      say`${nameOf(shown)} has been renamed or replaced since this thread began, so nothing was done. Give me a name or an id in place of "this".`,
    );
  }
}

function noneWhileDown(error: unknown): undefined {
  if (!isDown(error)) throw error;
}

function notInThread(): ReturnType<typeof say> {
  return say`I don't know which instance "this" is here, so nothing was done. It means the instance of a card where you mention me in the card's thread. Give me a name or an id.`;
}

function notAbout(): ReturnType<typeof say> {
  return say`I know of no instance that this thread is about, so nothing was done. Give me a name or an id.`;
}

function several(ask: Ask, { id }: Route, about: readonly Fingerprint[]): Refusal {
  const byName = about.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  const named = byName.slice(0, MAX_NAMED);
  const more = about.length > MAX_NAMED ? say` I offer some of them.` : say``;
  return new Refusal(
    'several',
    {
      lines: [
        say`This thread is about several instances, so nothing was done.${more} Which one do you mean?`,
      ],
      about: { routeId: id, instances: named },
    },
    oneOf(...named.map((one) => replaced(ask.words, one.id))),
  );
}

function calledThis(shown: Fingerprint, called: readonly Instance[]): Refusal {
  const other = called.length > 0 ? say`one that is called that` : say`the favorite of that name`;
  return new Refusal('unclear', {
    lines: [
      say`"this" may be ${nameOf(shown)}, which this thread is about, or ${other}. So nothing was done. Give me an id.`,
    ],
    bullets: called.slice(0, MAX_NAMED).map(nameOf),
  });
}

/** What is given, and what "this" means in the thread of a card. */
export function withThis<Given extends Parameters<typeof createResolveThis>[0]>(
  given: Given,
): Given & { readonly resolveThis: ResolveThis } {
  return { ...given, resolveThis: createResolveThis(given) };
}
