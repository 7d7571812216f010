import { inWords, withInPlaceOf } from '../../../core/ask/mend-words.ts';
import { parsePeriod } from '../../../core/ask/period.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { HostingService, Transaction } from '../../../platform/hosting/service.ts';
import { join, type Phrase, say } from '../../../platform/slack/phrase.ts';
import { nameOf } from '../../../core/instances/messages.ts';
import { resolveLoosely } from '../../../core/lookup/resolve.ts';
import { typeKey, type StatementFilter } from './statement.ts';
import { type Options, sinceMs } from './options.ts';
import { walkTransactions } from './walk.ts';

type Lists = Pick<HostingService, 'listInstances' | 'listTransactions' | 'findInstance'>;

/** What is wanted, and the same in words. */
export interface Filters {
  readonly wanted: StatementFilter;
  readonly words: readonly Phrase[];
  /** The days that are asked for, as a name: "October 2026"; undefined where all of them are. */
  readonly days?: string;
}

/** The types that the service's contract has; what else occurs is found in the transactions. */
const KNOWN_TYPES = ['purchase', 'daily_charge', 'addon_charge', 'adjustment'];
/** How much of the list is read to find out whether there is such a type, or such an id. */
const MAX_PAGES = 20;

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

/** A name with its id, as the bot writes it. */
const NAME_AND_ID = /^(.*\S)\s*\(([^()]+)\)$/;

/** Whose transactions are meant: an instance in the list, or one by an id that only transactions still have. */
async function whoseOf(hosting: HostingService, typed: string): Promise<{ id: string; words: Phrase }> {
  const verb = { verb: 'see the transactions of', routeId: 'instances.show' };
  const listed = await resolveLoosely(hosting, verb, typed).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'no-such-instance') return error;
    throw error;
  });
  const [, name, id = typed] = NAME_AND_ID.exec(typed) ?? [];
  const isCalled = !(listed instanceof Refusal) && listed.name.toLowerCase() === typed.toLowerCase();
  if (!(listed instanceof Refusal) && (isCalled || listed.id === id))
    return { id: listed.id, words: say`of ${nameOf(listed)}` };
  for await (const { instanceId } of newest(hosting)) {
    if (instanceId !== id) continue;
    const who = name === undefined ? say`instance ${id}` : nameOf({ id, name });
    return { id, words: say`of ${who}, which is not in the list of instances any more` };
  }
  if (!(listed instanceof Refusal)) return { id: listed.id, words: say`of ${nameOf(listed)}` };
  // Without its picker, which would show the instance and not its transactions.
  const { lines, bullets } = listed.answer;
  throw new Refusal(
    listed.code,
    { bullets, lines: [...lines, say`One that is gone is found by its id.`] },
    withInPlaceOf(typed, inWords('Name or id', 'web-1')),
  );
}

/** The newest transactions, as many as are looked through. */
async function* newest(hosting: Lists): AsyncGenerator<Transaction> {
  for await (const { fresh } of walkTransactions(hosting, { maxPages: MAX_PAGES })) yield* fresh;
}
