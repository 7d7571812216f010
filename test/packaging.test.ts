import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { inherited } from '../sandbox/programs.ts';
import { TIMINGS } from '../src/core/timings.ts';
import { hostsIn } from '../src/platform/redis/address.ts';
import { PROCESS } from '../src/app/config/process-variables.ts';
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
    // A number, since of a name Kubernetes can't see that it isn't root: that of the base's user "node".
    expect(all(final, 'USER')).toEqual(['1000:1000']);
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
    const child = spawn(process.execPath, args, {
      env: { ...inherited(), PORT: String(port) },
      stdio: 'ignore',
    });
    return new Promise((exited) => {
      child.once('exit', exited);
    });
  }
});

// The image has no npm scripts, and who runs it no source.
test('whoever runs the bot is told to type only what the image has', () => {
  const built = [...read('vite.bot.config.ts').matchAll(/'src\/([\w-]+)\.ts'/g)].map(([, name]) => name);
  const scripts = Object.entries(packageJson.scripts).flatMap(([script, command]) =>
    built.some((name) => command.endsWith(` src/${name}.ts`)) && script !== 'dev'
      ? [`npm run ${script}`]
      : [],
  );
  expect(scripts).toHaveLength(built.length - 1);
  const files = ['src', 'ops'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  const pages = ['operating', 'policy', 'accounts', 'agents', 'using'].map((page) => `docs/${page}.md`);
  const told = [
    ...files.filter((path) => statSync(path).isFile()),
    ...pages,
    'docs/policy.yaml',
    'SECURITY.md',
  ];
  for (const path of told) {
    const text = read(path);
    expect(scripts.filter((script) => text.includes(script)).map((script) => `${path}: ${script}`)).toEqual(
      [],
    );
    const named = [...text.matchAll(/\bnode (?:--\S+ )*dist\/([\w-]+)\.js/g)].map(([, name]) => name);
    expect(named.filter((name) => !built.includes(name))).toEqual([]);
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

  test('leaves what .env allows as it is, beside what it allows itself', () => {
    const allowedWith = (ofEnv: string): unknown =>
      PROCESS.allowed.schema.parse(
        bot.environment['LAMPLIGHTER_ALLOW']?.replace('${LAMPLIGHTER_ALLOW:-}', ofEnv),
      );
    expect(allowedWith('')).toEqual(['open-redis']);
    expect(allowedWith('lone-redis, volatile-redis')).toEqual(['open-redis', 'lone-redis', 'volatile-redis']);
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
          user: z.string().optional(),
          cap_drop: z.array(z.string()).default([]),
          volumes: z.array(z.string()).default([]),
          networks: z
            .union([z.array(z.string()), z.object({ redis: z.object({ ipv4_address: z.string() }) })])
            .optional(),
          depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
        }),
      ),
      networks: z.object({
        redis: z.object({ ipam: z.object({ config: z.tuple([z.object({ subnet: z.string() })]) }) }),
      }),
      volumes: z.record(z.string(), z.null()),
    })
    .parse(parse(read('compose.sentinel.yaml'), { merge: true }));
  const first = parse(read('compose.yaml')) as { services: { redis: { command: string[] } } };
  const { bot, ...nodes } = over.services;
  const redis = ['redis', 'redis-2', 'redis-3'];
  const sentinels = ['sentinel-1', 'sentinel-2', 'sentinel-3'];
  const addressOf = (name: string): string => {
    const { networks = [] } = nodes[name] ?? {};
    return Array.isArray(networks) ? '' : networks.redis.ipv4_address;
  };
  /** What a shell runs in a node, and the words that it has for its `$1` and `$2`. */
  const startOf = (name: string): { script: string; words: string[] } => {
    const [, , script = '', , ...words] = nodes[name]?.command ?? [];
    return { script, words };
  };

  test('has three Redis that keep what they hold as the one of compose.yaml does, none preferred', () => {
    const [, ...settings] = first.services.redis.command;
    for (const name of redis) {
      const { script, words } = startOf(name);
      expect(script).toContain(settings.join(' '));
      expect(script).toContain('--replica-announce-ip "$$1"');
      expect(script).not.toContain('priority');
      expect(words).toEqual([...new Set([addressOf(name), addressOf('redis')])]);
    }
  });

  test('leads the bot to three Sentinels that agree on its name, and has it wait for a replica', () => {
    const { REDIS_URL = '', REDIS_REPLICAS } = bot?.environment ?? {};
    const { hosts, name } = hostsIn(REDIS_URL) ?? {};
    expect(REDIS_REPLICAS).toBe('${REDIS_REPLICAS:-1}');
    expect(hosts?.map(({ host }) => host)).toEqual(sentinels.map(addressOf));
    for (const sentinel of sentinels) {
      const { script, words } = startOf(sentinel);
      expect(script).toContain(`sentinel monitor ${name} $$2 6379 2`);
      expect(script).toContain('sentinel announce-ip $$1');
      expect(words).toEqual([addressOf(sentinel), addressOf('redis')]);
    }
  });

  test('has no node look up a name: each has an address of its own in a network that the bot is in', () => {
    const [{ subnet }] = over.networks.redis.ipam.config;
    const addresses = Object.keys(nodes).map(addressOf);
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(addresses.map((one) => one.replace(/\d+$/, '0/24'))).toEqual(addresses.map(() => subnet));
    expect(bot?.networks).toEqual(['default', 'redis']);
    for (const name of sentinels) expect(startOf(name).script).not.toContain('hostnames');
  });

  test('is chosen once, in .env, so that no later command goes back to one Redis', () => {
    const line = 'COMPOSE_FILE=compose.yaml:compose.sentinel.yaml';
    const told = [read('compose.sentinel.yaml'), read('docs/operating.md')];
    expect(told.filter((text) => !text.includes(line) || text.includes('-f compose.'))).toEqual([]);
  });

  // test/redis/compose-sentinel.chaos.test.ts kills them.
  test('keeps what each Redis and each Sentinel writes into its own configuration', () => {
    expect(Object.keys(nodes)).toEqual([...redis, ...sentinels]);
    // The volume of the first is that of compose.yaml.
    const [, ...others] = Object.entries(nodes).map(([, { volumes }]) => volumes.join());
    expect(others).toEqual(Object.keys(over.volumes).map((volume) => `${volume}:/data`));
    for (const name of redis) expect(startOf(name).script).toContain('exec redis-server /data/redis.conf ');
    for (const name of sentinels)
      expect(startOf(name).script).toContain('exec redis-sentinel /data/sentinel.conf');
  });

  test('starts the bot and the others where one Redis is lost', () => {
    const waits = Object.values(over.services).flatMap((one) => Object.values(one.depends_on));
    expect(new Set(waits.map(({ condition }) => condition))).toEqual(new Set(['service_started']));
    expect(bot?.depends_on['redis']).toBeDefined();
  });

  test('runs nothing as root, or with what root may', () => {
    for (const { user, cap_drop } of Object.values(nodes))
      expect([user, cap_drop]).toEqual(['redis', ['ALL']]);
  });
});

describe('.ci/run', () => {
  const run = read('.ci/run');
  const steps = [...run.matchAll(/^(?:step|tests) (\S+) \d+ (.*)$/gm)];
  const playedAt = (name: string): number => steps.findIndex(([, step]) => step === name);

  test('can be run, and goes on where a step fails', () => {
    for (const name of ['run', 'at', 'tools', 'calendar', 'image'])
      expect(statSync(`.ci/${name}`).mode & 0o111).toBe(0o111);
    expect(run).toContain('set -uo pipefail\n');
  });

  test('installs first, and has all of npm run check, the build, two stories in a browser, and what is shipped', () => {
    const words = steps.map(([, , command]) => command);
    expect(words[0]).toMatch(/^npm ci /);
    for (const command of (packageJson.scripts['check'] ?? '').split(' && ')) {
      expect(
        words.some((one) => one?.startsWith(command)),
        command,
      ).toBe(true);
    }
    expect(words).toContain('npm run build');
    expect(playedAt('node-24')).toBeLessThan(playedAt('shipped'));
    expect(playedAt('browser')).toBeGreaterThan(0);
  });

  test('counts the report of each step that has one', () => {
    const counted = /count\.mjs "\$reports" (.*)$/m.exec(run)?.[1]?.split(' ');
    const reporting = [...steps].filter(([line]) => /^tests |stories/.test(line)).map(([, name]) => name);
    expect(counted).toEqual(reporting);
  });
});

describe('.ci/count.mjs', () => {
  /** What the gate says last, and its exit code, of reports and of the steps that broke. */
  function count(reports: Readonly<Record<string, object>>, broken: readonly string[] = []) {
    const folder = mkdtempSync(join(tmpdir(), 'lamp-count-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, report] of Object.entries(reports))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
    if (broken.length > 0) writeFileSync(join(folder, 'broken'), `${broken.join('\n')}\n`);
    const { status, stdout } = spawnSync(process.execPath, ['.ci/count.mjs', folder, 'test', 'shipped'], {
      encoding: 'utf8',
    });
    return [stdout.trimEnd().split('\n').at(-1), status];
  }
  const report = (passed: number, failed = 0, skipped = 0, testResults: readonly object[] = []): object => ({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: skipped,
    numTodoTests: 0,
    testResults,
  });

  test.each([
    ['all green', { test: report(7), shipped: report(2) }, [], ['9 passed, 0 failed', 0]],
    ['a red test', { test: report(6, 1), shipped: report(2) }, ['test'], ['8 passed, 1 failed', 1]],
    ['a skipped test', { test: report(6, 0, 1), shipped: report(2) }, [], ['8 passed, 1 failed', 1]],
    ['no report', { test: report(7) }, [], ['7 passed, 1 failed', 1]],
    ['a step without tests', { test: report(7), shipped: report(2) }, ['lint'], ['9 passed, 1 failed', 1]],
    ['tests that end badly', { test: report(7), shipped: report(2) }, ['test'], ['9 passed, 1 failed', 1]],
    [
      'a file that could not be read',
      { test: report(7, 0, 0, [{ status: 'failed', assertionResults: [] }]), shipped: report(2) },
      ['test'],
      ['9 passed, 1 failed', 1],
    ],
    ['nothing at all', { test: report(0), shipped: report(0) }, [], ['0 passed, 1 failed', 1]],
  ])('%s', (_, reports, broken, said) => {
    expect(count(reports, broken)).toEqual(said);
  });
});
