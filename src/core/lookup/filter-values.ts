import { mendWord, oneOf } from '../ask/mend-words.ts';
import { Refusal } from '../refusal.ts';
import { closest } from '../ask/closest.ts';
import { toldBy } from '../instances/filter.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { STATUS_WORDS } from '../../platform/hosting/status-words.ts';
import { say } from '../../platform/slack/phrase.ts';

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
 * `isStrict`: something was to be done with what matches. A word with a `*` may match nothing.
 */
export function refuseUnknownValues(
  words: readonly string[],
  instances: readonly Instance[],
  isStrict = false,
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
    const inUse = instances.flatMap((one) => field.valuesOf(one).filter((its) => its !== undefined));
    const near = closest(unknown, [...new Set([...field.known, ...inUse])]);
    const hint = near === undefined ? say`` : say` Did you mean ${near}?`;
    throw new Refusal(
      'bad-filter',
      say`I don't know the ${name.toLowerCase()} "${unknown}".${hint}${done}`,
      near === undefined ? oneOf() : mendWord(word, [word.replace(unknown, near)]),
    );
  }
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
