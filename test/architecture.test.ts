import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Files by path from the root of the checkout. */
type Tree = Readonly<Record<string, string>>;

interface Rule {
  /** A sentence that holds of the tree. */
  readonly holds: string;
  /** The files it is about. A rule that is about none is not kept but blind. */
  readonly about: (path: string) => boolean;
  /** What is wrong with one of them; empty for nothing. */
  readonly faults: (path: string, text: string, tree: Tree) => readonly string[];
  /** One file each that breaks the rule, and that a careless check would miss. */
  readonly broken: Tree;
  /** What else stands in the tree with such a file, for a rule that needs it. */
  readonly among?: Tree;
  /** Files that come close and are fine. */
  readonly fine?: Tree;
}

/** The rooms of the bot, each of which may import itself and those after it; `main.ts` stands above them. */
const ROOMS = ['app', 'features', 'core', 'platform'];
/** The folders of core, bottom first: each may import what stands in core itself, its own files and the folders before it. */
const CORE = [
  'ask instances money audit records threads outbox on-call policy',
  'approvals offers lists lookup sentences parts operations boards batches',
  'agents intake accounts changes workflow-steps schedules watchdogs deployment workspaces bot',
].flatMap((row) => row.split(' '));
/** Folders of tests that are about no one folder: what strangers try, and what tests share. */
const TESTS_OF_ALL = ['attacks', 'support'];
/** What stands in `src` itself. */
const MAX_FILES_ABOVE = 5;
/** What nothing else of its tree imports: mains, and what is built on the composition root. */
const ENTRIES = [
  'src/main.ts',
  'sandbox/main.ts',
  'sandbox/demo.ts',
  'sandbox/sandbox.ts',
  'sandbox/bot.ts',
  'sandbox/play.ts',
  'sandbox/talk.ts',
  'sandbox/web/open-web.ts',
  'sandbox/web/pictures.ts',
  'sandbox/hosting/main.ts',
  'sandbox/phrases/print-phrases.ts',
  'sandbox/store/main.ts',
];
/** What the clouds of the sandbox take from the hosting company. */
const SHARED_WITH_CLOUDS = ['engine', 'interventions', 'calls'].map((name) => `sandbox/hosting/${name}.ts`);
const MAX_FILE = 300;
const WORDS_OF_DRAWERS = /^(utils?|helpers?|commons?|types?|managers?|misc|lib)$/;
const CALLS_THAT_LOG = /\blog\.(?:debug|info|warn|error|limited)\(/g;
const NEW_ERRORS = /\bnew \w*Error\(/g;

const isCode = (path: string): boolean => /\.tsx?$/.test(path);
const isOfTests = (path: string): boolean => path.startsWith('test/');
const isSource = (path: string): boolean => path.startsWith('src/');
const isEntry = (path: string): boolean => ENTRIES.includes(path);
const roomOf = (path: string): string | undefined =>
  ROOMS.find((room) => path.startsWith(`src/${room}/`)) ?? (isSource(path) ? 'above' : undefined);
const coreFolderOf = (path: string): string | undefined => /^src\/core\/([^/]+)\//.exec(path)?.[1];
const featureOf = (path: string): string | undefined => /^src\/features\/([^/]+)\//.exec(path)?.[1];
/** The folders of the tests may import all of it, the sandbox, the runs of faults and the benchmarks what they are built on. */
const TREES = ['src', 'sandbox', 'faults', 'bench', 'test'];

/** The files of the project that a file imports, re-exports or loads while running; types count as well. */
/** What a text imports, by the text: most rules ask for the same. */
const IMPORTS = new Map<string, { readonly path: string; readonly targets: string[] }>();

function importsOf(path: string, text: string): string[] {
  const known = IMPORTS.get(text);
  if (known?.path === path) return known.targets;
  const named = text.matchAll(
    /(?:\bfrom|\bimport|\bimport\s*\()\s*['"](\.{1,2}\/[^'"]+)['"]|\bnew URL\('(\.{1,2}\/[^']+\.ts)', import/g,
  );
  const targets = [...named].map(([, imported, target = imported ?? '']) =>
    posix.join(posix.dirname(path), target),
  );
  IMPORTS.set(text, { path, targets });
  return targets;
}

function importsThat(isWrong: (target: string, path: string) => boolean): Rule['faults'] {
  return (path, text) => importsOf(path, text).filter((target) => isWrong(target, path));
}

function matching(pattern: RegExp): Rule['faults'] {
  return (_path, text) => text.match(new RegExp(pattern, `${pattern.flags}g`)) ?? [];
}

/** The ids of routes that features declare, as they stand in their texts: `'instances.list'`. */
function routeIdsIn(tree: Tree): ReadonlySet<string> {
  const known = ROUTE_IDS.get(tree);
  if (known) return known;
  const texts = Object.entries(tree).filter(([path]) => featureOf(path) !== undefined);
  const ids = new Set(
    texts.flatMap(([, text]) => [...text.matchAll(/'([a-z]+\.[a-z][a-z-]*)'/g)].map(([, id = '']) => id)),
  );
  ROUTE_IDS.set(tree, ids);
  return ids;
}
const ROUTE_IDS = new WeakMap<Tree, ReadonlySet<string>>();

/** The first words of every text that stands in the brackets of such a call, at any depth of theirs. */
function textsIn(text: string, calls: RegExp): string[] {
  return [...text.matchAll(calls)].flatMap(({ 0: call, index }) => {
    const start = index + call.length;
    let depth = 1;
    let end = start;
    while (end < text.length && depth > 0) {
      const letter = text[end] ?? '';
      const literal = /^(['"`])(?:\\.|(?!\1)[^\\])*\1/s.exec(text.slice(end));
      if ('([{'.includes(letter)) depth += 1;
      if (')]}'.includes(letter)) depth -= 1;
      end += literal ? literal[0].length : 1;
    }
    return [...text.slice(start, end).matchAll(/(?<=^|[(,?:]\s*)['"`]([^'"`]*)/g)].map(
      ([, words = '']) => words,
    );
  });
}

const RULES: readonly Rule[] = [
  {
    holds: 'imports point down: app, features, core, platform',
    about: (path) => isCode(path) && ROOMS.includes(roomOf(path) ?? ''),
    faults: importsThat((target, path) => {
      const [from, to] = [roomOf(path) ?? '', roomOf(target) ?? ''].map((room) => ROOMS.indexOf(room));
      return isSource(target) && (to ?? -1) < (from ?? 0);
    }),
    broken: {
      'src/platform/slack/deep/people.ts': `import type {\n  Standing,\n} from '../../../core/policy/policy.ts';`,
      'src/core/operations/begin.ts': `export { near } from '../../features/instances/near.ts';`,
      'src/features/billing/index.ts': `import type { Background } from '../../app/jobs.ts';`,
      'src/app/app.ts': `import '../main.ts';`,
      'src/core/intake/answer.ts': `const late = await import('../../app/config/config.ts');`,
    },
    fine: {
      'src/features/billing/index.ts': `import { say } from '../../platform/slack/phrase.ts';`,
      'src/core/operations/begin.ts': `import { reason } from '../ask/reason.ts';`,
    },
  },
  {
    holds: 'imports point down inside core, in the order of its folders',
    about: (path) => isCode(path) && roomOf(path) === 'core',
    faults: (path, text) => {
      const from = coreFolderOf(path);
      if (from !== undefined && !CORE.includes(from)) return [`${from} has no place in the order`];
      return importsThat((target) => {
        const to = coreFolderOf(target);
        if (to === undefined || to === from) return false;
        return from === undefined || CORE.indexOf(to) > CORE.indexOf(from);
      })(path, text, {});
    },
    broken: {
      'src/core/operations/begin.ts': `import type { Route } from '../intake/route.ts';`,
      'src/core/policy/deep/decide.ts': `export { busy } from '../../operations/messages.ts';`,
      'src/core/refusal.ts': `import { entryOf } from './audit/entry-of.ts';`,
      'src/core/requests/answer.ts': '',
    },
    fine: {
      'src/core/operations/begin.ts': `import type { Ask } from '../ask/ask.ts';\nimport { busy } from './messages.ts';\nimport { Refusal } from '../refusal.ts';`,
    },
  },
  {
    holds: 'core and platform name no route of a feature, not as a text either',
    about: (path) => isCode(path) && ['core', 'platform'].includes(roomOf(path) ?? ''),
    faults: (_path, text, tree) => {
      const ids = routeIdsIn(tree);
      const nouns = new Set([...ids].map((id) => id.slice(0, id.indexOf('.'))));
      const texts = [...text.matchAll(/['"`]([a-z]+)\.([a-z-]*)['"`$]/g)];
      return texts
        .filter(([, noun = '', verb]) => ids.has(`${noun}.${verb}`) || (verb === '' && nouns.has(noun)))
        .map(([found]) => found);
    },
    broken: {
      'src/core/a.ts': `export const LIST = 'lamplighter.list';`,
      'src/platform/b.ts': "if (id.startsWith('lamplighter.')) return;",
      'src/core/c.ts': 'const id = `lamplighter.${verb}`;',
    },
    among: { 'src/features/lamplighter/list.ts': `id: 'lamplighter.list',` },
    fine: { 'src/core/a.ts': `export const SKIP = 'schedules.skip';` },
  },
  {
    holds: 'no feature imports another feature',
    about: (path) => isCode(path) && featureOf(path) !== undefined,
    faults: importsThat(
      (target, path) => featureOf(target) !== undefined && featureOf(target) !== featureOf(path),
    ),
    broken: {
      'src/features/billing/balance/balance.ts': `import type { Instance } from '../../instances/instance.ts';`,
      'src/features/addons/list.ts': `export { near } from '../instances/instance.ts';`,
      'src/features/instances/show.ts': `const late = await import('../lamplighter/help.ts');`,
    },
    fine: {
      'src/features/instances/show.ts': `import { near } from './instance.ts';\nimport { say } from '../../platform/slack/phrase.ts';`,
    },
  },
  {
    holds: 'every file of the bot stands in one of its rooms, but for main.ts and at most three more',
    about: isSource,
    faults: (path, _text, tree) => {
      if (/^src\/[^/]+\//.test(path)) return roomOf(path) === 'above' ? [path] : [];
      const above = Object.keys(tree).filter((other) => /^src\/[^/]+$/.test(other));
      return above.indexOf(path) >= MAX_FILES_ABOVE ? [path] : [];
    },
    broken: { 'src/operations/begin.ts': '' },
    fine: { 'src/main.ts': '' },
  },
  {
    holds: 'no file imports itself by way of others',
    about: isCode,
    faults: (path, _text, tree) => {
      const seen = new Set<string>();
      const visit = (from: string): boolean =>
        importsOf(from, tree[from] ?? '').some((target) => {
          if (target === path) return true;
          if (seen.has(target)) return false;
          seen.add(target);
          return visit(target);
        });
      return visit(path) ? [path] : [];
    },
    broken: { 'src/core/a.ts': `import type { A } from '../core/a.ts';` },
    fine: { 'src/core/b.ts': `import type { A } from './a.ts';` },
  },
  {
    holds: 'nothing imports an entry but an entry',
    about: (path) => isCode(path) && !isEntry(path) && /^(src|sandbox)\//.test(path),
    faults: importsThat(isEntry),
    broken: {
      'src/app/app.ts': `import '../main.ts';`,
      'sandbox/redis.ts': `import { openSandbox } from './sandbox.ts';`,
    },
    fine: { 'sandbox/hosting/engine.ts': `import { createHostingSandbox } from './sandbox.ts';` },
  },
  {
    holds: 'the bot imports nothing of the sandbox or the tests',
    about: (path) => isCode(path) && isSource(path),
    faults: importsThat((target) => !isSource(target)),
    broken: { 'src/app/config/config.ts': `import { PEOPLE } from '../../../sandbox/people.ts';` },
  },
  {
    holds: 'the hosting company shares the wire shapes with the bot, and nothing else',
    about: (path) => isCode(path) && path.startsWith('sandbox/hosting/'),
    faults: importsThat((target) => isSource(target) && target !== 'src/platform/hosting/table/records.ts'),
    broken: {
      'sandbox/hosting/company.ts': `import { POWERS } from '../../src/platform/hosting/service.ts';`,
    },
    fine: {
      'sandbox/hosting/addon.ts': `import { addonWire } from '../../src/platform/hosting/table/records.ts';`,
    },
  },
  {
    holds:
      'the clouds of the sandbox share nothing with the bot, and with the hosting company only the engine, which knows neither',
    about: (path) =>
      isCode(path) && (path.startsWith('sandbox/clouds/') || SHARED_WITH_CLOUDS.includes(path)),
    faults: importsThat(
      (target, path) =>
        !SHARED_WITH_CLOUDS.includes(target) &&
        (SHARED_WITH_CLOUDS.includes(path) || !target.startsWith('sandbox/clouds/')),
    ),
    broken: {
      'sandbox/clouds/hetzner.ts': `import type { Wire } from '../../src/platform/hosting/wire.ts';`,
      'sandbox/clouds/cloud.ts': `export { POWERS } from '../../src/platform/hosting/service.ts';`,
      'sandbox/clouds/exchange.ts': `import { routes } from '../hosting/routes.ts';`,
      'sandbox/hosting/engine.ts': `import { toText } from '../../src/platform/hosting/wire.ts';`,
    },
    fine: {
      'sandbox/clouds/cloud.ts': `import { createEngine } from '../hosting/engine.ts';\nimport { vultr } from './vultr.ts';`,
    },
  },
  {
    holds: 'the Slack of the sandbox shares nothing with the bot',
    about: (path) => isCode(path) && path.startsWith('sandbox/slack/'),
    faults: importsThat(isSource),
    broken: {
      'sandbox/slack/reading/blocks.ts': `import { plain } from '../../../src/platform/slack/phrase.ts';`,
    },
    fine: { 'sandbox/slack/index.ts': `export { PEOPLE } from '../people.ts';` },
  },
  {
    holds: 'only config/config.ts reads the environment',
    about: (path) => isCode(path) && isSource(path) && path !== 'src/app/config/config.ts',
    faults: matching(
      /\bprocess\s*\??\.\s*env\b|\bprocess\[|\{[^}]*\benv\b[^}]*\} (?:= process\b|from 'node:process')/,
    ),
    broken: {
      'src/a.ts': `const level = process.env['LOG_LEVEL'];`,
      'src/b.ts': `import { env } from 'node:process';`,
      'src/c.ts': `const { env } = process;`,
      'src/d.ts': `process['env'];`,
    },
    fine: { 'src/a.ts': `process.exit(1);\nconst { env } = settings;` },
  },
  {
    holds: `no file is longer than ${MAX_FILE} lines`,
    about: (path) => !isOfTests(path),
    faults: (_path, text) => {
      const lines = text.trimEnd().split('\n').length;
      return lines > MAX_FILE ? [`${lines} lines`] : [];
    },
    broken: { 'src/a.ts': 'line\n'.repeat(MAX_FILE + 1) },
    fine: { 'src/a.ts': 'line\n'.repeat(MAX_FILE) },
  },
  {
    holds: 'every file and folder is named in kebab-case',
    about: () => true,
    faults: (path) => {
      const names = path
        .split('/')
        .map((name) =>
          name.replace(
            /(\.chaos|\.browser|\.image|\.long)?(\.test)?\.(tsx?|lua|tsv|yaml|css|html|svg|md)$/,
            '',
          ),
        );
      // What everybody calls README.md is not found by another name.
      return names.filter((name) => name !== 'README' && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name));
    },
    broken: {
      'src/powerKind.ts': '',
      'src/power_kind.ts': '',
      'src/Slack/router.ts': '',
      'src/power.job.ts': '',
    },
    fine: { 'src/features/instances/power-kind.ts': '', 'src/core/operations/begin.lua': '' },
  },
  {
    holds: 'a folder of tests has the name of what it tests',
    about: (path) => /^test\/[^/]+\//.test(path),
    faults: (path, _text, tree) => {
      const [, folder = ''] = path.split('/');
      const tested = Object.keys(tree).filter((other) => !isOfTests(other));
      const isNamed = TREES.includes(folder) || tested.some((other) => other.includes(`/${folder}/`));
      return isNamed || TESTS_OF_ALL.includes(folder) ? [] : [folder];
    },
    broken: { 'test/targets/find.test.ts': '' },
    among: { 'src/core/lookup/find.ts': '' },
    fine: {
      'test/lookup/find.test.ts': '',
      'test/faults/run.long.test.ts': '',
      'test/attacks/malformed.test.ts': '',
    },
  },
  {
    holds: 'no file or folder is a drawer',
    about: () => true,
    faults: (path) => path.split(/[/.-]/).filter((word) => WORDS_OF_DRAWERS.test(word)),
    broken: { 'src/utils/text.ts': '', 'src/slack/block-helpers.ts': '', 'src/types.ts': '' },
    fine: { 'src/platform/hosting/service.ts': '' },
  },
  {
    holds: 'texts say what was being done, never that it "failed to"',
    about: (path) => isCode(path) && !isOfTests(path),
    faults: matching(/\b(?:failed to|unable to|error while)\b/i),
    broken: {
      'src/a.ts': `throw new Error('Failed to restart');`,
      'src/b.ts': 'log.warn({}, `unable to post`);',
    },
  },
  {
    holds: 'nothing behaves differently in a test',
    about: (path) => isCode(path) && !isOfTests(path),
    faults: matching(/\bNODE_ENV\b|\bVITEST\b/),
    broken: { 'src/a.ts': `if (env.NODE_ENV === 'test') return;`, 'sandbox/b.ts': 'process.env.VITEST' },
  },
  {
    holds: 'every key in Redis is made by key()',
    about: (path) => isSource(path) && path !== 'src/platform/redis/key.ts',
    // The prefix followed by a key, a key lengthened elsewhere, or a script that names one or makes it of an argument.
    faults: matching(
      /\{lamplighter\}:[^\s]|\$\{(?:\w+Keys\.\w+|\w+Key)(?:\([^)]*\))?\}|redis\.call\('\w+', (?:'|ARGV|\w+ \.\.)/,
    ),
    broken: {
      'src/a.ts': `await redis.get('{lamplighter}:offer:1');`,
      'src/b.ts': 'const key = `${requestKeys.open}:mine`;',
      'src/core/operations/a.lua': `redis.call('GET', 'lamplighter')`,
      'src/core/operations/b.lua': `redis.call('HGET', ARGV[5] .. id, 'version')`,
      'src/core/operations/c.lua': `redis.call('GET', prefix .. id)`,
    },
    fine: { 'src/main.ts': 'process.stderr.write(`lamplighter: ${text}`);' },
  },
  {
    holds: 'every line of the log begins in lower case',
    about: (path) => isCode(path) && isSource(path),
    faults: (_path, text) => textsIn(text, CALLS_THAT_LOG).filter((words) => /^\p{Lu}/u.test(words)),
    broken: {
      'src/a.ts': `log.warn({ error: describe(error, '(') }, 'Posting the card');`,
      'src/b.ts': 'log.info(\n  {},\n  `Sweep ${id}`,\n);',
      'src/c.ts': `log.limited('Redis', error);`,
      'src/d.ts': `log.info({}, isLate ? 'late' : 'Early');`,
    },
    fine: { 'src/a.ts': `log.warn({ code: codes['A'] }, 'posting');\nsay('Posting');` },
  },
  {
    holds: 'every error begins in lower case, or with a proper name',
    about: (path) => isCode(path) && isSource(path),
    faults: (_path, text) =>
      textsIn(text, NEW_ERRORS).filter((words) => /^(?!(?:Redis|Slack) )\p{Lu}/u.test(words)),
    broken: {
      'src/a.ts': 'throw new Error(`No route ${id}`);',
      'src/b.ts': `throw new HostingError('Reading', {});`,
    },
    fine: { 'src/a.ts': `throw new Error('Redis did not answer');` },
  },
];

/** Every fault that a rule finds in a tree. Throws where the rule is about no file of it. */
function faultsIn(tree: Tree, rule: Rule): string[] {
  const seen = Object.entries(tree).filter(([path]) => rule.about(path));
  if (seen.length === 0) throw new Error(`"${rule.holds}" is about no file`);
  return seen.flatMap(([path, text]) => rule.faults(path, text, tree).map((fault) => `${path}: ${fault}`));
}

function readTree(...folders: readonly string[]): Tree {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name, parentPath }) => !parentPath.includes('node_modules') && !/\.(?:mjs|json)$/.test(name))
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join(entry.parentPath, entry.name)),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

/** Its own examples break every rule. */
const { 'test/architecture.test.ts': _itself, ...tree } = readTree(...TREES);

const named = RULES.map((rule) => [rule.holds, rule] as const);

describe('in the project', () => {
  test.each(named)('%s', (_holds, rule) => {
    expect(faultsIn(tree, rule)).toEqual([]);
  });
});

describe('a file that breaks it is named:', () => {
  test.each(named)('%s', (_holds, rule) => {
    const unseen = Object.entries(rule.broken).filter(
      ([path, text]) => faultsIn({ ...rule.among, [path]: text }, rule).length === 0,
    );
    expect(unseen).toEqual([]);
    const fine = Object.entries(rule.fine ?? {}).filter(([path]) => rule.about(path));
    expect(fine.flatMap(([path, text]) => faultsIn({ ...rule.among, [path]: text }, rule))).toEqual([]);
  });

  test.each(named)('a tree without a file for it does not pass: %s', (_holds, rule) => {
    expect(() => faultsIn({}, rule)).toThrow('is about no file');
  });
});

test('ARCHITECTURE.md lists the folders of core in their order', () => {
  const [, list = ''] =
    /the folders above it[^]*?```\n([^]*?)```/.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? [];
  expect([...list.matchAll(/^([a-z-]+) /gm)].map(([, folder]) => folder)).toEqual(CORE);
});

describe('the checks themselves', () => {
  test('see every import that the compiler sees: each leads to a file that is there', () => {
    const targets = Object.entries(tree)
      .filter(([path]) => isCode(path))
      .flatMap(([path, text]) => importsOf(path, text));
    expect(targets.length).toBeGreaterThan(500);
    expect(targets.filter((target) => !(target in tree))).toEqual([]);
  });

  test('miss no import: what they find is as many as there are lines that name a file', () => {
    const missed = Object.entries(tree).filter(([path, text]) => {
      const lines = text.split('\n').filter((line) => /['"]\.{1,2}\/[^'"]*\.tsx?['"]/.test(line));
      return isCode(path) && importsOf(path, text).length !== lines.length;
    });
    expect(missed.map(([path]) => path)).toEqual([]);
  });

  test('know every entry, every room and every feature that there is', () => {
    for (const entry of ENTRIES) expect(tree).toHaveProperty([entry]);
    for (const room of ROOMS) expect(Object.keys(tree).some((path) => roomOf(path) === room)).toBe(true);
    const features = new Set(Object.keys(tree).map(featureOf));
    for (const feature of ['instances', 'addons', 'billing', 'lamplighter'])
      expect(features).toContain(feature);
  });

  test('read the texts of the log and of errors that are there', () => {
    const all = Object.entries(tree).filter(([path]) => isSource(path));
    expect(all.flatMap(([, text]) => textsIn(text, CALLS_THAT_LOG)).length).toBeGreaterThan(20);
    expect(all.flatMap(([, text]) => textsIn(text, NEW_ERRORS)).length).toBeGreaterThan(15);
  });
});
