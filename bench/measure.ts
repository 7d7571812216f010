import { Session } from 'node:inspector/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';

import { openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { VARIABLES } from '../src/app/config/variables.ts';

/**
 * `npm run measure`: how much a reader must hold in the head, counted in the source, and what a restart, an alert and an
 * approval in the sandbox enter, draw and ask of Redis. The same commit gives the same figures, but for those of Redis, which depend on the moment a little.
 */

const filesIn = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .filter((path) => pattern.test(path));
const CODE = /\.tsx?$/;
const source = new Map(filesIn('src', CODE).map((path) => [path, readFileSync(path, 'utf8')]));

function linesIn(folder: string, pattern = CODE): number {
  return filesIn(folder, pattern).reduce(
    (sum, path) => sum + readFileSync(path, 'utf8').trimEnd().split('\n').length,
    0,
  );
}

/** How many different texts of the source fit a pattern's first group. */
function different(pattern: RegExp): number {
  return new Set([...source.values()].flatMap((text) => [...text.matchAll(pattern)].map(([, one]) => one)))
    .size;
}

/** What the source exports that exactly one other file of it imports. */
function exportsWithOneImporter(): number {
  const importers = new Map<string, number>();
  for (const [path, text] of source)
    for (const [, names = '', target = ''] of text.matchAll(
      /^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm,
    ))
      for (const name of names.split(',').flatMap((one) => /^\s*(?:type )?(\w+)/.exec(one)?.[1] ?? [])) {
        const id = `${posix.join(posix.dirname(path), target)} ${name}`;
        importers.set(id, (importers.get(id) ?? 0) + 1);
      }
  return [...importers.values()].filter((count) => count === 1).length;
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

/** What ran in this process during `act`. */
interface Ran {
  /** Files of the source that it entered. */
  readonly files: number;
  /** Messages that it drew: calls of what is named after one. */
  readonly messages: number;
}

/** A reading that is younger is shown again in place of another one. */
const SHARED_FOR_MS = 1_100;
/** What is written once all has been said. */
const CLOSES_WITHIN_MS = 2_000;
const DRAWS = /(?:Message|Card|Reply)$/;

async function ranDuring(act: () => Promise<unknown>): Promise<Ran> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await act();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const isOurs = (url: string): boolean =>
    url.startsWith('file:') && fileURLToPath(url).startsWith(`${process.cwd()}/src/`);
  const entered = result
    .filter(({ url }) => isOurs(url))
    .map(({ functions }) => functions.filter(({ functionName }) => functionName !== ''))
    .filter((functions) => functions.some(({ ranges }) => ranges[0]?.count));
  const drawing = entered.flat().filter(({ functionName }) => DRAWS.test(functionName));
  return {
    files: entered.length,
    messages: drawing.reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0),
  };
}

/** How often Redis was asked for what the pattern fits, those in scripts included. */
async function commandsOf(redis: Redis, pattern: string): Promise<number> {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(new RegExp(`^cmdstat_(?!info|config)(?:${pattern}):calls=(\\d+)`, 'gm'))].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

/** Something that people see happen, done once before it is counted: what is loaded and known then is not its own. */
interface Scene {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** Nothing but the bot asks Redis for anything meanwhile. */
  readonly isQuiet: boolean;
  readonly act: (sandbox: Sandbox, nth: number) => Promise<unknown>;
}

const untilRead = (sandbox: Sandbox, words: string, count: number): Promise<unknown> =>
  sandbox.slack.until(() => {
    const texts = sandbox.slack.channel('#ops').messages.map((one) => sandbox.slack.read(one));
    return texts.filter((text) => text.includes(words)).length >= count;
  });

const SCENES: readonly Scene[] = [
  {
    name: 'a restart',
    env: {},
    isQuiet: true,
    act: async (sandbox, nth) => {
      await sandbox.slack.person('ana').types('#ops', `/instances restart web-${nth}`);
      await untilRead(sandbox, `Restarted web-${nth}`, 1);
      await wait(CLOSES_WITHIN_MS);
    },
  },
  {
    name: 'an alert, raised and over',
    env: { BILLING_CHANNELS: 'C0OPS000001' },
    isQuiet: false,
    act: async (sandbox, nth) => {
      for (const [credits, words] of [
        [1_000, 'The balance'],
        [90_000, 'Over since'],
      ] as const) {
        sandbox.hosting.setBalance('harbour', credits);
        await wait(SHARED_FOR_MS);
        await sandbox.look();
        await untilRead(sandbox, words, nth);
      }
    },
  },
  {
    name: 'a restart that somebody else approves',
    env: { LAMPLIGHTER_APPROVE: 'web-*', LAMPLIGHTER_EVERYONE: 'operator' },
    isQuiet: true,
    act: async (sandbox, nth) => {
      const { slack } = sandbox;
      const name = `web-${nth}`;
      await slack.person('ana').types('#ops', `/instances restart ${name}`);
      const question = await slack.until(() =>
        slack.channel('#ops').messages.find((one) => slack.read(one).includes(`asks to restart ${name}`)),
      );
      await slack.person('bob').presses(question, 'Approve');
      await untilRead(sandbox, `Restarted web-${nth}`, 2);
      await wait(CLOSES_WITHIN_MS);
    },
  },
];

/** What a scene enters, draws and asks of Redis the second time. */
async function ofScene({ name, env, isQuiet, act }: Scene): Promise<Readonly<Record<string, number>>> {
  const sandbox = await openSandbox({ env, timings: { billingCheckEveryMs: Number.POSITIVE_INFINITY } });
  const redis = new Redis(sandbox.redisUrl);
  try {
    await act(sandbox, 1);
    const from = performance.now();
    const before = await commandsOf(redis, '[^:]*');
    const reads = await commandsOf(redis, 'hmget');
    const { files, messages } = await ranDuring(() => act(sandbox, 2));
    const after = await commandsOf(redis, '[^:]*');
    const readsAfter = await commandsOf(redis, 'hmget');
    // What the bot asks anyhow, in as much time.
    await wait(performance.now() - from);
    const idle = (await commandsOf(redis, '[^:]*')) - after;
    const idleReads = (await commandsOf(redis, 'hmget')) - readsAfter;
    return {
      [`files that ${name} enters`]: files,
      [`messages that ${name} draws`]: messages,
      [`records that ${name} reads`]: readsAfter - reads - idleReads,
      ...(isQuiet ? { [`Redis commands of ${name}, those in scripts as well`]: after - before - idle } : {}),
    };
  } finally {
    redis.disconnect();
    await sandbox.close();
  }
}

const figures: Record<string, number> = {
  'lines of src': linesIn('src'),
  'lines of sandbox': linesIn('sandbox'),
  'lines of test': linesIn('test'),
  'lines of docs': linesIn('docs', /\.md$/),
  'lines of bench': linesIn('bench'),
  'files of src': source.size,
  'Lua scripts': filesIn('src', /\.lua$/).length,
  stores: different(/export function create(\w*Store|Places|Favorites|Threads|Offers)\(/g),
  'job kinds': different(/(?:\b[A-Z]+_JOB = |\bjob: )'([\w.]+)'/g),
  'timing knobs': (/TIMINGS[^{]*\{([\s\S]*?)\n\}/.exec(source.get('src/core/timings.ts') ?? '')?.[1] ?? '')
    .split('\n')
    .filter((line) => /^ {2}\w+:/.test(line)).length,
  variables: VARIABLES.length,
  'kinds of keys': different(/\bkey\('([^)]*)\)/g),
  'bags of dependencies': different(/\b(?:interface|type) (\w+Deps)\b/g),
  'exports that one file imports': exportsWithOneImporter(),
  'folders of core in a cycle': foldersInACycle().length,
};
for (const scene of SCENES) Object.assign(figures, await ofScene(scene));
for (const [what, count] of Object.entries(figures))
  process.stdout.write(`${String(count).padStart(8)}  ${what}\n`);
