import { Session } from 'node:inspector/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';

import { openSandbox } from '../sandbox/sandbox.ts';

/**
 * `npm run measure`: how much a reader must hold in the head, counted in the source, and what one restart in the sandbox enters
 * and asks of Redis. The same commit gives the same figures, but for those of Redis, which depend on the moment a little.
 */

const filesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .filter((path) => pattern.test(path));
const CODE = /\.tsx?$/;
const source = new Map(filesIn('src', CODE).map((path) => [path, readFileSync(path, 'utf8')]));

function linesIn(folder: string): number {
  return filesIn(folder, CODE).reduce(
    (sum, path) => sum + readFileSync(path, 'utf8').trimEnd().split('\n').length,
    0,
  );
}

/** How many different texts of the source fit a pattern's first group. */
function different(pattern: RegExp): number {
  return new Set([...source.values()].flatMap((text) => [...text.matchAll(pattern)].map(([, one]) => one)))
    .size;
}

/** Folders of core that import themselves by way of others. */
function foldersInACycle(): readonly string[] {
  const folderOf = (path: string): string | undefined => /^src\/core\/([^/]+)\//.exec(path)?.[1];
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of source) {
    const from = folderOf(path);
    if (from === undefined) continue;
    for (const [, target = ''] of text.matchAll(/\bfrom '(\.[^']+)'/g)) {
      const to = folderOf(posix.join(posix.dirname(path), target));
      if (to !== undefined && to !== from) imports.set(from, (imports.get(from) ?? new Set()).add(to));
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(imports.get(from) ?? [])].some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...imports.keys()].filter((folder) => reaches(folder, folder));
}

/** Files of the source of which a function ran during `act`, in this process. */
async function filesEnteredBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(`${process.cwd()}/src/`))
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]?.count),
    )
    .map(({ url }) => posix.relative(process.cwd(), fileURLToPath(url)));
}

async function commandsOf(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/^cmdstat_(?!info|config)[^:]*:calls=(\d+)/gm)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

async function ofARestart(): Promise<Readonly<Record<string, number>>> {
  const sandbox = await openSandbox();
  const redis = new Redis(sandbox.redisUrl);
  try {
    const restart = async (name: string): Promise<void> => {
      await sandbox.slack.person('ana').types('#ops', `/instances restart ${name}`);
      await sandbox.settled();
    };
    // What is loaded and known once is not the restart's.
    await restart('web-1');
    const from = performance.now();
    const before = await commandsOf(redis);
    const files = await filesEnteredBy(() => restart('web-2'));
    const after = await commandsOf(redis);
    // What the bot asks anyhow, in as much time.
    await wait(performance.now() - from);
    const idle = (await commandsOf(redis)) - after;
    return {
      'files that a restart enters': files.length,
      'Redis commands of it, those in scripts as well': after - before - idle,
    };
  } finally {
    redis.disconnect();
    await sandbox.close();
  }
}

const figures: Readonly<Record<string, number>> = {
  'lines of src': linesIn('src'),
  'lines of sandbox': linesIn('sandbox'),
  'lines of test': linesIn('test'),
  'Lua scripts': filesIn('src', /\.lua$/).length,
  stores: different(/export function create(\w*Store|Places|Favourites|Threads|OpenHomes|Offers)\(/g),
  'job kinds': different(/export const (\w+_JOB) = '/g),
  sweeps: different(/export function (?:create|start)(\w*Sweeps?)\(/g),
  'timing knobs': (/TIMINGS[^{]*\{([\s\S]*?)\n\}/.exec(source.get('src/core/timings.ts') ?? '')?.[1] ?? '')
    .split('\n')
    .filter((line) => /^ {2}\w+:/.test(line)).length,
  'kinds of keys': different(/\bkey\('([^)]*)\)/g),
  'folders of core in a cycle': foldersInACycle().length,
  ...(await ofARestart()),
};
for (const [what, count] of Object.entries(figures))
  process.stdout.write(`${String(count).padStart(8)}  ${what}\n`);
