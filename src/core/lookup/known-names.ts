import { anyOf } from '../ask/mend-words.ts';
import { type Instead, Refusal } from '../refusal.ts';
import { isFilter, parseFilters, partsOf, refuseUnknownFilter, toldBy } from '../instances/filter.ts';
import { nameOf } from '../instances/messages.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { plain, say } from '../../platform/slack/phrase.ts';
import { atMost } from '../../platform/time/wait.ts';
import { markOf } from '../policy/pattern.ts';
import { refuseUnknownValues } from './filter-values.ts';
import { findExactly } from './find.ts';

const WITHIN_MS = 2_000;
const FRESH_MS = 1_000;
const MOST_OFFERED = 3;
const MAX_SAID = 200;

/**
 * Throws a Refusal where one of the patterns is a name, a label or a region, and no instance that `maySee` lets through has it: a slip
 * would be about nothing, and nobody would see that. Where the service doesn't answer, or not in whole, nobody knows, and all of them
 * pass. Any other filter is refused; `isByName`: so are labels and regions.
 */
export async function refuseUnknownPatterns(
  hosting: Pick<HostingService, 'listInstances'>,
  patterns: readonly string[] = [],
  maySee: (instance: Instance) => boolean,
  isByName = false,
): Promise<void> {
  const marks = isByName ? [] : patterns.filter((pattern) => markOf(pattern) !== undefined);
  const filters = patterns.filter((pattern) => isByMore(pattern) && !marks.includes(pattern));
  const names = patterns.filter((pattern) => !pattern.includes('*') && !marks.includes(pattern));
  if (names.length + filters.length + marks.length === 0) return;
  const seen = await listSeen(hosting, maySee);
  for (const filter of filters) refuseFilter(filter, seen, isByName);
  if (!seen) return;
  refuseUnknownValues(marks, seen, true);
  for (const name of names) {
    const found = findExactly(bare(name), seen);
    if (found.found !== 'none') continue;
    // `lable:env=prod` and `label:` are no names that are still to come.
    if (found.near.length === 0) refuseUnknownFilter([name]);
    const near = found.near.slice(0, MOST_OFFERED);
    throw new Refusal(
      'no-such-name',
      {
        lines: [
          say`No instance has exactly the name or id "${name}", so nothing was done. For one that is still to come, use ${name}*.`,
        ],
        ...(near.length > 0 ? { bullets: near.map(nameOf) } : {}),
      },
      withNames(name, near),
    );
  }
}

/**
 * Throws a Refusal where one of the words is a filter by more than what roles, freezes and the like go by, and no instance is
 * called that.
 */
export async function refuseFilters(
  hosting: Pick<HostingService, 'listInstances'>,
  words: readonly string[],
  maySee: (instance: Instance) => boolean,
): Promise<void> {
  await refuseUnknownPatterns(hosting, words.flatMap((word) => word.split(',')).filter(isByMore), maySee);
}

/** Whether it is a filter by something else than names. */
function isByMore(word: string): boolean {
  const { field, values } = partsOf(word);
  return isFilter(word) && field !== 'name' && values !== '';
}

/** `seen`: undefined where nobody knows them. */
function refuseFilter(filter: string, seen: readonly Instance[] | undefined, isByName: boolean): void {
  if (seen && findExactly(filter, seen).found !== 'none') return;
  const names = matchesOf(filter, seen ?? []).map(({ name }) => name);
  const now =
    names.length === 0 || names.length > MOST_OFFERED
      ? say``
      : say` Right now it matches ${plain(names.join(', '), MAX_SAID)}.`;
  const takes = isByName
    ? 'names and ids, as in prod-*'
    : 'names, ids, labels and regions, as in prod-* or label:env=prod';
  throw new Refusal(
    'no-such-name',
    say`This takes ${takes}, and not "${filter}". Nothing was done.${now}`,
    names.length === 0 || names.length > MOST_OFFERED
      ? () => []
      : (words) => [
          words.map((word) =>
            word
              .split(',')
              .map((one) => (one === filter ? names.join(',') : one))
              .join(','),
          ),
        ],
  );
}

/** None for a filter by what is not on an instance itself. */
function matchesOf(filter: string, seen: readonly Instance[]): readonly Instance[] {
  const told = toldBy(partsOf(filter).field);
  return told ? seen.filter(parseFilters([filter], 0)) : [];
}

/**
 * What may have been meant by words of which nothing is known: the same with the name of an instance that `maySee` lets through, where
 * one is near and none is called that. None where the service doesn't answer, or not in whole.
 */
export async function offerNear(
  hosting: Pick<HostingService, 'listInstances'>,
  unknown: readonly string[],
  maySee: (instance: Instance) => boolean,
): Promise<Instead> {
  const names = unknown.filter((word) => !word.includes('*'));
  const seen = names.length === 0 ? undefined : await listSeen(hosting, maySee);
  if (!seen) return () => [];
  return anyOf(
    ...names.map((name) => {
      const found = findExactly(bare(name), seen);
      return withNames(bare(name), found.found === 'none' ? found.near.slice(0, MOST_OFFERED) : []);
    }),
  );
}

/** The instances that `maySee` lets through; undefined where the service doesn't tell all of them in time. */
async function listSeen(
  hosting: Pick<HostingService, 'listInstances'>,
  maySee: (instance: Instance) => boolean,
): Promise<readonly Instance[] | undefined> {
  const list = await atMost(WITHIN_MS, hosting.listInstances({ freshMs: FRESH_MS }));
  if (!list || list.incomplete || list.readAtMs !== undefined) return undefined;
  return list.instances.filter(maySee);
}

function bare(name: string): string {
  return name.replace(/^name:/i, '');
}

/** The same words with each of these in the place of one name. */
function withNames(name: string, near: readonly Instance[]): Instead {
  return (words) => near.map((one) => words.map((word) => replaced(word, name, one.name)));
}

/** A word, or names with commas between them, with another name in the place of one. */
function replaced(word: string, name: string, by: string): string {
  return word
    .split(',')
    .map((one) => (bare(one) === name ? one.replace(name, () => by) : one))
    .join(',');
}
