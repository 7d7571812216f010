import { unmangle } from '../ask/words.ts';
import { near } from '../lookup/find.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { FILLER } from './atoms.ts';
import { ALL, KINDS, NUMBERS, STATES, THAT_ONE, THINGS } from './tables.ts';

/** The instances that somebody may name, found by the words that people use for them. */
export interface Names {
  readonly all: readonly Instance[];
  /** Those that these words call by name, id, host or address, whatever their case, spaces and hyphens. */
  called(words: readonly string[]): readonly Instance[];
  /** Those whose names begin with the word, up to a hyphen or a number: web, webs, database. */
  kin(word: string): readonly Instance[];
  /** Those that a word which is no name may mean. */
  near(word: string): readonly Instance[];
  /** The size of an instance by its word; undefined where none has it. */
  tier(word: string): string | undefined;
}

const known = new WeakMap<readonly Instance[], Names>();

/** Indexed once for a list: ten thousand names take 40 ms, and a sentence 1 ms. */
export function namesOf(all: readonly Instance[]): Names {
  const before = known.get(all);
  if (before) return before;
  const names = index(all);
  known.set(all, names);
  return names;
}

function index(all: readonly Instance[]): Names {
  const byName = new Map<string, Instance[]>();
  const byKin = new Map<string, Instance[]>();
  const tiers = new Map<string, string>();
  for (const instance of all) {
    const { id, name, address, hostname, ipAddress, tier } = instance;
    const calls = [id, name, address, hostname, ipAddress, address?.split('.')[0]].flatMap((one) =>
      one ? [squashed(one)] : [],
    );
    for (const call of new Set(calls)) if (call !== '') add(byName, call, instance);
    const [, kin] = /^([a-z]+)(?:[-_. ]|\d|$)/i.exec(name) ?? [];
    if (kin !== undefined) add(byKin, kin.toLowerCase(), instance);
    if (tier !== undefined) tiers.set(tier.toLowerCase(), tier);
  }
  return {
    all,
    called: (words) =>
      byName.get(squashed(words.join(' '))) ??
      byName.get(
        squashed(words.map((word, at) => asWritten(word, at > 0 && at < words.length - 1)).join('')),
      ) ??
      [],
    kin: (word) => {
      const ways = [word, KINDS[word], word.replace(/s$/, '')];
      return ways.flatMap((way) => (way === undefined ? [] : (byKin.get(way) ?? []))).filter(isFirst);
    },
    near: (word) => nearTo(word, all),
    tier: (word) => tiers.get(word),
  };
}

/** Names by a letter and a number as well: w1 is web-1 or worker-1. */
function nearTo(word: string, all: readonly Instance[]): readonly Instance[] {
  const [, letters, number] = /^([a-z]{1,3})(\d{1,4})$/i.exec(word) ?? [];
  const short =
    letters === undefined
      ? []
      : all.filter(
          ({ name }) => name.toLowerCase().startsWith(letters.toLowerCase()) && name.endsWith(number ?? ''),
        );
  if (short.length > 0) return short.slice(0, MOST_NEAR);
  const found = near(word, all);
  const [nearest] = found;
  if (nearest)
    return [...found, ...(/\d/.test(word) ? kinOf(nearest, all) : [])].filter(isFirst).slice(0, MOST_NEAR);
  const [, kin] = /^([a-z]{2,})[-_]?\d+$/i.exec(word) ?? [];
  return kin === undefined
    ? []
    : all.filter(({ name }) => name.toLowerCase().startsWith(`${kin.toLowerCase()}-`)).slice(0, MOST_NEAR);
}

/** Those whose names begin as its own does, up to the number: web-1 and web-2. */
function kinOf({ name }: Instance, all: readonly Instance[]): readonly Instance[] {
  const [start] = /^.*[-_ ](?=\d+$)/.exec(name) ?? [];
  return start === undefined ? [] : all.filter((one) => one.name.startsWith(start));
}

const MOST_NEAR = 5;

function add(map: Map<string, Instance[]>, key: string, instance: Instance): void {
  const those = map.get(key);
  if (those) those.push(instance);
  else map.set(key, [instance]);
}

function isFirst(instance: Instance, at: number, all: readonly Instance[]): boolean {
  return all.indexOf(instance) === at;
}

/** What is said aloud as it is written: "web dash one". A minus before a name leaves it out. */
function asWritten(word: string, isWithin: boolean): string {
  return isWithin && /^(?:dash|hyphen|minus|dot)$/i.test(word) ? '' : (NUMBERS[word.toLowerCase()] ?? word);
}

/** Without case, spaces, hyphens and what else a phone drops or adds. */
function squashed(text: string): string {
  return unmangle(text)
    .toLowerCase()
    .replace(/[\s._"'-]+/g, '');
}

/** Whether a word means something in most sentences, so that it names an instance only where one is to be named. */
export function isCommon(word: string): boolean {
  return (
    FILLER.has(word) ||
    ALL.has(word) ||
    THINGS.has(word) ||
    THAT_ONE.has(word) ||
    Object.hasOwn(STATES, word) ||
    KIND.has(word) ||
    COMMON.has(word)
  );
}

/** Whether a word says of which kind something is, as no filter can. */
export function isKind(word: string): boolean {
  return KIND.has(word);
}

/** Words of how something is that an instance may be called by as well. */
const KIND: ReadonlySet<string> = new Set(
  'slow fast hot cold new old stuck hanging busy full dead alive big small test live main'.split(' '),
);
const COMMON: ReadonlySet<string> = new Set('breaks breaking back home status health list'.split(' '));
