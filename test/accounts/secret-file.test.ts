import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { loadSetups } from '../../src/app/load-adapter.ts';
import { runCommand } from '../support/command.ts';
import { PURE_RUNS } from '../support/runs.ts';

const ENOUGH = { SLACK_BOT_TOKEN: 'xoxb-1234-5678', SLACK_SIGNING_SECRET: '8f742231b10e8888' };
/** No four letters in a row of it are in any sentence of ours. */
const CANARY = 'oc_QzXvKjWqZkXjVqQx';
const PIECES = Array.from({ length: CANARY.length - 3 }, (_, at) => CANARY.slice(at, at + 4));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
function file(content: string): string {
  const path = join(folder, 'accounts.yaml');
  writeFileSync(path, content);
  return path;
}

/** What is said of a file; empty where nothing is wrong with it. */
async function saidOf(content: string): Promise<string> {
  return loadSetups({ ...ENOUGH, HOSTING_ACCOUNTS: file(content) }).then(
    () => '',
    (error: unknown) => String(error),
  );
}

/** Pieces of the canary that stand in a text, in any case. */
function piecesIn(text: string): string[] {
  return PIECES.filter((piece) => text.toLowerCase().includes(piece.toLowerCase()));
}

const RIGHT = `accounts:
  - name: acme
    service: hetzner
    key: ${CANARY}
    channels: [C0OPS000001]
    settings: { LAMPLIGHTER_PROTECTED: db-* }
  - name: labs
    service: vultr
    key: "other-key"
`;

it('a file without a fault is taken', async () => {
  expect(await saidOf(RIGHT)).toBe('');
  expect(await saidOf(`\uFEFF${RIGHT}`)).toBe('');
});

test.each([
  ['a block', `key: |${CANARY}`],
  ['a folded block', `key: >${CANARY}\n      more`],
  ['a tag', `key: !${CANARY}`],
  ['a long tag', `key: !<${CANARY}> x`],
  ['an alias', `key: *${CANARY}`],
  ['an anchor', `key: &${CANARY} &b x`],
  ['a percent', `key: %${CANARY}`],
  ['an at', `key: @${CANARY}`],
  ['a backtick', `key: \`${CANARY}`],
  ['a bad escape', `key: "\\${CANARY}"`],
  ['an open quote', `key: "${CANARY}`],
  ['words after a quote', `key: "x" ${CANARY}`],
  ['a colon', `key: a: ${CANARY}`],
  ['a tab', `\tkey: ${CANARY}`],
  ['the key twice', `key: ${CANARY}\n    key: ${CANARY}`],
  ['a key of a key', `${CANARY}: ${CANARY}\n    ${CANARY}: x`],
  ['a key in the place of a name', `key: x\n    ${CANARY}: x`],
  ['a list', `key: [${CANARY}`],
  ['a map', `key: { ${CANARY} }`],
  ['a long key', `? ${CANARY.repeat(80)}: x`],
  ['a setting', `key: x\n    settings: { ${CANARY}: x }`],
  ['a channel', `key: x\n    channels: [${CANARY}]`],
  ['a service', `key: x1\n    url: ${CANARY}`],
])('of %s in a faulty file only the place and the kind of the fault are said', async (_, line) => {
  const said = await saidOf(`accounts:\n  - name: acme\n    service: hetzner\n    ${line}\n`);
  expect(said).toMatch(/has a fault in accounts\.yaml, line \d+, column \d+: |line \d+: /);
  expect(piecesIn(said)).toEqual([]);
});

test.each([
  ['that is no JSON any more', `{"accounts":[{"name":"acme","service":"hetzner","key":"${CANARY}"]}`],
  ['that is an env file', `HOSTING_API_TOKEN=${CANARY}\nSLACK_BOT_TOKEN="${CANARY}"\n`],
  ['that is the key alone', CANARY],
  ['with a document behind it', `${RIGHT}---\n${CANARY}\n`],
  ['with a key in the place of a path', RIGHT.replace('hetzner', `./${CANARY}.js`)],
  ['with a key in the place of a package', RIGHT.replace('hetzner', `"@acme/${CANARY}"`)],
  ['with a key in the place of a service', RIGHT.replace('hetzner', CANARY.toLowerCase().replace('_', '-'))],
])('nothing is quoted of a file %s', async (_, content) => {
  const said = await saidOf(content);
  expect(said).toContain('accounts.yaml, line ');
  expect(piecesIn(said)).toEqual([]);
});

/** Each of the thousands that test:chaos tries is written to a file and read from it. */
const LIMIT_MS = 900_000;

it(
  'whatever the fault, no four letters of a key are said',
  async () => {
    const fault = fc.record({
      at: fc.nat(RIGHT.length),
      cut: fc.nat(6),
      put: fc.oneof(
        fc.constantFrom(
          '\t',
          '"',
          "'",
          ': ',
          '- ',
          '{',
          '[',
          '|',
          '>',
          '!',
          '&',
          '*',
          '%',
          '@',
          '`',
          '\\',
          '\n',
          '?',
          '---\n',
          '#',
        ),
        fc.string({ maxLength: 5 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 3 }), async (faults) => {
        let text = RIGHT;
        for (const { at, cut, put } of faults) text = text.slice(0, at) + put + text.slice(at + cut);
        expect(piecesIn(await saidOf(text))).toEqual([]);
      }),
      { numRuns: PURE_RUNS / 10 },
    );
  },
  LIMIT_MS,
);

// What the process prints in the end is what counts, and only a process shows it.
it('neither does the doctor print any of it', async () => {
  const path = file(RIGHT.replace(`key: ${CANARY}`, `key: |${CANARY}`));
  const { code, said } = await runCommand('doctor', [], { ...ENOUGH, HOSTING_ACCOUNTS: path });
  expect(code).toBe(1);
  expect(said).toContain(
    'HOSTING_ACCOUNTS has a fault in accounts.yaml, line 4, column 11: this is not valid YAML',
  );
  expect(piecesIn(said)).toEqual([]);
});
