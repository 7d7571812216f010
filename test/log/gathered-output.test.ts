import { spawnSync } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { gatherLines } from '../../src/platform/log/gathered-output.ts';
import { createLog, type Log } from '../../src/platform/log/log.ts';

function open(): { log: Log; written: string[][] } {
  const written: string[][] = [];
  const output = gatherLines({ write: (lines) => written.push(textsIn(lines)) });
  return { log: createLog('debug', [], output), written };
}

/** What the lines say. */
function textsIn(lines: string): string[] {
  return [...lines.matchAll(/"msg":"(.*?)"/g)].map(([, text = '']) => text);
}

test('what is said in one turn of the event loop is written together', async () => {
  const { log, written } = open();
  log.info({}, 'one');
  await Promise.resolve();
  log.debug({}, 'two');
  expect(written).toEqual([]);
  await vi.waitFor(() => expect(written).toEqual([['one', 'two']]));
  log.info({}, 'three');
  await vi.waitFor(() => expect(written).toEqual([['one', 'two'], ['three']]));
});

test.each([
  ['a warning', (log: Log) => log.warn({}, 'trouble')],
  ['an error', (log: Log) => log.error({}, 'trouble')],
  ['an error that may come often', (log: Log) => log.limited('trouble', new Error('x'))],
])('%s is written at once, after all that was said before it', (_what, say) => {
  const { log, written } = open();
  log.info({}, 'before');
  say(log);
  expect(written.flat()).toEqual(['before', expect.stringMatching(/^trouble/)]);
});

// A process of its own, since what is tested is its end.
test.each([
  ['exits', 'exit'],
  ['ends by an error that nobody catches', 'throw'],
])('what was said just before the process %s is written', (_how, way) => {
  const words = ['--import', 'tsx', 'test/log/last-words.ts', way];
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(stdout).toBe('last words');
});
