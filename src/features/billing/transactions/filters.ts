import { inWords, withInPlaceOf } from '../../../core/ask/mend-words.ts';
import { parsePeriod } from '../../../core/ask/period.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { HostingService, Transaction } from '../../../platform/hosting/service.ts';
import { join, type Phrase, say } from '../../../platform/slack/phrase.ts';
import { nameOf } from '../../../core/instances/messages.ts';
import { resolveLoosely } from '../../../core/lookup/resolve.ts';
import { findPast, nameAndId, type PastInstance } from './past-instance.ts';
import { typeKey, type Wanted } from './statement.ts';
import { type Options, sinceMs } from './options.ts';
import { walkTransactions } from './walk.ts';

type Lists = Pick<HostingService, 'listInstances' | 'listTransactions' | 'findInstance'>;

/** What is wanted, and the same in words. */
export interface Filters {
  readonly wanted: Wanted;
  readonly words: readonly Phrase[];
  /** The days that are asked for, as a name: "October 2026"; undefined where all of them are. */
  readonly days?: string;
}

/** The types that the service's contract has; what else occurs is found in the transactions. */
const KNOWN_TYPES = ['purchase', 'daily_charge', 'addon_charge', 'adjustment'];
/** How much of the list is read to find out what a type or a name means. */
const MAX_PAGES = 20;
const NAMES_FRESH_MS = 60_000;

/** What the options ask for. Throws a Refusal for a time, a type or an instance that there is none of. */
export async function filtersOf(
  hosting: HostingService,
  { last, in: days, type, instance }: Options,
  now: () => number,
): Promise<Filters> {
  const period = days === undefined ? undefined : parsePeriod(days);
  const since = last === undefined ? period?.since : now() - sinceMs(last);
  if (type !== undefined) await requireType(hosting, type);
  const whose = instance === undefined ? undefined : await whoseOf(hosting, instance);
  return {
    wanted: {
      since,
      until: period?.until,
      type,
      ...(whose === undefined ? {} : { instanceId: whose.id }),
    },
    ...(period === undefined ? {} : { days: period.name }),
    words: [
      ...(last === undefined ? [] : [say`of the last ${last}`]),
      ...(period === undefined ? [] : [say`of ${period.words}`]),
      ...(type === undefined ? [] : [say`of type "${type}"`]),
      ...(whose === undefined ? [] : [whose.words]),
    ],
  };
}

/** A type that has no rows in the time asked for is none the less one. Throws a Refusal with the types there are. */
async function requireType(hosting: Lists, type: string): Promise<void> {
  const wanted = typeKey(type);
  if (KNOWN_TYPES.includes(wanted)) return;
  const types = new Set(KNOWN_TYPES);
  for await (const one of newest(hosting)) {
    if (typeKey(one.type) === wanted) return;
    if (one.type !== '') types.add(typeKey(one.type));
  }
  const named = [...types].map((one) => say`${one.replaceAll('_', ' ')}`);
  throw new Refusal('bad-type', say`There is no type "${type}". The types are: ${join(named, ', ')}.`);
}

/** Whose transactions are meant: an instance in the list, or one that only its transactions still know. */
async function whoseOf(hosting: HostingService, typed: string): Promise<{ id: string; words: Phrase }> {
  const verb = { verb: 'see the transactions of', routeId: 'instances.show' };
  const listed = await resolveLoosely(hosting, verb, typed).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'no-such-instance') return error;
    throw error;
  });
  const isCertain = !(listed instanceof Refusal) && isExactly(listed, typed);
  const { past, count } = isCertain ? { past: undefined, count: 0 } : await findInPast(hosting, typed);
  if (past?.found === 'several') {
    const ids = join(
      past.ids.map((id) => say`${id}`),
      ', ',
    );
    throw new Refusal(
      'several',
      say`${past.ids.length} instances that are gone were called "${typed}": ${ids}. Ask for one by its id, as in --instance ${past.ids[0] ?? ''}.`,
    );
  }
  if (past?.found === 'one') {
    const { id, name } = past;
    const who = name === undefined ? say`instance ${id}` : nameOf({ id, name });
    return { id, words: say`of ${who}, which is not in the list of instances any more` };
  }
  if (!(listed instanceof Refusal)) return { id: listed.id, words: say`of ${nameOf(listed)}` };
  // Without its picker, which would show the instance and not its transactions.
  const { lines, bullets } = listed.answer;
  throw new Refusal(
    listed.code,
    { bullets, lines: [...lines, say`It's in none of the newest ${count} transactions.`] },
    withInPlaceOf(typed, inWords('Name or id', 'web-1')),
  );
}

/** Whether that is what was typed, and not only how it begins. */
function isExactly(listed: { id: string; name: string }, typed: string): boolean {
  return (
    listed.id === typed ||
    listed.name.toLowerCase() === typed.toLowerCase() ||
    listed.id === nameAndId(typed).id
  );
}

async function findInPast(hosting: Lists, typed: string): Promise<{ past: PastInstance; count: number }> {
  const { instances } = await hosting.listInstances({ freshMs: NAMES_FRESH_MS });
  const traces: Transaction[] = [];
  for await (const one of newest(hosting)) traces.push(one);
  return { past: findPast(typed, traces, instances), count: traces.length };
}

/** The newest transactions, as many as are looked through. */
async function* newest(hosting: Lists): AsyncGenerator<Transaction> {
  for await (const { fresh } of walkTransactions(hosting, { maxPages: MAX_PAGES })) yield* fresh;
}
