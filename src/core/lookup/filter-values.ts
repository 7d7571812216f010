import { Refusal } from '../refusal.ts';
import { closest } from '../ask/closest.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { STATUS_WORDS } from '../../platform/hosting/status-words.ts';
import { say } from '../../platform/slack/phrase.ts';

/** Values of a field that are known whether or not an instance has one now, and those that an instance has. */
interface Field {
  readonly known: readonly string[];
  valuesOf(instance: Instance): readonly (string | undefined)[];
}

const FIELDS: Readonly<Record<string, Field>> = {
  status: {
    known: [...Object.keys(STATUS_WORDS), ...Object.values(STATUS_WORDS).flat(), 'unknown'],
    valuesOf: ({ status, statusWord }) => [status, statusWord],
  },
  health: {
    known: ['healthy', 'unhealthy', 'degraded', 'starting', 'unknown'],
    valuesOf: ({ health }) => [health],
  },
};

/**
 * Throws a Refusal for a value of `status:` or `health:` that nothing can have, which would otherwise be an empty list. What
 * one of `instances` has is always known. `isStrict`: something was to be done with what matches. A word with a `*` may
 * match nothing.
 */
export function refuseUnknownValues(
  words: readonly string[],
  instances: readonly Instance[],
  isStrict = false,
): void {
  for (const word of words) {
    const [, name = '', values = ''] = /^-?([a-z]+):(.*)$/i.exec(word) ?? [];
    const field = FIELDS[name.toLowerCase()];
    if (!field) continue;
    const typed = values.split(',').filter((value) => value !== '' && !value.includes('*'));
    const isKnown = (value: string): boolean =>
      field.known.includes(value.toLowerCase()) ||
      instances.some((one) => field.valuesOf(one).some((its) => its?.toLowerCase() === value.toLowerCase()));
    const unknown = typed.find((value) => !isKnown(value));
    if (unknown === undefined) continue;
    const inUse = instances.flatMap((one) => field.valuesOf(one).filter((its) => its !== undefined));
    const near = closest(unknown, [...new Set([...field.known, ...inUse])]);
    const hint = near === undefined ? say`` : say` Did you mean ${near}?`;
    const done = isStrict ? say` Nothing was done.` : say``;
    throw new Refusal('bad-filter', say`I don't know the ${name.toLowerCase()} "${unknown}".${hint}${done}`);
  }
}
