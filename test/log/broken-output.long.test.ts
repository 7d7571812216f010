import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { inherited } from '../../sandbox/programs.ts';
import { play } from '../support/sandbox.ts';
import { shippedStart } from '../support/shipped.ts';

/** Starts the bot that is shipped; what is done to its output is the process' own business, so it needs one of its own. */
async function startShipped(
  env: Record<string, string> = {},
  stdout: 'pipe' | number = 'pipe',
  stderr: 'pipe' | number = 'pipe',
) {
  const sandbox = await play({ ownRedis: true, bot: false });
  const child = spawn(process.execPath, [...shippedStart()], {
    env: { ...inherited(), ...sandbox.env, ...env },
    stdio: ['ignore', stdout, stderr],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const heard = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (heard.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (heard.stderr += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, heard, ended, redis: sandbox.redis! };
}

it('a bot whose log has no reader any more says so on stderr and ends with a fault', async () => {
  const { child, heard, ended } = await startShipped();
  while (!heard.stdout.includes('"msg":"ready"')) await new Promise((done) => setTimeout(done, 20));
  child.stdout?.destroy();
  // Something to log.
  const port = /"port":(\d+)/.exec(heard.stdout)?.[1];
  await fetch(`http://127.0.0.1:${port}/slack/events`, { method: 'POST', body: '{}' }).catch(() => undefined);
  expect(await ended).toBe(1);
  expect(heard.stderr).toMatch(
    /^lamplighter: the log can't be written to stdout, so the bot stops: .*EPIPE/m,
  );
});

it('a bot whose log is on a full disk says so on stderr and ends with a fault', async () => {
  const { heard, ended } = await startShipped({}, openSync('/dev/full', 'w'));
  expect(await ended).toBe(1);
  expect(heard.stderr).toMatch(
    /^lamplighter: the log can't be written to stdout, so the bot stops: .*ENOSPC/m,
  );
});

it('a bot that can say nothing on stderr says on stdout why it does not start', async () => {
  const { heard, ended } = await startShipped({ REDIS_URL: 'nonsense' }, 'pipe', openSync('/dev/full', 'w'));
  expect(await ended).toBe(1);
  expect(heard.stdout).toMatch(/^lamplighter: .*REDIS_URL/m);
});

it('a bot whose port is taken says which and ends with a fault', async () => {
  const first = await startShipped();
  while (!first.heard.stdout.includes('"port":')) await new Promise((done) => setTimeout(done, 20));
  const port = /"port":(\d+)/.exec(first.heard.stdout)?.[1] ?? '';
  const second = await startShipped({ PORT: port });
  expect(await second.ended).toBe(1);
  expect(second.heard.stderr).toMatch(new RegExp(`^lamplighter: .*EADDRINUSE.*${port}`, 'm'));
});
