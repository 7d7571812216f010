import { withInPlaceOf } from '../ask/mend-words.ts';
import { Refusal } from '../refusal.ts';
import { closest } from '../ask/closest.ts';
import { byName } from '../instances/facts.ts';
import { toldBy } from '../instances/filter.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { STATUS_WORDS } from '../../platform/hosting/status-words.ts';
import { type Phrase, plain, say } from '../../platform/slack/phrase.ts';

/** Values of a field that are known whether or not an instance has one now, and those that an instance has. */
interface Field {
  readonly known: readonly string[];
  valuesOf(instance: Instance): readonly (string | undefined)[];
  /** Whether a value that is none of these is a slip. */
  readonly isClosed: boolean;
  /** Whether the service tells it of an instance; left out where every service does. */
  readonly isTold?: (instance: Instance) => boolean;
}

const FIELDS: Readonly<Record<string, Field>> = {
  status: {
    known: [...Object.keys(STATUS_WORDS), ...Object.values(STATUS_WORDS).flat(), 'unknown'],
    valuesOf: ({ status, statusWord }) => [status, statusWord],
    isClosed: true,
  },
  health: {
    known: ['healthy', 'unhealthy', 'degraded', 'starting', 'unknown'],
    valuesOf: ({ health }) => [health],
    isClosed: true,
  },
};

const MOST_OFFERED = 3;
const MOST_NAMED = 5;
const MAX_NAMED = 200;

/** What is said of a service that tells none of a field. */
const UNTOLD: Readonly<Record<string, string>> = {
  region: 'regions',
  label: 'labels',
  host: 'host names',
  address: 'addresses',
};

/**
 * Throws a Refusal for a value of `status:`, `health:`, `region:` or `label:` that nothing can have, which would otherwise be an
 * empty list, and for a filter by what the service tells of none of `instances`. What one of them has is always known.
 * `isStrict`: something was to be done with what matches; `isPart`: there are more instances than these, which could not be read. A word with a `*` may match nothing.
 */
export function refuseUnknownValues(
  words: readonly string[],
  instances: readonly Instance[],
  isStrict = false,
  isPart = false,
): void {
  const done = isStrict ? say` Nothing was done.` : say``;
  for (const word of words) {
    const [, name = '', values = ''] = /^-?([a-z]+):(.*)$/i.exec(word) ?? [];
    const field = fieldOf(name.toLowerCase());
    if (!field) continue;
    const isUntold = field.isTold && !instances.some(field.isTold);
    if (isUntold && instances.length > 0) {
      const untold = UNTOLD[name.toLowerCase()] ?? name;
      throw new Refusal(
        'bad-filter',
        say`The hosting service doesn't list the ${untold} of these instances, so I can't filter by "${word}".${done}`,
      );
    }
    if (!field.isClosed) continue;
    const typed = values.split(',').filter((value) => value !== '' && !value.includes('*'));
    const isKnown = (value: string): boolean =>
      field.known.includes(value.toLowerCase()) ||
      instances.some((one) => field.valuesOf(one).some((its) => its?.toLowerCase() === value.toLowerCase()));
    const unknown = typed.find((value) => !isKnown(value));
    if (unknown === undefined) continue;
    const inUse = [...new Set(instances.flatMap((one) => field.valuesOf(one).filter(isSaid)))];
    const near = closest(unknown, [...field.known, ...inUse]);
    // A part of the list is no proof that nothing has it.
    if (near === undefined && isPart && field.isTold) continue;
    const all = field.isTold ? inUse.toSorted(byName) : [];
    const likely = near === undefined ? likeliest(unknown, all) : [near];
    throw new Refusal(
      'bad-filter',
      say`I don't know the ${name.toLowerCase()} "${unknown}".${hintOf(likely, all)}${done}`,
      withInPlaceOf(
        word,
        ...(likely.length > 0 ? likely : all)
          .slice(0, MOST_OFFERED)
          .map((value) => withValue(word, unknown, value)),
      ),
    );
  }
}

/** The same filter with another of its values. */
function withValue(word: string, from: string, to: string): string {
  const at = word.indexOf(':') + 1;
  const values = word.slice(at).split(',');
  return `${word.slice(0, at)}${values.map((one) => (one === from ? to : one)).join(',')}`;
}

function isSaid(value: string | undefined): value is string {
  return value !== undefined;
}

/** What has that for its value, begins so or has the same key, where there is any. */
function likeliest(typed: string, all: readonly string[]): readonly string[] {
  const sought = typed.toLowerCase();
  const key = /^[^=:]+[=:]/.exec(sought)?.[0] ?? sought;
  const ways: readonly ((value: string) => boolean)[] = [
    (value) => value.startsWith(sought) || value.replace(/^[^=:]+[=:]/, '') === sought,
    (value) => value.startsWith(key),
  ];
  const found = ways.map((is) => all.filter((one) => is(one.toLowerCase())));
  return found.find((some) => some.length > 0) ?? [];
}

/** Which is meant, or which there are. */
function hintOf(likely: readonly string[], all: readonly string[]): Phrase {
  const those = likely.length > 0 ? likely : all;
  if (those.length === 0) return say``;
  const named = those.slice(0, MOST_NAMED);
  const more = those.length - named.length;
  if (likely.length === 0)
    return say` There are ${plain(named.join(', '), MAX_NAMED)}${more > 0 ? say` and ${more} more` : ''}.`;
  const either = more > 0 ? named.join(', ') : named.join(', ').replace(/, (?=[^,]*$)/, ' or ');
  return say` Did you mean ${plain(either, MAX_NAMED)}${more > 0 ? say` or one of ${more} more` : ''}?`;
}

function fieldOf(name: string): Field | undefined {
  const told = toldBy(name);
  if (told) {
    return {
      known: [],
      isClosed: name === 'region' || name === 'label',
      isTold: (one) => told(one) !== undefined,
      valuesOf: (one) => told(one) ?? [],
    };
  }
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
}
