import { closest } from '../ask/closest.ts';
import { anyOf, inWords, mendWord, oneOf, withInPlaceOf } from '../ask/mend-words.ts';
import { hostIn, hostsOf } from './facts.ts';
import { type Instead, Refusal } from '../refusal.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { parseDuration } from '../../platform/time/duration.ts';
import { say } from '../../platform/slack/phrase.ts';

/** Whether an instance passes. */
export type Filter = (instance: Instance) => boolean;

/** The types of the add-ons of an instance; undefined where the person may not know them. */
export type AddonsOf = (instance: Instance) => readonly string[] | undefined;

type ValuesOf = (instance: Instance) => readonly (string | undefined)[];

const FIELDS: Readonly<Record<string, ValuesOf>> = {
  status: (instance) => [instance.status, instance.statusWord],
  tier: (instance) => [instance.tier],
  name: (instance) => [instance.name],
  health: (instance) => [instance.health],
};

/** What not every service tells: an instance of which it isn't known fails a filter and its opposite. */
const TOLD: Readonly<Record<string, (instance: Instance) => readonly string[] | undefined>> = {
  region: ({ region }) => (region === undefined ? undefined : [region]),
  label: ({ labels }) => labels && namesOfLabels(labels),
  host: (instance) => known([instance.hostname, ...hostsOf({ ...instance, ipAddress: undefined })]),
  address: (instance) => known(hostsOf({ ...instance, hostname: undefined })),
};

/** What labels are found by: each as it is, and its key alone. Pure. */
export function namesOfLabels(labels: readonly string[]): readonly string[] {
  return labels.flatMap((label) => [label, label.replace(/[=:].*$/su, '')]);
}

function known(values: readonly (string | undefined)[]): readonly string[] | undefined {
  const told = values.filter((value) => value !== undefined);
  return told.length === 0 ? undefined : told;
}

/** The values of `region:`, `label:`, `host:` and `address:`, where the service tells them; undefined for other fields. */
export function toldBy(field: string): ((instance: Instance) => readonly string[] | undefined) | undefined {
  return Object.hasOwn(TOLD, field) ? TOLD[field] : undefined;
}

/** Whether a word is meant as a filter: `status:running`, `-name:web-*`. Others with a colon may be names: `prod:web-1`. */
export function isFilter(word: string): boolean {
  return FILTER_FIELDS.includes(partsOf(word).field);
}

/** Throws the Refusal of a filter that there is none of, or that has no value, for words that nothing is called. */
export function refuseUnknownFilter(words: readonly string[]): void {
  const word = words.find((one) => /^-?[a-z]+:/i.test(one) && (!isFilter(one) || partsOf(one).values === ''));
  if (word !== undefined) parseFilters([word], 0);
}

const AGE = 'older';
const ADDON = 'addon';
/** Every word that a filter can begin with. */
export const FILTER_FIELDS: readonly string[] = [...Object.keys(FIELDS), ...Object.keys(TOLD), ADDON, AGE];
const ALL_FIELDS = FILTER_FIELDS.map((field) => `${field}:`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' and ');
const NONE_KNOWN: AddonsOf = () => undefined;

/** Whether filters ask for add-ons, which are a list of their own. */
export function needsAddons(words: readonly string[]): boolean {
  return words.some((word) => partsOf(word).field === ADDON);
}

/**
 * `status:running`, `tier:pro`, `region:fra1`, `label:env=prod`, `addon:backup`, `older:30d` and so on; words are AND, comma is
 * OR, a leading `-` is NOT. Throws a Refusal for a field there is none of. `now`: Unix ms.
 */
export function parseFilters(words: readonly string[], now: number, addonsOf: AddonsOf = NONE_KNOWN): Filter {
  const filters = words.map((word) => parseFilter(word, now, addonsOf));
  return (instance) => filters.every((filter) => filter(instance));
}

/** A word of filters in its parts; the field is empty where it is none. */
export function partsOf(word: string): {
  readonly isNot: boolean;
  readonly field: string;
  readonly values: string;
} {
  const [, minus, field = '', values = ''] = /^(-?)([a-z]+):(.*)$/i.exec(word) ?? [];
  return { isNot: minus === '-', field: field.toLowerCase(), values };
}

function parseFilter(word: string, now: number, addonsOf: AddonsOf): Filter {
  const { isNot, field, values } = partsOf(word);
  if (field === AGE) return olderThan(word, values, isNot, now);
  const read = Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined;
  const told = toldBy(field);
  const patterns = values
    .split(',')
    .filter((value) => value !== '')
    // As it stands on a card, it may be a link.
    .map((value) => matcherOf(field === 'host' || field === 'address' ? hostIn(value) : value));
  if ((!read && !told && field !== ADDON) || patterns.length === 0) {
    throw new Refusal(
      'bad-filter',
      say`I can't filter by "${word}". Filters are ${ALL_FIELDS}, as in status:running name:web-*.`,
      values === ''
        ? anyOf(withNext(word), asFilter(word), withInPlaceOf(word, inWords('Filter', 'status:running')))
        : mendField(word, field, values),
    );
  }
  if (values.split(',').some((value) => isOtherFilter(field, value))) {
    throw new Refusal(
      'bad-filter',
      say`A minus leaves out only before a filter, as in name:web-* -name:web-1, so I can't filter by "${word}".`,
      isNot ? oneOf() : withInPlaceOf(word, apart(field, values.split(','))),
    );
  }
  const isAny = (all: readonly (string | undefined)[]): boolean =>
    all.some((value) => value !== undefined && patterns.some((isMatched) => isMatched(value)));
  if (read) return (instance) => isAny(read(instance)) !== isNot;
  const valuesOf = told ?? addonsOf;
  return (instance) => {
    const its = valuesOf(instance);
    return its !== undefined && isAny(its) !== isNot;
  };
}

/** Whether a value is meant to be left out, or as a filter of its own; a label may look like one. */
function isOtherFilter(field: string, value: string): boolean {
  return /^[-!\u2212^]/.test(value) || (field !== 'label' && isFilter(value));
}

/** The same values, those that are to be left out in filters of their own. */
function apart(field: string, values: readonly string[]): readonly string[] {
  const isOther = (value: string): boolean => isOtherFilter(field, value);
  const own = values.filter((value) => value !== '' && !isOther(value)).join(',');
  return [
    ...(own === '' ? [] : [`${field}:${own}`]),
    ...values.filter(isOther).map((value) => {
      const bare = value.replace(/^[-!\u2212^]/, '');
      if (isFilter(value)) return value;
      return isFilter(bare) ? `-${bare}` : `-${field}:${bare}`;
    }),
  ];
}

/** What services call these. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  tag: 'label',
  tags: 'label',
  labels: 'label',
  zone: 'region',
  location: 'region',
  datacenter: 'region',
  size: 'tier',
  plan: 'tier',
  type: 'tier',
  state: 'status',
  hostname: 'host',
  ip: 'address',
};

/** `label: team=web` as one word; nothing where no value follows. */
function withNext(word: string): Instead {
  return (words) => {
    const at = words.indexOf(word);
    const next = words[at + 1];
    if (at < 0 || !word.endsWith(':') || next === undefined || isFilter(next)) return [];
    return [words.toSpliced(at, 2, `${word}${next}`)];
  };
}

/** `region=fra1` and `team=web` as the filters that are meant. */
function asFilter(word: string): Instead {
  const [, left = '', right = ''] = /^([a-z][\w-]*)=(.+)$/i.exec(word) ?? [];
  if (left === '') return oneOf();
  const field = fieldCalled(left.toLowerCase());
  return withInPlaceOf(word, FILTER_FIELDS.includes(field) ? `${field}:${right}` : `label:${word}`);
}

function fieldCalled(name: string): string {
  return (Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined) ?? name;
}

/** The same with the field that is meant: `staus:running`, `tag:web`. */
function mendField(word: string, field: string, values: string): Instead {
  const right = closest(fieldCalled(field), FILTER_FIELDS);
  const start = word.startsWith('-') ? '-' : '';
  return right === undefined ? oneOf() : withInPlaceOf(word, `${start}${right}:${values}`);
}

/** `older:30d`: created so long ago. Without a birthday an instance fails this and its opposite. */
function olderThan(word: string, value: string, isNot: boolean, now: number): Filter {
  const ms = parseDuration(value, ['h', 'd', 'w']);
  if (ms === undefined) {
    if (value === '')
      throw new Refusal('bad-filter', say`How old?`, withInPlaceOf(word, `${word}7d`, `${word}30d`));
    throw new Refusal(
      'bad-filter',
      say`I can't read the age in "${word}". Give it in hours, days or weeks, as in older:30d or older:12h.`,
      /^\d+$/.test(value) ? mendWord(word, [`${isNot ? '-' : ''}older:${value}d`]) : oneOf(),
    );
  }
  return ({ createdAt }) => {
    const createdMs = Date.parse(createdAt ?? '');
    return Number.isFinite(createdMs) && createdMs <= now - ms !== isNot;
  };
}

/** Whether a value fits a pattern, in which `*` is any run of characters, in any case. Without backtracking: each part is sought once, left to right. */
export function matcherOf(pattern: string): (value: string) => boolean {
  const parts = pattern.toLowerCase().split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return (value) => value.toLowerCase() === first;
  return (value) => {
    const text = value.toLowerCase();
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= text.length - last.length;
  };
}

/**
 * Words in which a filter that was typed with spaces is one word: `label:team = web`, `label: team = web`, `region : fra1`. What
 * follows a reason stays as it is. Pure.
 */
export function withoutSpaces(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => /^(?:(?:--)?because|--override)$/i.test(word));
  const until = end < 0 ? words.length : end;
  const joined: string[] = [];
  for (const word of words.slice(0, until)) {
    const before = joined.at(-1);
    if (before !== undefined && isGoingOn(before, word)) joined[joined.length - 1] = `${before}${word}`;
    else joined.push(word);
  }
  return joined.length === until ? words : [...joined, ...words.slice(until)];
}

/** Whether a word goes on with the filter that the one before it begins. */
function isGoingOn(before: string, word: string): boolean {
  if (word.startsWith('--')) return false;
  // An emoji is no value.
  if (word.startsWith(':'))
    return !/^:[^:]+:$/.test(word) && FILTER_FIELDS.includes(before.replace(/^-/, '').toLowerCase());
  if (!isFilter(before) || isFilter(word)) return false;
  const { field, values } = partsOf(before);
  if (values === '') return !word.startsWith('=');
  return field === 'label' && (values.endsWith('=') || (word.startsWith('=') && !values.includes('=')));
}
