import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { TIMINGS } from '../src/core/timings.ts';
import { hostsIn } from '../src/platform/redis/address.ts';
import { VARIABLES } from '../src/app/config/variables.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const packageJson = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The stages of a Dockerfile, each from its FROM on; comments left out and continued lines joined. */
function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (word === 'FROM') stages.push([]);
    stages.at(-1)?.push({ word, rest });
  }
  return stages;
}

function all(stage: readonly Instruction[], word: string): string[] {
  return stage.filter((one) => one.word === word).map((one) => one.rest);
}

const wordsSchema = z.array(z.string()).min(1);
/** The words of an exec form. Throws for the shell's, which is no JSON. */
const execForm = (text: string | undefined): string[] =>
  wordsSchema.parse(JSON.parse(text?.replace(/^.*?\bCMD\s+/, '') ?? ''));

describe('the image', () => {
  const stages = stagesOf(read('Dockerfile'));
  const build = stages[0] ?? [];
  const final = stages.at(-1) ?? [];

  test('is built in one stage and run in another, both on the small Node on which .ci/run tries what is shipped', () => {
    const tried = / node@(\d+)$/m.exec(read('.ci/run'))?.[1] ?? '';
    const bases = stages.flatMap((stage) => all(stage, 'FROM'));
    expect(bases).toHaveLength(2);
    const same = bases.filter((base) =>
      new RegExp(`^(--platform=\\$BUILDPLATFORM )?node:${tried}(-\\w+)?-slim( AS \\w+)?$`).test(base),
    );
    expect(same).toEqual(bases);
  });

  test('installs exactly what the lock file says, and builds what npm run build does', () => {
    const runs = all(build, 'RUN').join('\n');
    expect(runs).toMatch(/^npm ci /m);
    expect(runs).toMatch(/^npm run build$/m);
  });

  // test/shipped.test.ts runs the bot in a folder that holds only these.
  test('holds the built bot and package.json, and nothing else', () => {
    expect(all(final, 'COPY').map((copy) => copy.split(' ').slice(0, -1).join(' '))).toEqual([
      '--from=build /app/package.json',
      '--from=build /app/dist',
    ]);
    expect([...all(final, 'RUN'), ...all(final, 'ADD')]).toEqual([]);
  });

  test('is built of nothing but what the Dockerfile copies', () => {
    const [first, ...allowed] = read('.dockerignore')
      .split('\n')
      .filter((line) => !/^\s*(#|$)/.test(line));
    const copied = all(build, 'COPY').flatMap((copy) => copy.split(' ').slice(0, -1));
    expect(first).toBe('*');
    expect(allowed).toEqual(copied.map((path) => `!${posix.normalize(path)}`));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('runs what npm start runs, as somebody who is not root, reachable from outside', () => {
    expect(execForm(all(final, 'CMD')[0])).toEqual(
      packageJson.scripts['start']?.replace(/^exec /, '').split(' '),
    );
    expect(all(final, 'ENTRYPOINT')).toEqual([]);
    expect(all(final, 'USER')).toEqual(['node']);
    expect(all(final, 'ENV').join(' ').split(' ')).toEqual([
      'NODE_ENV=production',
      'HOST=0.0.0.0',
      'PORT=3000',
    ]);
    expect(all(final, 'STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  test.each([
    ['healthy where /healthz answers', 200, 0],
    ['not healthy where it answers a fault', 503, 1],
  ])('is %s', async (_what, status, exitCode) => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status).end();
    });
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    // A TCP listener's address is never a string.
    const { port } = server.address() as AddressInfo;
    expect(await runHealthcheck(port)).toBe(exitCode);
    expect(asked).toEqual(['/healthz']);
    server.close();
    server.closeAllConnections();
    expect(await runHealthcheck(port)).toBe(1);
  });

  test('is asked at its own port where PORT is empty', () => {
    const [, , script = ''] = execForm(all(final, 'HEALTHCHECK')[0]);
    const asked: string[] = [];
    const exit = (): void => undefined;
    runInNewContext(script, {
      fetch: (url: string) => Promise.resolve({ ok: asked.push(url) > 0 }),
      process: { env: { PORT: '' }, exit },
    });
    expect(asked).toEqual(['http://127.0.0.1:3000/healthz']);
  });

  function runHealthcheck(port: number): Promise<number | null> {
    const [, ...args] = execForm(all(final, 'HEALTHCHECK')[0]);
    const child = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: 'ignore' });
    return new Promise((exited) => {
      child.once('exit', exited);
    });
  }
});

const serviceSchema = z.object({
  build: z.string().optional(),
  image: z.string().optional(),
  command: z.array(z.string()).default([]),
  env_file: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  restart: z.string(),
  stop_grace_period: z.string(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()).default([]),
});

describe('compose.yaml', () => {
  const compose = z
    .object({
      services: z.object({ bot: serviceSchema, redis: serviceSchema }),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(parse(read('compose.yaml')));
  const { bot, redis } = compose.services;

  test('keeps what Redis holds over a crash, and lets it forget nothing', () => {
    const settings = redis.command.join(' ');
    expect(settings).toContain('--appendonly yes');
    expect(settings).toContain('--appendfsync always');
    expect(settings).toContain('--maxmemory-policy noeviction');
    expect(redis.volumes).toEqual([`${Object.keys(compose.volumes).join()}:/data`]);
  });

  test('lets nobody but the bot reach Redis, and nobody but this machine the bot', () => {
    expect(redis.ports).toEqual([]);
    expect(bot.ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(bot.environment['REDIS_URL']).toBe('redis://redis:6379');
  });

  test('takes the settings from .env and sets none that the bot does not read', () => {
    expect(bot.env_file).toBe('.env');
    const known = VARIABLES.map((variable) => variable.name);
    expect(Object.keys(bot.environment).filter((name) => !known.includes(name))).toEqual([]);
  });

  test('starts the bot when Redis is ready, and both again after a crash', () => {
    expect(bot.depends_on).toEqual({ redis: { condition: 'service_healthy' } });
    expect(redis.healthcheck?.test.join(' ')).toContain('redis-cli ping');
    expect([bot.restart, redis.restart]).toEqual(['unless-stopped', 'unless-stopped']);
  });

  test('gives the bot the time that it takes to drain', () => {
    const graceMs = Number(/^(\d+)s$/.exec(bot.stop_grace_period)?.[1]) * 1_000;
    expect(graceMs).toBeGreaterThan(TIMINGS.drainMs + 3_000);
  });

  test('lets the bot write nowhere and gain no rights', () => {
    expect([bot.read_only, redis.read_only]).toEqual([true, true]);
    expect(bot.cap_drop).toEqual(['ALL']);
  });
});

describe('compose.sentinel.yaml', () => {
  const over = z
    .object({
      services: z.record(
        z.string(),
        z.object({
          command: z.array(z.string()).default([]),
          environment: z.record(z.string(), z.string()).optional(),
        }),
      ),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(parse(read('compose.sentinel.yaml'), { merge: true }));
  const settingsOf = (name: string): string => over.services[name]?.command.join(' ') ?? '';
  const first = parse(read('compose.yaml')) as { services: { redis: { command: string[] } } };

  test('has three Redis that keep what they hold as the one of compose.yaml does, none preferred', () => {
    for (const name of ['redis', 'redis-2', 'redis-3']) {
      expect(settingsOf(name)).toContain(first.services.redis.command.join(' '));
      expect(settingsOf(name)).toContain(`--replica-announce-ip ${name}`);
      expect(settingsOf(name)).not.toContain('priority');
    }
  });

  test('leads the bot to three Sentinels that agree on its name, and has it wait for a replica', () => {
    const { REDIS_URL = '', REDIS_REPLICAS } = over.services['bot']?.environment ?? {};
    const { hosts, name } = hostsIn(REDIS_URL) ?? {};
    expect(REDIS_REPLICAS).toBe('1');
    expect(hosts?.map(({ host }) => host)).toEqual(['sentinel-1', 'sentinel-2', 'sentinel-3']);
    for (const { host } of hosts ?? [])
      expect(settingsOf(host)).toContain(`sentinel monitor ${name} redis 6379 2`);
  });
});

describe('.ci/run', () => {
  const lines = read('.ci/run').split('\n');
  const steps = lines.filter((line) => line.startsWith('npm '));

  test('can be run, and stops at the first step that fails', () => {
    expect(statSync('.ci/run').mode & 0o111).toBe(0o111);
    expect(lines[0]).toBe('#!/usr/bin/env bash');
    expect(lines).toContain('set -euo pipefail');
  });

  test('begins with npm ci, holds the whole gate and the build, and ends with the tests', () => {
    const gate = (packageJson.scripts['check'] ?? '').split(' && ');
    expect(steps[0]).toBe('npm ci');
    expect(steps.at(-6)).toMatch(/^npm test -- .*--reporter=default/);
    expect(steps.at(-5)).toMatch(/^npm run test:long -- .*--reporter=default/);
    expect(steps.at(-4)).toMatch(/^npm install --prefix .* node@\d+$/);
    expect(steps.at(-3)).toMatch(/^npm run test:browser -- .*--reporter=default/);
    expect(steps.at(-2)).toMatch(/^npm run test:chaos -- .*--reporter=default/);
    expect(steps.at(-1)).toMatch(/^npm run test:cluster -- .*--reporter=default/);
    expect(steps.slice(1, -6)).toEqual([...gate.slice(0, -1), 'npm run build']);
    expect(gate.at(-1)).toBe('npm test');
  });
});
