import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { SCOPES } from '../../src/features/doctor/judge-slack.ts';
import { QUEUE, QUEUE_PREFIX } from '../../src/platform/queue/queue.ts';
import { ACCESS } from '../../src/core/policy/access-record.ts';
import { until } from '../support/until.ts';
import { DAY_MS } from '../../src/platform/time/duration.ts';
import { answerTo, FAST, IMPATIENCE, play, readAll, ready, runToEnd } from '../support/sandbox.ts';

/** Takes back what was set. */
type Undo = () => unknown;

/** Something that is wrong, and what a rehearsal says of it. */
interface Defect {
  readonly name: string;
  readonly seed?: () => Undo | undefined | Promise<Undo | undefined>;
  /** Who asks, where, and in which words; Ada in #ops for a restart of web-1 where nothing is said. */
  readonly who?: string;
  readonly where?: string;
  readonly line?: string;
  readonly says: RegExp;
  readonly never?: RegExp;
}

const WORKS = '✅ At 3 a.m. this works: restart web-1 (101).';
const APPROVED = '/lamplighter rehearse restart web-2';
const LIST = { method: 'GET', path: /\/instances$/ };

let sandbox: Sandbox;
let redis: Redis;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, 'channels:\n  C0RANDOM001: { roles: [viewer] }\n');
  // One bot for all defects, with a Redis of its own that can be set.
  sandbox = await openSandbox({
    timings: { ...FAST, ...IMPATIENCE },
    hosting: { powerMs: 50, rateLimit: 100_000 },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
    slack: { scopes: SCOPES.map(({ name }) => name) },
    env: {
      LAMPLIGHTER_EVERYONE: 'none',
      LAMPLIGHTER_POLICY: policy,
      LAMPLIGHTER_APPROVE: 'web-2',
      BILLING_CHANNELS: 'C0BILLING01',
    },
  });
  redis = new Redis(sandbox.redisUrl);
  await answerTo(sandbox, 'admin', '/lamplighter access grant operator @ana');
  await answerTo(sandbox, 'admin', '/lamplighter access grant operator @oncall');
  sandbox.slack.membersOf('oncall').delete('ana');
});
afterAll(async () => {
  redis.disconnect();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

/** The bot's Redis is set, until it is taken back. */
async function setRedis(name: string, value: string): Promise<Undo> {
  await redis.config('SET', name, value);
  return () => redis.config('SET', name, '0');
}

function setPeople(whos: readonly string[], changes: { isDeleted?: boolean; isSnoozed?: boolean }): Undo {
  const was = Object.fromEntries(Object.keys(changes).map((name) => [name, false]));
  for (const who of whos) sandbox.slack.setPerson(who, changes);
  return () => whos.forEach((who) => sandbox.slack.setPerson(who, was));
}

function emptyGroup(): Undo {
  sandbox.slack.membersOf('oncall').clear();
  return () => sandbox.slack.membersOf('oncall').add('bob');
}

/** Slack says this of a channel the next time. */
function saysOf(channel: string, facts: object): undefined {
  sandbox.slack.failNext(
    ({ method, args }) => method === 'conversations.info' && args['channel'] === channel,
    { body: { ok: true, channel: { is_member: true, is_archived: false, is_ext_shared: false, ...facts } } },
  );
  return undefined;
}

/** A restart that comes to nothing, as the service answers it. `then`: what works afterwards. */
async function lastChange(answer: number, then: string): Promise<Undo> {
  sandbox.hosting.failNext({ method: 'POST', path: /103\/restart$/ }, answer, 1);
  await runToEnd(sandbox, 'admin', '/instances restart worker-1');
  return () => runToEnd(sandbox, 'admin', then);
}

const RIGHTS: readonly Defect[] = [
  { name: 'nobody gave them a role', who: 'fin', says: /You need the operator role/ },
  {
    name: 'their grant was taken back',
    who: 'fin',
    seed: async () => {
      await answerTo(sandbox, 'admin', '/lamplighter access grant operator @fin');
      await answerTo(sandbox, 'admin', '/lamplighter access revoke operator @fin');
      return undefined;
    },
    says: /@admin took your operator role back/,
  },
  { name: 'a guest asks', who: 'guest', says: /You need the operator role/ },
  { name: 'a restricted account asks', who: 'single', says: /You need the operator role/ },
  {
    name: "the channel's policy lets nobody",
    who: 'ana',
    where: '#random',
    says: /The policy doesn't let anyone/,
  },
  {
    name: 'everything is frozen',
    who: 'ana',
    seed: async () => {
      await answerTo(sandbox, 'admin', '/lamplighter freeze "an audit"');
      return () => answerTo(sandbox, 'admin', '/lamplighter thaw');
    },
    says: /One thing would stop it\.\nOnce the freeze is over, it works\.\n[^]*❌ 🧊 @admin froze everything/,
  },
  {
    name: 'the group is empty',
    seed: emptyGroup,
    says: /⚠️ Nobody else is in @oncall, which may restart web-1/,
  },
  {
    name: 'all of the group are deactivated',
    seed: () => setPeople(['bob'], { isDeleted: true }),
    says: /⚠️ Everyone else in @oncall, .* is deactivated/,
  },
  {
    name: 'the group is gone',
    seed: () => {
      sandbox.slack.failNext('usergroups.users.list', { error: 'no_such_subteam' });
      return undefined;
    },
    says: /⚠️ Slack has no group @oncall any more/,
  },
  {
    name: 'who holds a role is deactivated',
    seed: () => setPeople(['ana'], { isDeleted: true }),
    says: /⚠️ @ana may restart web-1 \(101\) and is deactivated/,
  },
  {
    name: 'every approver is asleep',
    line: APPROVED,
    seed: () => setPeople(['ana', 'bob'], { isSnoozed: true }),
    says: /❌ Everyone who can approve it has paused notifications: @ana and @bob/,
  },
  {
    name: 'only the asker may approve',
    line: APPROVED,
    seed: () => {
      const all = [emptyGroup(), setPeople(['ana'], { isDeleted: true })];
      return () => all.forEach((undo) => undo());
    },
    says: /❌ It needs an approval, and nobody else who is there may give it/,
  },
  {
    name: 'the bot may not ask who is asleep',
    line: APPROVED,
    seed: () => {
      sandbox.slack.setScope('dnd:read', false);
      return () => sandbox.slack.setScope('dnd:read', true);
    },
    says: /➖ Whether they have paused notifications can't be checked/,
  },
];

const INSTANCES: readonly Defect[] = [
  { name: 'the instance is gone', line: '/lamplighter rehearse restart web-99', says: /no instance/i },
  {
    name: 'it is stopped',
    seed: () => {
      sandbox.hosting.changeStatus(101, 'stopped');
      return () => sandbox.hosting.changeStatus(101, 'running');
    },
    says: /❌ .*web-1 \(101\).*stopped/,
    never: /it works/,
  },
  {
    name: 'it is paused',
    line: '/lamplighter rehearse restart paused',
    says: /❌ .*paused/,
    never: /it works/,
  },
  {
    name: 'somebody is on it',
    seed: async () => {
      const held = sandbox.hosting.hold({ method: 'POST', path: /101\/restart$/ });
      await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
      await held.arrived;
      return async () => {
        held.release();
        await sandbox.settled();
      };
    },
    says: /❌ .*web-1 \(101\) is .*restart.* Rehearse it once more after that\./,
    never: /it works/,
  },
];

const SERVICE: readonly Defect[] = [
  {
    name: 'the key lacks the right to read',
    seed: () => sandbox.hosting.failNext(LIST, 403, 9),
    says: /❌ The hosting service does not allow listing instances/,
  },
  {
    name: 'the key is revoked',
    seed: () => {
      sandbox.hosting.changeKey('harbour', 'oc_live_demo_other');
      return () => sandbox.hosting.changeKey('harbour', 'oc_live_demo_harbour');
    },
    says: /❌ The hosting service refused the bot's API key/,
  },
  {
    name: 'the key may change nothing',
    seed: () => lastChange(403, '/instances start staging'),
    says: /❌ The last change, .*, came to nothing: the service does not allow that/,
  },
  {
    name: 'the service only lets itself be read',
    seed: () => lastChange(405, '/instances restart worker-1'),
    says: /⚠️ The last change, .*, was not taken: .* or only lets itself be read/,
  },
  {
    name: 'the service is down',
    seed: async () => {
      await sandbox.hosting.stop();
      return () => sandbox.hosting.start();
    },
    says: /❌ The hosting service couldn't be asked how web-1 \(101\) is now[^]*❌ The hosting service .*(?:can't be reached|doesn't answer)/,
    never: /The service has it/,
  },
  {
    name: 'something else answers in place of the service',
    seed: () => sandbox.hosting.failNext(LIST, { answer: 403, done: false, errors: 'html' }, 9),
    says: /❌ What answers at HOSTING_API_URL doesn't answer like the hosting service/,
  },
  {
    // For a second nothing is asked of the service, which those after it don't need.
    name: 'the calls of the key are used up',
    seed: () => sandbox.hosting.failNext(LIST, { answer: 429, done: false, retryAfterSeconds: 1 }, 9),
    says: /The key couldn't be tried: its calls are used up for now/,
  },
];

const SLACK: readonly Defect[] = [
  {
    name: 'the token lacks a scope',
    seed: () => {
      sandbox.slack.setScope('chat:write', false);
      return () => sandbox.slack.setScope('chat:write', true);
    },
    says: /❌ The token lacks the scope chat:write: I can post nothing/,
  },
  {
    name: 'the token is revoked',
    seed: () => {
      sandbox.slack.revokeToken(sandbox.slack.botToken);
      return () => sandbox.slack.restoreToken(sandbox.slack.botToken);
    },
    says: /❌ Slack's token couldn't be checked: Slack refuses the token/,
  },
  {
    name: 'the channel is archived',
    seed: () => saysOf('C0OPS000001', { is_archived: true }),
    says: /❌ #ops \(card\) is archived.* ask in another channel/,
  },
  {
    name: 'the bot is not in the channel',
    seed: () => saysOf('C0OPS000001', { is_member: false }),
    says: /⚠️ I am not a member of #ops \(card\)/,
  },
  {
    name: 'the channel is private, and the bot is not in it',
    seed: () => {
      sandbox.slack.failNext('conversations.info', { error: 'channel_not_found' });
      return undefined;
    },
    says: /❌ I can't see #ops \(card\): it is gone, or private and I am not in it/,
  },
  {
    name: 'the channel of the alerts is archived',
    seed: () => saysOf('C0BILLING01', { is_archived: true }),
    says: /❌ #billing \(alerts\) is archived/,
  },
  {
    name: 'Slack wants the bot to wait',
    seed: () => {
      for (let times = 0; times < 2; times += 1)
        sandbox.slack.failNext('conversations.info', { error: 'ratelimited' });
      return undefined;
    },
    says: /couldn't be checked: Slack asks me to wait/,
  },
];

const REDIS: readonly Defect[] = [
  { name: 'Redis is full', seed: () => setRedis('maxmemory', '1'), says: /❌ Redis .*memory/ },
  {
    name: 'Redis lacks the replicas that it is to have',
    seed: () => setRedis('min-replicas-to-write', '1'),
    says: /❌ Redis can't be used: .*replica/,
  },
  {
    name: 'Redis only lets itself be read',
    seed: async () => {
      await redis.replicaof('127.0.0.1', 1);
      return async () => {
        await redis.replicaof('NO', 'ONE');
        await ready(sandbox);
      };
    },
    // The bot leaves one that only repeats another.
    says: /❌ Redis can't be used: /,
  },
  {
    name: 'the queue is stuck',
    seed: async () => {
      const queue = new Queue(QUEUE, { connection: redis, prefix: QUEUE_PREFIX });
      await queue.pause();
      return async () => {
        await queue.resume();
        await queue.close();
      };
    },
    says: /❌ A job that does nothing was taken by nobody/,
  },
  {
    name: 'nobody works behind the queue',
    seed: async () => {
      await sandbox.stopBots();
      await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
      return async () => {
        await sandbox.stopBots();
        await sandbox.startBot();
      };
    },
    says: /❌ A job that does nothing was taken by nobody/,
  },
];

describe('/lamplighter rehearse', () => {
  it('says that it works, with what was tried, and does nothing', async () => {
    const answer = await answerTo(sandbox, 'ana', '/lamplighter rehearse restart web-1');
    expect(answer.split('\n')[0]).toBe(WORKS);
    for (const tried of [
      '✅ The right to restart web-1 (101) is there.',
      '✅ The service has it, and nothing holds it.',
      '✅ @admin and @bob may restart web-1 (101) as well.',
      '✅ No schedule touches it within a day.',
      '✅ #ops (card) can be posted to.',
      '✅ #billing (alerts) can be posted to.',
      '✅ The hosting service takes the key.',
      'I tried all of it but the last call, so nothing was done.',
    ])
      expect(answer).toContain(tried);
    expect(answer).toMatch(/✅ A card stands within \d+ s of the request\./);
  });

  it.each([
    ['delete web-1', 'but not delete.'],
    ['add backup web-1', 'but not add.'],
    ['force restart web-1', 'but not force-restart.'],
    ['stop web-1 --force', 'but not force-stop.'],
  ])('of "%s" says what can be rehearsed', async (words, no) => {
    const answer = await answerTo(sandbox, 'admin', `/lamplighter rehearse ${words}`);
    expect(answer).toMatch(/I can rehearse \w+, \w+ and \w+, /);
    expect(answer).toContain(no);
  });

  it.each([...RIGHTS, ...INSTANCES, ...SERVICE, ...SLACK, ...REDIS])(
    'names what is in the way where $name',
    async ({
      seed,
      who = 'admin',
      where = '#ops',
      line = '/lamplighter rehearse restart web-1',
      says,
      never,
    }) => {
      const undo = await seed?.();
      const before = sandbox.hosting.calls.length;
      const calls: string[] = [];
      const interaction = await sandbox.slack.person(who).types(where, line);
      // Where a look takes long, they read first that it does.
      const findSaid = () => interaction.ephemeral.find((one) => says.test(sandbox.slack.read(one)));
      try {
        const said = sandbox.slack.read(await sandbox.slack.until(findSaid));
        if (never) expect(said).not.toMatch(never);
        calls.push(...sandbox.hosting.calls.slice(before).map(({ method }) => method));
      } finally {
        await undo?.();
      }
      expect(calls.filter((method) => method !== 'GET')).toEqual([]);
    },
    // Several restarts and a look that waits four seconds, on a busy machine.
    60_000,
  );
});

describe('the rehearsal of each week', () => {
  const GUARDED = {
    LAMPLIGHTER_EVERYONE: 'none',
    LAMPLIGHTER_APPROVE: 'web-1',
    BILLING_CHANNELS: 'C0BILLING01',
  };
  const open = (env: Readonly<Record<string, string>>): Promise<Sandbox> =>
    play({
      timings: { checkNamedAfterMs: 0 },
      slack: { scopes: SCOPES.map(({ name }) => name) },
      env: { ...GUARDED, ...env },
    });

  it('tells the channel of the alerts what would stop it, once', async () => {
    const own = await open({});
    const told = /Only @admin may restart web-1 \(101\) and approve it, and it takes two/;
    await own.slack.until(() => readAll(own, '#billing').some((text) => told.test(text)));
    await own.stopBots();
    await own.startBot();
    await answerTo(own, 'admin', '/lamplighter doctor');
    await own.said();
    expect(readAll(own, '#billing').filter((text) => told.test(text))).toHaveLength(1);
    expect(own.hosting.calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('says nothing where all works', async () => {
    const own = await open({ LAMPLIGHTER_EVERYONE: 'operator' });
    const kept = new Redis(own.redisUrl);
    const rehearsedAt = async (): Promise<number> =>
      Number(/"rehearsedAt":(\d+)/.exec((await kept.hget(ACCESS.key, 'record')) ?? '')?.[1] ?? 0);
    // Before that it is only claimed.
    await until(async () => (await rehearsedAt()) > Date.now() - DAY_MS);
    kept.disconnect();
    await own.said();
    expect(readAll(own, '#billing')).toEqual([]);
  });
});
