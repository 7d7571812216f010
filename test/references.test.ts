import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Files by path from the root of the repository. */
type Tree = Readonly<Record<string, string>>;

interface Rule {
  /** A sentence that is true of the tree. */
  readonly holds: string;
  /** What a file refers to by this rule, as it is written there. */
  readonly references: (path: string, text: string) => readonly Reference[];
  /** Files that break the rule, and that a careless check would miss. */
  readonly broken: Tree;
  /** Files that come close and are fine. */
  readonly fine: Tree;
}

interface Reference {
  readonly written: string;
  /** From the root of the repository. */
  readonly target: string;
  /** A heading's anchor, or the number of a section. */
  readonly anchor?: string;
  readonly section?: string;
}

const FOLDERS = ['src', 'sandbox', 'faults', 'test', 'docs', '.ci'];
const AT_THE_ROOT =
  /\.(md|ya?ml|ts)$|^(\.env\.example|Dockerfile|knip\.json|package\.json|tsconfig.*\.json)$/;

const isPage = (path: string): boolean => path.endsWith('.md');
/** From the file where it says so, and where `isLink`; else from the root. */
const resolve = (path: string, target: string, isLink: boolean): string =>
  isLink || /^\.{1,2}\//.test(target)
    ? posix.join(posix.dirname(path), target)
    : posix.normalize(target).replace(/^\//, '');

/** `docs/a.md`, `docs/a.md#heading`, `docs/a.md section 2`, `a.md 4.3, rule 1`: anything but a link or a URL. */
const MENTION =
  /(?<![\w/.:@-])([\w./-]*\w\.md)\b(?:#([\w-]+)|(?:,? section|,? §)? ?(\d+(?:\.\d+)*)(?![\w-]))?/gi;
const LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const URLS = /\bhttps?:\/\/\S+/g;

function mentionsIn(path: string, text: string): Reference[] {
  const plain = (isPage(path) ? text.replaceAll(LINK, ']') : text).replaceAll(URLS, '');
  // A comment may break a line between a file and its section.
  const flat = plain.replaceAll(/\n\s*(?:\*|\/\/|#)\s+/g, ' ');
  return [...flat.matchAll(MENTION)].map(([written, target = '', anchor, section]) => ({
    written,
    target: resolve(path, target, false),
    anchor,
    section,
  }));
}

function linksIn(path: string, text: string): Reference[] {
  if (!isPage(path)) return [];
  return [...withoutCode(text).matchAll(LINK)].map(([written, target = '', anchor]) => ({
    written,
    target: target === '' ? path : resolve(path, target, true),
    anchor,
  }));
}

/** Paths of the code that a page names, `src/main.ts` or `core/intake/answer.ts`; with a `*`, none. */
function pathsIn(path: string, text: string): Reference[] {
  if (!isPage(path)) return [];
  const whole = [...text.matchAll(/`((?:src|sandbox|faults|test|docs|\.ci)\/[\w./-]+)`/g)].map(
    ([, target = '']) => ({ written: target, target }),
  );
  const ofTheBot = [...text.matchAll(/^\s*((?:app|features|core|platform)\/[\w./-]+\.\w+)/gm)].map(
    ([, target = '']) => ({ written: target, target: `src/${target}` }),
  );
  return [...whole, ...ofTheBot];
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

const headingsOf = (text: string): string[] =>
  [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading.trim(),
  );

/** How GitHub and its like name the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

function isThere(tree: Tree, { target, anchor, section }: Reference): boolean {
  const text = tree[target];
  if (text === undefined) return Object.keys(tree).some((path) => path.startsWith(`${target}/`));
  if (!isPage(target)) return true;
  const headings = headingsOf(text);
  if (anchor !== undefined) return headings.some((heading) => anchorOf(heading) === anchor.toLowerCase());
  if (section === undefined) return true;
  return headings.some((heading) => heading.replace(/\.?\s.*$/, '') === section);
}

const DOCS: Tree = { 'docs/a.md': '# A\n\n## Not promised, "yet"\n\n## 2. Rules\n\n### 2.1 More\n' };

const RULES: readonly Rule[] = [
  {
    holds: 'every page that is named exists, and has the section that is named',
    references: mentionsIn,
    broken: {
      'src/gone.ts': '/** One clock for all (reliability.md 4.2). */',
      'src/folder.ts': '// A list, by hand (api/README.md section 2).',
      'src/root.ts': '// See a.md.',
      'src/section.ts': '/** By its rules, docs/a.md section 3. */',
      'src/number.ts': '// docs/a.md 2.2, rule 9',
      'src/line.ts': '/**\n * As in docs/a.md\n * section 9.\n */',
      'src/anchor.ts': '// docs/a.md#promised',
      'test/far.test.ts': `readFileSync(new URL('../../docs/a.md', import.meta.url));`,
      'sandbox/contract.yaml': 'description: "open; see words.md"',
      '.env.example': '# As docs/variables.md says',
      'docs/text.md': 'Read `docs/b.md` first.',
    },
    fine: {
      'src/named.ts':
        '/** As in docs/a.md: 3 of them. https://example.com/b.md is no page of this repository. */',
      'src/section.ts': '/** docs/a.md section 2, docs/a.md 2.1, docs/a.md#2-rules */',
      'test/near.test.ts': `readFileSync(new URL('../docs/a.md', import.meta.url));`,
      'docs/link.md': '[docs/a.md](a.md)',
    },
  },
  {
    holds: 'every link in a page leads to a file and a heading that exist',
    references: linksIn,
    broken: {
      'docs/from-root.md': '[A](docs/a.md)',
      'docs/runs/near.md': '[A](a.md)',
      'docs/heading.md': '[A](a.md#not-promised)',
      'docs/itself.md': '# One\n\n[two](#two)',
      'README.md': '[folder](docs/none/) and [file](Dockerfile)',
    },
    fine: {
      'docs/heading.md': '[A](a.md#not-promised-yet) [out](https://example.com/x.md) `[no](link.md)`',
      'docs/runs/up.md': '# Here\n\n[A](../a.md) [here](#here)',
      'README.md': '[A](docs/a.md) and [all](docs/)',
    },
  },
  {
    holds: 'every path of the code that a page names exists',
    references: pathsIn,
    broken: {
      'docs/code.md': 'It stands in `src/core/gone.ts`.',
      'README.md': '```\ncore/gone.ts     one step\n  core/outbox/gone.ts  another\n```',
    },
    fine: { 'docs/code.md': '`test/**/*.chaos.test.ts`, `npm test` and `src/`\n' },
  },
];

/** What a tree refers to that isn't in it. */
function missingIn(tree: Tree, rule: Rule): string[] {
  return Object.entries(tree).flatMap(([path, text]) =>
    rule
      .references(path, text)
      .filter((reference) => !isThere(tree, { ...reference, target: reference.target.replace(/\/$/, '') }))
      .map(({ written }) => `${path}: ${written}`),
  );
}

function readTree(): Tree {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.join(entry.parentPath, entry.name)),
  );
  const paths = [...inFolders, ...readdirSync('.').filter((name) => AT_THE_ROOT.test(name))];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

/** Its own examples break every rule. */
const { 'test/references.test.ts': _itself, ...tree } = readTree();
const named = RULES.map((rule) => [rule.holds, rule] as const);

describe('in the repository', () => {
  test.each(named)('%s', (_holds, rule) => {
    const all = Object.entries(tree).flatMap(([path, text]) => rule.references(path, text));
    expect(all.length).toBeGreaterThan(10);
    expect(missingIn(tree, rule)).toEqual([]);
  });
});

describe('an example that breaks it is found:', () => {
  test.each(named)('%s', (_holds, rule) => {
    const unseen = Object.entries(rule.broken).filter(
      ([path, text]) => missingIn({ ...DOCS, 'src/main.ts': '', [path]: text }, rule).length === 0,
    );
    expect(unseen).toEqual([]);
    const fine = Object.entries(rule.fine).flatMap(([path, text]) =>
      missingIn({ ...DOCS, 'src/main.ts': '', [path]: text }, rule),
    );
    expect(fine).toEqual([]);
  });

  test('each of several in one file', () => {
    const text = '// docs/a.md, docs/b.md and docs/c.md#x';
    expect(missingIn({ ...DOCS, 'src/a.ts': text }, RULES[0]!)).toEqual([
      'src/a.ts: docs/b.md',
      'src/a.ts: docs/c.md#x',
    ]);
  });
});
