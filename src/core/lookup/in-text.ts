import { unmangle } from '../ask/words.ts';
import { type Hosted, hostsOf, inLowerCase } from '../instances/facts.ts';
import type { Instance, HostingService } from '../../platform/hosting/service.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';

type Named = Pick<Instance, 'id' | 'name'> & Hosted;

/** Where something stands in a text. */
interface Spot<One> {
  readonly from: number;
  readonly to: number;
  readonly those: readonly One[];
}

/**
 * The instances whose exact name, id, host name or IP address stands in a text as a whole word, in the order in which they are
 * named. `web-1` is not in `web-10`, `my-web-1` or `web-1.example.com`; a host name or an address counts in any case, and also
 * with a user, a port or a path beside it. Where one name begins another, the longer one counts there. `text`: without Slack's
 * marks. Pure.
 */
export function findInText<One extends Named>(text: string, instances: readonly One[]): readonly One[] {
  const names = byWords(instances, ({ id, name }) => [asRead(name), id]);
  const addresses = byWords(instances, hostsOf);
  const lower = inLowerCase(text);
  const spots = [
    ...[...names].flatMap(([words, those]) => spotsOf(text, words, those, NAME)),
    ...[...addresses].flatMap(([words, those]) =>
      spotsOf(lower, words, those, words.includes(':') ? IP_6 : HOST),
    ),
  ].toSorted((one, other) => one.from - other.from || other.to - one.to);
  const found = new Set<One>();
  let taken = 0;
  for (const { from, to, those } of spots) {
    if (from < taken) continue;
    taken = to;
    for (const one of those) found.add(one);
  }
  return [...found];
}

const HOST_NAME = /[a-z0-9-]+(?:\.[a-z0-9-]+)+/g;

/**
 * Those of which a text may name the host although nothing is known of theirs: a host name in it has their name or id in it. Those
 * with the longest names come first. Pure.
 */
function perhapsByHost<One extends Named>(text: string, instances: readonly One[]): readonly One[] {
  const hosts = inLowerCase(text).match(HOST_NAME) ?? [];
  const asInHost = (name: string): string => inLowerCase(name).replace(/[^a-z0-9]+/g, '-');
  return instances
    .filter(({ id, name, address }) => {
      if (address !== undefined) return false;
      const words = [asInHost(name), asInHost(id)].filter((word) => /[a-z0-9]/.test(word));
      return hosts.some((host) => words.some((word) => host.includes(word)));
    })
    .toSorted((one, other) => other.name.length - one.name.length);
}

/** Instances by each of the words that mean them exactly. */
function byWords<One extends Named>(
  instances: readonly One[],
  wordsOf: (one: One) => readonly string[],
): ReadonlyMap<string, readonly One[]> {
  const all = new Map<string, One[]>();
  for (const one of instances) {
    for (const words of new Set(wordsOf(one))) {
      const known = all.get(words);
      if (known) known.push(one);
      else if (words !== '') all.set(words, [one]);
    }
  }
  return all;
}

/** A name as it reads in a text without Slack's marks. */
function asRead(name: string): string {
  return unmangle(name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}

function spotsOf<One>(
  text: string,
  words: string,
  those: readonly One[],
  { before, after }: Joiners,
): readonly Spot<One>[] {
  const spots: Spot<One>[] = [];
  for (let from = text.indexOf(words); from >= 0; from = text.indexOf(words, from + 1)) {
    const to = from + words.length;
    const goesOnBefore = goesOn(words.at(0), text[from - 1], text[from - 2], before);
    if (!goesOnBefore && !goesOn(words.at(-1), text[to], text[to + 1], after))
      spots.push({ from, to, those });
  }
  return spots;
}

const LETTER = /[\p{L}\p{N}]/u;
/** Where a word begins or ends so, it may go on: `::1` begins with a colon, and is not in `2001:db8::1`. */
const EDGE = /[\p{L}\p{N}:]/u;
/** Between two letters these hold a word together: `web-1`, `web-1.example.com`, `web_1`. */
interface Joiners {
  readonly before: RegExp;
  readonly after: RegExp;
}
const NAME: Joiners = { before: /[-._:/@]/u, after: /[-._:/@]/u };
/** `https://root@host:443/path` has the host in it, and `a.host` and `host.b` another. */
const HOST: Joiners = { before: /[-._]/u, after: /[-._@]/u };
const IP_6: Joiners = { before: /[-._:]/u, after: /[-._:@]/u };

/** Whether a word goes on beyond its edge: `next` stands beside it, and `beyond` after that. */
function goesOn(
  edge: string | undefined,
  next: string | undefined,
  beyond: string | undefined,
  joiner: RegExp,
): boolean {
  if (next === undefined || edge === undefined || !EDGE.test(edge)) return false;
  if (LETTER.test(next)) return true;
  if (beyond === undefined) return false;
  if (next === ',') return isDigit(edge) && isDigit(beyond);
  return joiner.test(next) && LETTER.test(beyond);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

type Hosting = Pick<HostingService, 'findInstance'>;

/** So many are looked at by themselves for their host names at most. */
const MAX_ASKED = 5;

/**
 * The instances that a text names by name, id, host name or address. A list may not have the host names that its cards have:
 * those of a few that may be meant are looked up by the id.
 */
export async function findNamed(
  hosting: Hosting,
  text: string,
  instances: readonly Instance[],
): Promise<readonly Instance[]> {
  const found = new Set(findInText(text, instances));
  const perhaps = perhapsByHost(
    text,
    instances.filter((one) => !found.has(one)),
  ).slice(0, MAX_ASKED);
  if (perhaps.length === 0) return [...found];
  const read = await Promise.all(perhaps.map(({ id }) => addressOf(hosting, id)));
  const addresses = new Map(perhaps.map(({ id }, at) => [id, read[at]]));
  return findInText(
    text,
    instances.map((one) => {
      const address = addresses.get(one.id);
      return address === undefined ? one : { ...one, address };
    }),
  );
}

/** Its host name; undefined where it has none, or that can't be read now. */
async function addressOf(hosting: Hosting, instanceId: string): Promise<string | undefined> {
  try {
    return (await hosting.findInstance(instanceId))?.address;
  } catch (error) {
    if (error instanceof HostingError) return undefined;
    throw error;
  }
}
