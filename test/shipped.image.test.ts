import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { killAtExit } from '../sandbox/cleanup.ts';
import { startRedisGroup } from '../sandbox/redis-group.ts';
import { freePort } from '../sandbox/redis-process.ts';
import { play, powerCalls, readAll, runToEnd } from './support/sandbox.ts';

const IMAGE = 'localhost/lamplighter-under-test';

const { bot } = z
  .object({
    services: z.object({
      bot: z.object({
        read_only: z.literal(true),
        tmpfs: z.array(z.string()),
        cap_drop: z.array(z.string()),
        security_opt: z.array(z.string()),
        stop_grace_period: z.string(),
      }),
    }),
  })
  .parse(parse(readFileSync('compose.yaml', 'utf8'))).services;

/** Run as compose.yaml has it, but on this machine's network, where the doubles of Slack and of the hosting service are. */
const AS_COMPOSED = [
  '--network',
  'host',
  '--read-only',
  ...bot.tmpfs.flatMap((path) => ['--tmpfs', path]),
  ...bot.cap_drop.flatMap((name) => ['--cap-drop', name]),
  ...bot.security_opt.flatMap((option) => ['--security-opt', option.replace(/:true$/, '')]),
];

/** Runs podman to its end, and gives what it writes. Rejects where it ends with a fault. */
async function podman(...words: readonly string[]): Promise<string> {
  return (await promisify(execFile)('podman', words)).stdout;
}

/** Runs a command in a container of its own. */
const inImage = (...command: readonly string[]): Promise<string> =>
  podman('run', '--rm', ...AS_COMPOSED, IMAGE, ...command);

beforeAll(() => {
  // The format of Docker, since the other has no health check.
  const how = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull=never'];
  execFileSync('podman', ['build', ...how, '--tag', IMAGE, '.'], { stdio: ['ignore', 'ignore', 'inherit'] });
});

/** Starts the image as the bot of a sandbox. Gives its container's name, its port, and its exit code once it has ended. */
async function startContainer(env: Readonly<Record<string, string>>) {
  const port = await freePort();
  const name = `lamplighter-${port}`;
  const set = Object.entries({ ...env, PORT: String(port) }).map(([key, value]) => `--env=${key}=${value}`);
  const child = spawn('podman', ['run', '--rm', '--name', name, ...AS_COMPOSED, ...set, IMAGE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killAtExit(child);
  onTestFinished(() => podman('rm', '--force', '--ignore', name).then(() => undefined));
  const ended = once(child, 'exit').then(([code]: unknown[]) => code);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('"msg":"ready"')) resolve();
    });
    void ended.then((code) => reject(new Error(`the image ended with ${String(code)}: ${output}`)));
  });
  return { name, port, ended };
}

it('the image restarts an instance, is healthy, examines itself, and ends politely', async () => {
  const group = await startRedisGroup();
  onTestFinished(() => group.stop());
  const sandbox = await play({
    bot: false,
    ownRedis: true,
    startRedis: () => Promise.resolve(group),
    env: { REDIS_REPLICAS: '1' },
  });
  const { name, port, ended } = await startContainer(sandbox.env);
  sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${port}/slack/events` });

  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  expect(powerCalls(sandbox, 'restart')).toBe(1);
  expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');

  await podman('healthcheck', 'run', name);
  expect(await podman('exec', name, 'node', 'dist/doctor.js')).toContain(
    'The hosting service takes the key.',
  );
  expect(await podman('exec', name, 'node', 'dist/verify-audit.js')).toContain(
    'The audit is intact: 2 entries',
  );

  await podman('stop', '--time', String(Number.parseInt(bot.stop_grace_period, 10)), name);
  expect(await ended).toBe(0);
});

it('the image runs as nobody who is root, and writes nowhere but in /tmp', async () => {
  expect(await inImage('id', '-u')).toBe('1000\n');
  expect(await inImage('sh', '-c', 'touch /tmp/here; touch dist/there 2>/dev/null || ls /tmp')).toBe(
    'here\n',
  );
});
