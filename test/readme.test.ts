import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { posix } from 'node:path';
import { parseEnv } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../src/app/config/config.ts';
import { TIMINGS } from '../src/core/timings.ts';
import { VARIABLES } from '../src/app/config/variables.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const packageJson = z
  .object({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(read('package.json')));

describe('the README', () => {
  // Read when a test asks, so that the rest of this file runs without it.
  const readme = (): string => read('README.md');

  /** The rows under the one header of that shape, cell by cell, whatever the padding. */
  const table = (): string[][] => {
    const lines = readme().split('\n');
    const cells = (line: string): string[] =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
    const header = lines.findIndex(
      (line) => cells(line).join('|') === 'Variable|What it is|Required|Default',
    );
    const rows = lines.slice(header + 2);
    const end = rows.findIndex((line) => !line.startsWith('|'));
    return header === -1 ? [] : rows.slice(0, end === -1 ? undefined : end).map(cells);
  };

  test('lists every variable that the bot reads, in its words, whether it is required, with its default, and no other', () => {
    expect(table()).toEqual(
      VARIABLES.map(({ name, about, required, default: preset }) => [
        `\`${name}\``,
        about,
        required ?? '',
        preset === undefined ? '' : `\`${preset}\``,
      ]),
    );
  });

  test('says below the table that a secret may come from a file', () => {
    expect(VARIABLES.some((variable) => variable.secret)).toBe(true);
    const after = readme().split('| Variable').at(-1) ?? '';
    expect(after).toMatch(/`\w*_FILE`/);
  });

  test('names no variable of the bot that there is not', () => {
    const named = readme().match(/\b(?:SLACK|HOSTING|LAMPLIGHTER)_[A-Z_]*[A-Z]\b/g) ?? [];
    const known = VARIABLES.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('tells to run nothing that package.json does not have', () => {
    const code = (readme().match(/```[^]*?```|`[^`\n]+`/g) ?? []).join('\n');
    const said = [...code.matchAll(/\bnpm (?:run )?([a-z][a-z:-]*)/g)].map(([, script = '']) => script);
    expect(said).toEqual(expect.arrayContaining(['test', 'demo']));
    const known = [...Object.keys(packageJson.scripts), 'ci', 'install'];
    expect(said.filter((script) => !known.includes(script))).toEqual([]);
  });

  test('links to no file that is not there', () => {
    const links = [...readme().matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('.env.example', () => {
  const NOTES = {
    always: ' (required)',
    'over HTTP': ' (required over HTTP)',
    'one workspace': ' (required unless SLACK_TEAMS is set)',
    'default service': ' (required for instance-hosting)',
    never: '',
  };
  /** What has to be filled in is no comment, so that a bot that is started with a mere copy says what is missing. */
  const expected = `# Copy this file to .env, which compose.yaml and "node --env-file=.env dist/main.js" read.
# What is required is empty here and has to be filled in. The rest shows what counts where it is left out.
${VARIABLES.map(
  ({ name, about, required, default: preset = '' }) =>
    `\n# ${about.replaceAll('`', '')}${NOTES[required ?? 'never']}\n${
      required === undefined ? '# ' : ''
    }${name}=${preset}\n`,
).join('')}`;

  // Another variable? npx vitest run test/readme.test.ts -u writes it.
  test('has every variable: the required ones to be filled in, the others with their default', async () => {
    await expect(expected).toMatchFileSnapshot('../.env.example');
  });

  test('as it is makes the bot say what is missing, and filled in changes nothing else', () => {
    const set = parseEnv(read('.env.example'));
    expect(() => loadConfig(set)).toThrow(
      /^configuration: HOSTING_API_URL is missing; SLACK_BOT_TOKEN is missing; SLACK_SIGNING_SECRET is needed unless SLACK_APP_TOKEN turns Socket Mode on; HOSTING_API_TOKEN is missing$/,
    );
    const filled = { ...set, ...FILLED_IN };
    expect(loadConfig(filled)).toEqual(loadConfig(FILLED_IN));
  });
});

const FILLED_IN = {
  SLACK_BOT_TOKEN: 'xoxb-1234-5678',
  SLACK_SIGNING_SECRET: '8f742231b10e8888',
  HOSTING_API_URL: 'https://api.example.test',
  HOSTING_API_TOKEN: 'oc_live_abc',
};

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
    const same = bases.filter((base) => new RegExp(`^node:${tried}(-\\w+)?-slim( AS \\w+)?$`).test(base));
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
    expect(steps.at(-4)).toMatch(/^npm test -- .*--reporter=default/);
    expect(steps.at(-3)).toMatch(/^npm install --prefix .* node@\d+$/);
    expect(steps.at(-2)).toMatch(/^npm run test:browser -- .*--reporter=default/);
    expect(steps.at(-1)).toMatch(/^npm run test:chaos -- .*--reporter=default/);
    expect(steps.slice(1, -4)).toEqual([...gate.slice(0, -1), 'npm run build']);
    expect(gate.at(-1)).toBe('npm test');
  });
});
