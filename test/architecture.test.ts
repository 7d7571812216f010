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
  readonly faults: (path: string, text: string) => readonly string[];
  /** One file each that breaks the rule, and that a careless check would miss. */
  readonly broken: Tree;
  /** Files that come close and are fine. */
  readonly fine?: Tree;
}

/** Mains, the composition root with its list of features, and what of the sandbox is built on that root. */
const ENTRIES = [
  'src/main.ts',
  'src/app.ts',
  'src/features.ts',
  'sandbox/main.ts',
  'sandbox/demo.ts',
  'sandbox/sandbox.ts',
  'sandbox/bot.ts',
  'sandbox/play.ts',
  'sandbox/talk.ts',
  'sandbox/hosting/main.ts',
];
const FEATURES = ['instances', 'lamplighter', 'billing', 'addons'];
const LONGEST_FILE = 300;
const WORDS_OF_DRAWERS = /^(utils?|helpers?|commons?|types?|managers?|misc|lib)$/;
const CALLS_THAT_LOG = /\blog\.(?:debug|info|warn|error|limited)\(/g;
const NEW_ERRORS = /\bnew \w*Error\(/g;

const isCode = (path: string): boolean => path.endsWith('.ts');
const isSource = (path: string): boolean => path.startsWith('src/');
const isEntry = (path: string): boolean => ENTRIES.includes(path);
const featureOf = (path: string): string | undefined =>
  FEATURES.find((feature) => path.startsWith(`src/${feature}/`));
const isShared = (path: string): boolean => isSource(path) && !isEntry(path) && featureOf(path) === undefined;

/** The files of the project that a file imports, re-exports or loads while running; types count as well. */
function importsOf(path: string, text: string): string[] {
  const named = text.matchAll(/(?:\bfrom|\bimport|\bimport\s*\()\s*['"](\.{1,2}\/[^'"]+)['"]/g);
  return [...named].map(([, target = '']) => posix.join(posix.dirname(path), target));
}

function importsThat(isWrong: (target: string, path: string) => boolean): Rule['faults'] {
  return (path, text) => importsOf(path, text).filter((target) => isWrong(target, path));
}

function matching(pattern: RegExp): Rule['faults'] {
  return (_path, text) => text.match(new RegExp(pattern, `${pattern.flags}g`)) ?? [];
}

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
    holds: 'no feature imports another feature',
    about: (path) => isCode(path) && featureOf(path) !== undefined,
    faults: importsThat(
      (target, path) => featureOf(target) !== undefined && featureOf(target) !== featureOf(path),
    ),
    broken: {
      'src/billing/balance.ts': `import type { Instance } from '../instances/instance.ts';`,
      'src/addons/list.ts': `export { near } from '../instances/instance.ts';`,
      'src/instances/show.ts': `const late = await import('../lamplighter/help.ts');`,
    },
    fine: {
      'src/instances/show.ts': `import { near } from './instance.ts';\nimport { say } from '../slack/phrase.ts';`,
    },
  },
  {
    holds: 'what is shared imports no feature',
    about: (path) => isCode(path) && isShared(path),
    faults: importsThat((target) => featureOf(target) !== undefined),
    broken: { 'src/slack/deep/router.ts': `import {\n  near,\n} from '../../instances/instance.ts';` },
    fine: { 'src/slack/router.ts': `import { access } from '../access/access.ts';` },
  },
  {
    holds: 'a folder that makes a feature is known here as one',
    about: (path) => isSource(path) && path.endsWith('/index.ts'),
    faults: (path, text) => (/\): Feature \{/.test(text) && featureOf(path) === undefined ? [path] : []),
    broken: { 'src/backups/index.ts': `export function backupsFeature(deps: Deps): Feature {` },
  },
  {
    holds: 'nothing imports an entry but an entry',
    about: (path) => isCode(path) && !isEntry(path),
    faults: importsThat(isEntry),
    broken: {
      'src/slack/router.ts': `import type { LamplighterApp } from '../app.ts';`,
      'src/instances/show.ts': `import '../main.ts';`,
      'sandbox/redis.ts': `import { openSandbox } from './sandbox.ts';`,
    },
    fine: { 'sandbox/hosting/listener.ts': `import { createHostingSandbox } from './sandbox.ts';` },
  },
  {
    holds: 'the bot imports nothing of the sandbox or the tests',
    about: (path) => isCode(path) && isSource(path),
    faults: importsThat((target) => !isSource(target)),
    broken: { 'src/config.ts': `import { PEOPLE } from '../sandbox/people.ts';` },
  },
  {
    holds: 'the hosting company shares the wire shapes with the bot, and nothing else',
    about: (path) => isCode(path) && path.startsWith('sandbox/hosting/'),
    faults: importsThat((target) => isSource(target) && target !== 'src/hosting/wire.ts'),
    broken: { 'sandbox/hosting/company.ts': `import { POWERS } from '../../src/hosting/service.ts';` },
    fine: { 'sandbox/hosting/addon.ts': `import { addonWire } from '../../src/hosting/wire.ts';` },
  },
  {
    holds: 'the Slack of the sandbox shares nothing with the bot',
    about: (path) => isCode(path) && path.startsWith('sandbox/slack/'),
    faults: importsThat(isSource),
    broken: { 'sandbox/slack/reading/blocks.ts': `import { plain } from '../../../src/slack/phrase.ts';` },
    fine: { 'sandbox/slack/index.ts': `export { PEOPLE } from '../people.ts';` },
  },
  {
    holds: 'only config.ts reads the environment',
    about: (path) => isCode(path) && isSource(path) && path !== 'src/config.ts',
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
    holds: `no file is longer than ${LONGEST_FILE} lines`,
    about: () => true,
    faults: (_path, text) => {
      const lines = text.trimEnd().split('\n').length;
      return lines > LONGEST_FILE ? [`${lines} lines`] : [];
    },
    broken: { 'src/a.ts': 'line\n'.repeat(LONGEST_FILE + 1) },
    fine: { 'src/a.ts': 'line\n'.repeat(LONGEST_FILE) },
  },
  {
    holds: 'every file and folder is named in kebab-case',
    about: () => true,
    faults: (path) => {
      const names = path.split('/').map((name) => name.replace(/\.(ts|lua|yaml)$/, ''));
      return names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name));
    },
    broken: {
      'src/powerKind.ts': '',
      'src/power_kind.ts': '',
      'src/Slack/router.ts': '',
      'src/power.job.ts': '',
    },
    fine: { 'src/instances/power-kind.ts': '', 'src/redis/scripts/begin.lua': '' },
  },
  {
    holds: 'no file or folder is a drawer',
    about: () => true,
    faults: (path) => path.split(/[/.-]/).filter((word) => WORDS_OF_DRAWERS.test(word)),
    broken: { 'src/utils/text.ts': '', 'src/slack/block-helpers.ts': '', 'src/types.ts': '' },
    fine: { 'src/hosting/service.ts': '' },
  },
  {
    holds: 'texts say what was being done, never that it "failed to"',
    about: isCode,
    faults: matching(/\b(?:failed to|unable to|error while)\b/i),
    broken: {
      'src/a.ts': `throw new Error('Failed to restart');`,
      'src/b.ts': 'log.warn({}, `unable to post`);',
    },
  },
  {
    holds: 'nothing behaves differently in a test',
    about: isCode,
    faults: matching(/\bNODE_ENV\b|\bVITEST\b/),
    broken: { 'src/a.ts': `if (env.NODE_ENV === 'test') return;`, 'sandbox/b.ts': 'process.env.VITEST' },
  },
  {
    holds: 'every key in Redis is made in redis/keys.ts',
    about: (path) => isSource(path) && path !== 'src/redis/keys.ts',
    // The prefix followed by a key, a key lengthened elsewhere, or a script that names one.
    faults: matching(/lamplighter:[^\s]|\$\{keys\.\w+(?:\([^)]*\))?\}|redis\.call\('\w+', '/),
    broken: {
      'src/a.ts': `await redis.get('lamplighter:offer:1');`,
      'src/b.ts': 'const key = `${keys.queue}:mine`;',
      'src/redis/scripts/a.lua': `redis.call('GET', 'lamplighter')`,
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
  return seen.flatMap(([path, text]) => rule.faults(path, text).map((fault) => `${path}: ${fault}`));
}

function readTree(...folders: readonly string[]): Tree {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join(entry.parentPath, entry.name)),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

const tree = readTree('src', 'sandbox');

const named = RULES.map((rule) => [rule.holds, rule] as const);

describe('in src and sandbox', () => {
  test.each(named)('%s', (_holds, rule) => {
    expect(faultsIn(tree, rule)).toEqual([]);
  });
});

describe('whoever breaks it is told:', () => {
  test.each(named)('%s', (_holds, rule) => {
    const unseen = Object.entries(rule.broken).filter(
      ([path, text]) => faultsIn({ [path]: text }, rule).length === 0,
    );
    expect(unseen).toEqual([]);
    const fine = Object.entries(rule.fine ?? {}).filter(([path]) => rule.about(path));
    expect(fine.flatMap(([path, text]) => faultsIn({ [path]: text }, rule))).toEqual([]);
  });

  test.each(named)('a tree without a file for it does not pass: %s', (_holds, rule) => {
    expect(() => faultsIn({}, rule)).toThrow('is about no file');
  });
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
      const lines = text.split('\n').filter((line) => /['"]\.{1,2}\/[^'"]*\.ts['"]/.test(line));
      return isCode(path) && importsOf(path, text).length !== lines.length;
    });
    expect(missed.map(([path]) => path)).toEqual([]);
  });

  test('know every entry and every feature that there is', () => {
    for (const entry of ENTRIES) expect(tree).toHaveProperty([entry]);
    expect(Object.keys(tree).some((path) => featureOf(path) === 'instances')).toBe(true);
    expect(Object.keys(tree).some((path) => featureOf(path) === 'lamplighter')).toBe(true);
  });

  test('read the texts of the log and of errors that are there', () => {
    const all = Object.entries(tree).filter(([path]) => isSource(path));
    expect(all.flatMap(([, text]) => textsIn(text, CALLS_THAT_LOG)).length).toBeGreaterThan(20);
    expect(all.flatMap(([, text]) => textsIn(text, NEW_ERRORS)).length).toBeGreaterThan(15);
  });
});
