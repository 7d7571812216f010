import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = 'test/phrases/pages';

/** Every message of the snapshots, without rows of lists and tables, and what can be pressed. */
const messages = readdirSync(FOLDER).flatMap((page) => {
  const text = readFileSync(`${FOLDER}/${page}`, 'utf8');
  return [...text.matchAll(/```text\n(.*?)```/gs)].map(([, body = '']) => withoutRows(body));
});

function withoutRows(body: string): string {
  return body
    .split('\n')
    .filter((line) => !/^\s*(?:•|\[ |───|Request )| \| |^.{0,4}\S+ \(\d+\) · /.test(line))
    .join('\n');
}

function wordsIn(message: string): number {
  return message.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
}

test('no message takes more than 120 words to read, and half of them take at most 20', () => {
  const lengths = messages.map(wordsIn).toSorted((one, other) => one - other);
  expect(lengths.length).toBeGreaterThan(900);
  expect(messages.filter((message) => wordsIn(message) > 120)).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(20);
});

/** British forms, of which the other is written: CONTRIBUTING.md, "A new sentence". */
const BRITISH =
  /\w*(?:cancell|colour|favour|behaviour|labell|travell|catalogue|centre|licence|(?:organ|recogn|author|summar|normal|initial|emphas)is[ei])\w*/gi;

test('people read American English, as in Slack', () => {
  const written = messages.flatMap((message) => message.match(BRITISH) ?? []);
  expect(written).toEqual([]);
});
