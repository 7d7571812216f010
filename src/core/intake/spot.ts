import type { Entry } from '../audit/entry.ts';
import type { Fingerprint } from '../instances/facts.ts';
import { listOrLast } from '../lookup/find-or-last.ts';
import { Refusal } from '../refusal.ts';
import { momentOf } from '../sentences/moment.ts';
import { namesOf } from '../sentences/names.ts';
import { closest } from '../ask/closest.ts';
import type { Spot } from '../sentences/change-for.ts';
import { looksLikeName } from '../sentences/read-name.ts';
import type { Understood } from '../sentences/understood.ts';
import type { RouteTable } from './routes.ts';
import type { Answered, KnownThread, Threads } from '../threads/threads.ts';
import type { Ask } from '../ask/ask.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import type { About } from '../../platform/slack/message.ts';
import type { Parts } from '../parts/parts.ts';

/** Names are looked up again at the press. */
const FRESH_MS = 10_000;
const ADDONS_FRESH_MS = 300_000;
/** Words after which an add-on may be named. */
const MAY_NAME_ADDON =
  /\b(?:add|attach|install|enable|buy|put|give|needs?|wants?|remove|detach|uninstall|disable|drop|ha(?:s|ve)|with|add-?ons?)\b/i;
const NONE: readonly Instance[] = [];
const UNKNOWN_THREAD: KnownThread = { instances: [] };

/** Words that mean what was spoken of before. */
const MAY_BE_BEFORE =
  /^\W*and\b|\b(?:it|this|that|they|them|these|those|both|same|too|also|as well|again|retry|redo|repeat|undo|revert|why|once more)\b/i;
/** Words that go on with what was last done. */
const GOES_ON = /^\W*and\b|\b(?:same|too|also|as well|again|retry|redo|repeat|undo|revert|why|once more)\b/i;
/** Words that mean several. */
const SEVERAL = /\b(?:they|them|these|those|both)\b/i;
/** So long what somebody last changed here, or was shown, is what they mean by "it". */
const LAST_FOR_MS = 30 * 60_000;

/** Where a line is said. `failed`: why nobody can tell which instances it may name. */
interface Heard {
  readonly spot: Spot;
  readonly failed: HostingError | Refusal | undefined;
  /** Why the instances are those of the last list that was read. */
  readonly down?: HostingError | undefined;
}

/** Where a line is said by somebody who may know of no instance. */
export function knowingNone({ askedAt }: Pick<Ask, 'askedAt'>): Spot {
  return {
    known: { names: namesOf(NONE), addons: new Set() },
    moment: { at: askedAt, zone: 'UTC' },
    about: [],
    lastRouteId: undefined,
  };
}

/** What this person may know of where they say it. */
export async function spotOf(
  deps: Pick<Parts, 'hosting' | 'people' | 'auditReader' | 'threads' | 'access'>,
  ask: Pick<Ask, 'actor' | 'place' | 'line' | 'askedAt'>,
): Promise<Heard> {
  const { actor, place, line = '', askedAt } = ask;
  const mayBeBefore = MAY_BE_BEFORE.test(line);
  const { channelId, threadTs } = place;
  const isSought = threadTs !== undefined || mayBeBefore;
  const [{ instances, failed, down }, addons, moment, found] = await Promise.all([
    seenBy(deps, actor, channelId),
    MAY_NAME_ADDON.test(line) ? addonTypes(deps) : [],
    momentOf(deps, actor.userId, askedAt),
    isSought ? aboutThread(deps, channelId, threadTs ?? actor.userId) : UNKNOWN_THREAD,
  ]);
  const thread = threadTs === undefined ? UNKNOWN_THREAD : found;
  const { instances: inThread } = thread;
  const last = mayBeBefore && !thread.answer ? await lastChange(deps, ask, inThread) : undefined;
  const seen = found.answer && found.answer.at >= askedAt - LAST_FOR_MS ? found.answer : undefined;
  const answer = thread.answer ?? meantBefore(line, seen, last);
  const shown = answer?.instances ?? (inThread.length > 0 || !last ? inThread : last.targets);
  const spot: Spot = {
    known: { names: namesOf(instances), addons: new Set(addons) },
    moment,
    about: instances.filter(({ id, name }) => shown.some((one) => one.id === id && one.name === name)),
    lastRouteId: answer?.routeId ?? last?.route,
  };
  return { spot, failed, down };
}

/** What somebody's newest answer here was about, where that is what a line means, and not what they changed. */
function meantBefore(
  line: string,
  seen: Answered | undefined,
  last: Pick<Entry, 'at'> | undefined,
): About | undefined {
  if (!seen || seen.instances.length === 0 || (last && GOES_ON.test(line))) return undefined;
  const isOfSeveral = SEVERAL.test(line) && seen.instances.length > 1;
  return !last || isOfSeveral || seen.at > last.at ? seen : undefined;
}

/** What was changed, of which of several at once each is one of `targets`. */
interface LastChange extends Pick<Entry, 'at' | 'route'> {
  readonly targets: readonly NonNullable<Entry['target']>[];
}

/** Of more, nobody means each by a word. */
const MOST_CHANGED = 100;

/** What was last changed in a thread, by whomever, or what this person last changed in a channel. */
async function lastChange(
  { auditReader }: Pick<Parts, 'auditReader'>,
  { actor, place, askedAt }: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
  thread: readonly Fingerprint[],
): Promise<LastChange | undefined> {
  const isOurs = ({ by, target }: Entry): boolean =>
    place.threadTs === undefined ? by === actor.userId : thread.some(({ id }) => id === target?.id);
  const since = askedAt - LAST_FOR_MS;
  try {
    const [found] = await auditReader.read(
      (entry) =>
        entry.what === 'asked' &&
        entry.target !== undefined &&
        entry.channelId === place.channelId &&
        isOurs(entry),
      { limit: 1, since },
    );
    if (!found) return undefined;
    const { at, route, args } = found.entry;
    const isOfSame = (entry: Entry): boolean => entry.what === 'asked' && entry.args?.batch === args?.batch;
    const all =
      args?.batch === undefined
        ? [found]
        : await auditReader.read(isOfSame, { limit: MOST_CHANGED + 1, since });
    const targets = all.flatMap(({ entry }) => entry.target ?? []);
    return { at, route, targets: targets.length > MOST_CHANGED ? [] : targets };
  } catch (error) {
    if (!isRedisAway(error)) throw error;
    return undefined;
  }
}

/**
 * The instances that somebody may see: those that were read last where the service is `down`; none, and why, where that can't be
 * known now.
 */
async function seenBy(
  { hosting, access }: Pick<Parts, 'hosting' | 'access'>,
  actor: Ask['actor'],
  channelId: string,
): Promise<{ readonly instances: readonly Instance[] } & Pick<Heard, 'failed' | 'down'>> {
  try {
    const [{ list, down }, maySee] = await Promise.all([
      listOrLast(hosting, { freshMs: FRESH_MS }),
      access.which(actor, 'instances:read', channelId),
    ]);
    const { instances } = list;
    // The same list is indexed once.
    const seen = instances.every(maySee) ? instances : instances.filter(maySee);
    return { instances: seen, failed: undefined, down };
  } catch (error) {
    if (error instanceof HostingError || error instanceof Refusal) return { instances: [], failed: error };
    throw error;
  }
}

async function addonTypes({ hosting }: Pick<Parts, 'hosting'>): Promise<readonly string[]> {
  if (!hosting.about.offers.addons) return [];
  try {
    const page = await hosting.listAddons({ freshMs: ADDONS_FRESH_MS });
    return [...new Set(page?.addons.map(({ type }) => type.toLowerCase()))];
  } catch (error) {
    if (error instanceof HostingError) return [];
    throw error;
  }
}

async function aboutThread(
  { threads }: Pick<Parts, 'threads'>,
  channelId: string,
  threadTs: string,
): ReturnType<Threads['find']> {
  try {
    return await threads.find(channelId, threadTs);
  } catch (error) {
    if (!isRedisAway(error)) throw error;
    return UNKNOWN_THREAD;
  }
}

/** Whether the word that an answer leaves out first is a slip from a verb: which one is meant is asked, with what was typed behind it. */
export function isSlipOfVerb({ byId }: Pick<RouteTable, 'byId'>, understood: Understood): boolean {
  if (understood.what !== 'read') return false;
  const [first] = understood.unread;
  const verbs = [...byId.values()].flatMap(({ usage, verb }) => (usage === undefined ? [] : [verb]));
  return first !== undefined && !looksLikeName(first) && closest(first, verbs) !== undefined;
}

/** Whether a line may be about instances that nobody knows. */
export function mayName(understood: Understood | undefined): boolean {
  if (understood === undefined || understood.what === 'which') return true;
  return understood.what === 'read' && understood.words.some(looksLikeName);
}
