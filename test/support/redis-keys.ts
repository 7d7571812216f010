import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** "3", or "1 per operation": so many of something, in all or for each of a unit. */
interface Amount {
  readonly most: number;
  readonly per: string | undefined;
}

/** One row of docs/redis-keys.md. */
export interface Row {
  /** As it is written there: `lock:<instance>`. */
  readonly key: string;
  readonly keys: Amount;
  /** What one key holds: fields, entries or values. */
  readonly entries: Amount;
  /** How long it is kept once all is through, in ms; undefined for what has no expiry. */
  readonly keptMs: number | undefined;
  /** Whether its owner declares it as the one record of a kind, which somebody's first change writes. */
  readonly isOneRecord: boolean;
}

/** A key as it stands in Redis. */
export interface Found {
  readonly name: string;
  readonly row: Row | undefined;
  /** In ms; undefined without an expiry. */
  readonly ttlMs: number | undefined;
}

/** What a lane is kept for begins with the turn that it gave last, which lies ahead by a gap or so. */
const SLACK_MS = 1_000;
const PREFIX = '{lamplighter}:';
const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

const PAGE = readFileSync('docs/redis-keys.md', 'utf8');

function amountOf(text: string): Amount {
  const [, most, per] = /^([\d,]+)(?: per (.+))?$/.exec(text) ?? [];
  if (most === undefined) throw new Error(`docs/redis-keys.md: no amount: ${text}`);
  return { most: Number(most.replaceAll(',', '')), per };
}

function keptMsOf(text: string): number | undefined {
  const [, count, unit = ''] = /(\d+) (s|min|h|d)\b/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS_MS[unit] ?? Number.NaN);
}

function isOneKind(name: string, text: string): boolean {
  const parts = name.split(':').map((part) => `'${part}'`);
  return /: (?:OneKind|BulletinKind)</.test(text) && text.includes(`key: key(${parts.join(', ')})`);
}

const LINES = PAGE.split('\n').map((line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
);

/** Every row of the page, in its order. */
export const ROWS: readonly Row[] = LINES.flatMap((cells): Row[] => {
  const [key = '', , owner = '', keys = '', entries = '', ends = ''] = cells;
  const [, name] = /^`(.+)`$/.exec(key) ?? [];
  if (name === undefined || cells.length !== 6) return [];
  const isOneRecord = isOneKind(name, readFileSync(owner.replaceAll('`', ''), 'utf8'));
  return [
    { key: name, keys: amountOf(keys), entries: amountOf(entries), keptMs: keptMsOf(ends), isOneRecord },
  ];
});

/** Every unit that the page explains, in its order. */
export const EXPLAINED: readonly string[] = LINES.slice(LINES.findIndex(([first]) => first === 'Unit') + 2)
  .filter(({ length }) => length === 2)
  .flatMap(([unit = '']) => unit.split(', '));

/** Every unit in which the rows count. */
export const USED_UNITS: ReadonlySet<string> = new Set(
  ROWS.flatMap(({ keys, entries }) => [keys.per, entries.per].filter((per) => per !== undefined)),
);

/** The most that one operation leaves, in bytes. */
export const MAX_BYTES_LEFT = Number(/at most ([\d,]+) bytes/.exec(PAGE)?.[1]?.replaceAll(',', ''));

/** What a row means; those that leave less open come first. */
const PATTERNS = ROWS.map((row) => ({
  row,
  open: row.key.split('<').length,
  pattern: new RegExp(`^${row.key.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/<\w+>/g, '[^:]*')}$`),
})).toSorted((one, other) => one.open - other.open);

/** The row that a key of the bot belongs to; undefined where the page has none. */
export function rowOf(name: string): Row | undefined {
  const own = name.replace(/^(\{lamplighter\}:@[^:]+:)+/, '').slice(PREFIX.length);
  return PATTERNS.find(({ pattern }) => pattern.test(own))?.row;
}

/** Every key of the bot that stands in Redis now. */
export async function findKeys(redis: Redis): Promise<readonly Found[]> {
  const names = await redis.keys(`${PREFIX}*`);
  const ttls = await Promise.all(names.map((name) => redis.pttl(name)));
  return names.flatMap((name, index): Found[] => {
    const ttlMs = ttls[index] ?? -2;
    return ttlMs === -2 ? [] : [{ name, row: rowOf(name), ttlMs: ttlMs === -1 ? undefined : ttlMs }];
  });
}

/** What is wrong with keys at any moment: those of no row, and those that expire where their row says otherwise. */
export function faultsOf(found: readonly Found[]): readonly string[] {
  return found.flatMap(({ name, row, ttlMs }) => {
    if (!row) return [`${name}: docs/redis-keys.md has no row for it`];
    if ((ttlMs === undefined) === (row.keptMs === undefined)) return [];
    return [`${name}: it ${ttlMs === undefined ? 'never expires' : 'expires'}, which its row doesn't say`];
  });
}

/** The same of all that a run has left. */
export async function faultsLeftIn(redis: Redis): Promise<readonly string[]> {
  return faultsOf(await findKeys(redis));
}

/** A key with what it holds: how many fields, members or lines, and its size in Redis. */
export interface Measured extends Found {
  readonly entries: number;
  readonly bytes: number;
}

const COUNTED: Readonly<Record<string, string>> = {
  hash: 'hlen',
  list: 'llen',
  set: 'scard',
  stream: 'xlen',
  zset: 'zcard',
};

/** The same with what each holds. What expires meanwhile is left out. */
export async function measureKeys(redis: Redis): Promise<readonly Measured[]> {
  const found = await findKeys(redis);
  const measured = await Promise.all(
    found.map(async (one): Promise<Measured | undefined> => {
      const command = COUNTED[await redis.type(one.name)];
      const entries = command === undefined ? 1 : Number(await redis.call(command, one.name));
      const bytes = await redis.memory('USAGE', one.name, 'SAMPLES', 0);
      return typeof bytes === 'number' ? { ...one, entries, bytes } : undefined;
    }),
  );
  return measured.filter((one) => one !== undefined);
}

/** How many there are of each unit of the page in a run. */
export type Units = Readonly<Record<string, number>>;

/** The bound that an amount comes to; undefined where a run does not say how many of its unit there are. */
function boundOf({ most, per }: Amount, units: Units): number | undefined {
  const count = per === undefined ? 1 : units[per];
  return count === undefined ? undefined : most * count;
}

/** What exceeds its row: too many keys, too many entries in one, or kept for too long once all is finished. */
export function excessesOf(measured: readonly Measured[], units: Units): readonly string[] {
  const tooMany = ROWS.flatMap((row) => {
    const count = measured.filter((one) => one.row === row).length;
    const most = boundOf(row.keys, units) ?? Number.POSITIVE_INFINITY;
    return count > most ? [`${row.key}: ${count} keys, and not ${most} at most`] : [];
  });
  const tooLarge = measured.flatMap(({ name, row, entries }) => {
    const most = row && boundOf(row.entries, units);
    return most !== undefined && entries > most
      ? [`${name}: ${entries} entries, and not ${most} at most`]
      : [];
  });
  const tooLong = measured.flatMap(({ name, row, ttlMs = 0 }) =>
    ttlMs > (row?.keptMs ?? 0) + SLACK_MS ? [`${name}: kept for ${ttlMs} ms more`] : [],
  );
  return [...tooMany, ...tooLarge, ...tooLong];
}
