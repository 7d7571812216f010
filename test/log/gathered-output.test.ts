import { execFileSync } from 'node:child_process';
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
test.each(['process.exit(0)', 'throw new Error("the end")'])(
  'what was said just before %s is written',
  (end) => {
    const script = `
      const { gatherLines } = await import('./src/platform/log/gathered-output.ts');
      gatherLines(process.stdout).write('last words');
      ${end};`;
    expect(outputOf(['--import', 'tsx', '--input-type=module', '--eval', script])).toBe('last words');
  },
);

/** What node prints with these words, whatever its exit code. */
function outputOf(words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    return String((error as { stdout: unknown }).stdout); // node's own error of a failed process
  }
}
