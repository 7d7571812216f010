import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { SCOPES } from '../../src/features/doctor/judge-slack.ts';
import { answeredWith, answerTo, play, type PlayOptions, readAll } from '../support/sandbox.ts';

const MANIFEST = SCOPES.map(({ name }) => name);

/** A bot that is set up as the manifest and the README say. */
function open({ env, slack, ...options }: SandboxOptions & PlayOptions = {}): Promise<Sandbox> {
  return play({
    ...options,
    slack: { scopes: MANIFEST, ...slack },
    env: { BILLING_CHANNELS: 'C0BILLING01', ...env },
  });
}

function examine(sandbox: Sandbox, who = 'admin'): Promise<string> {
  return answerTo(sandbox, who, '/lamplighter doctor');
}

/** The one line that says `words`. */
function lineWith(answer: string, words: string): string | undefined {
  return answer.split('\n').find((line) => line.includes(words));
}

describe('/lamplighter doctor', () => {
  it('says that all is well, line by line, to an admin alone', async () => {
    const sandbox = await open();
    const answer = await examine(sandbox);
    expect(answer).toContain('All is well: 12 checks passed, 1 is optional or not checked.');
    for (const words of [
      'The Slack token works: I am lamplighter in',
      `The token has the ${MANIFEST.length} scopes of the manifest and no other.`,
      '#billing (alerts, figures) can be posted to.',
      'Slack takes the newest blocks that I use: rich_text, data_visualization, table, container, data_table.',
      'The hosting service takes the key.',
      'calls that the key has in 60 s are used.',
      'keeps its data safe: append-only file, noeviction.',
      'What is in Redis is of this workspace, service and key.',
      'No work is overdue.',
      "This machine's clock and Redis' agree.",
      "Redis' clock and Slack's agree.",
      'runs on Node',
    ])
      expect(lineWith(answer, words), words).toContain('✅');
    expect(lineWith(answer, "The balance hasn't been checked yet")).toContain('➖');
    expect(readAll(sandbox)).toEqual([]);
  });

  it('folds up what is fine, and shows it in lines where Slack takes nothing folded', async () => {
    const sandbox = await open();
    sandbox.slack.failNext('response_url', { error: 'invalid_blocks' });
    const plain = await answeredWith(sandbox, 'admin', '/lamplighter doctor');
    expect(plain.blocks.map(({ type }) => type)).not.toContain('container');
    expect(sandbox.slack.read(plain)).toMatch(
      /^All is well: 12 checks passed, 1 is optional or not checked\.\n• ✅ The Slack token works/,
    );
    const folded = await answeredWith(sandbox, 'admin', '/lamplighter doctor');
    expect(folded.blocks.find(({ type }) => type === 'container')).toMatchObject({
      title: { text: 'Passed: 12, optional or not checked: 1' },
      is_collapsible: true,
      default_collapsed: true,
    });
    // Who reads no blocks reads the same either way.
    expect(folded.text).toMatch(
      /^All is well: 12 checks passed, 1 is optional or not checked\.\n• ✅ The Slack token works/,
    );
  });

  it('refuses who is no admin, and asks nobody anything for them', async () => {
    const sandbox = await open();
    expect(await examine(sandbox, 'ana')).toContain(
      'You need the admin role to examine how the bot is set up.',
    );
    expect(sandbox.slack.calls.map(({ method }) => method)).not.toContain('conversations.info');
  });

  it('names each scope that is missing with what does not work, and those that are too many', async () => {
    const scopes = [...MANIFEST.filter((scope) => scope !== 'usergroups:read'), 'team:read'];
    const answer = await examine(await open({ slack: { scopes } }));
    expect(answer).toContain('2 warnings; ');
    expect(answer).toContain(
      "⚠️ The token lacks the scope usergroups:read: a role given to a user group counts for nobody. Put manifest.yml into the app's settings and install it again.",
    );
    expect(answer).toContain("⚠️ The token has scopes that I don't use: team:read.");
  });

  it.each([
    ['C0ATTIC0001', '❌ #attic (alerts, figures) is archived, so nothing can be posted there.'],
    ['C0SHARED001', '⚠️ #shared (alerts, figures) is shared with people outside your organization'],
    ['C0RANDOM001', '⚠️ I am not a member of #random (alerts, figures), so a message may appear twice'],
    ['C0NOWHERE01', '(alerts, figures): it is gone, or private and I am not in it.'],
  ])('says how it stands with the channel %s', async (channelId, words) => {
    const refused = channelId === 'C0NOWHERE01';
    const sandbox = await open({ env: { BILLING_CHANNELS: channelId }, isRefused: refused });
    const answer = await examine(sandbox);
    expect(answer).toContain(words);
    expect(answer.split('\n').filter((line) => /❌|⚠️/.test(line))).toHaveLength(1);
  });

  it('looks at the channels that were named in Slack as well', async () => {
    const sandbox = await open({ env: { BILLING_CHANNELS: '' } });
    const here = sandbox.slack.person('admin');
    // It was shared only after it was chosen.
    sandbox.slack.failNext('conversations.info', {
      body: { ok: true, channel: { is_member: true, is_archived: false, is_ext_shared: false } },
    });
    const interaction = await here.types('#shared', '/billing alerts here');
    await sandbox.slack.until(() => interaction.ephemeral[0]);
    await sandbox.settled();
    expect(lineWith(await examine(sandbox), '#shared (alerts, figures)')).toContain(
      'If they should not: say /billing alerts here in another channel.',
    );
  });

  it('says that the hosting service refuses the key', async () => {
    const sandbox = await open();
    sandbox.hosting.failNext({ method: 'GET', path: /\/instances$/ }, 401, 9);
    expect(lineWith(await examine(sandbox), 'refused the')).toMatch(
      /❌ The hosting service refused the bot's API key \(401\)\. The service said: "Something went wrong"\. Fix what it names\. If it is the key, put a valid one into HOSTING_API_TOKEN/,
    );
  });

  it('says that Redis evicts, forgets and is nearly full', async () => {
    const sandbox = await open({ ownRedis: true });
    const redis = new Redis(sandbox.redisUrl);
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await redis.config('SET', 'appendfsync', 'everysec');
    const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
    await redis.config('SET', 'maxmemory', String(Math.round(used * 1.15)));
    redis.disconnect();
    const answer = await examine(sandbox);
    expect(answer).toMatch(/❌ Redis throws away what people asked for .*set maxmemory-policy noeviction/);
    expect(answer).toMatch(/⚠️ Redis may forget the last two seconds .*set appendfsync always/);
    expect(answer).toMatch(/Redis has used \d+ % of the memory that it may use\. Raise its maxmemory/);
  });

  it('says what has waited for too long', async () => {
    // Nobody works behind the queue.
    const sandbox = await open({ env: { LAMPLIGHTER_ROLE: 'web' } });
    const redis = new Redis(sandbox.redisUrl);
    await redis.zadd(operationKeys.polled, 'NX', Date.now() - 3_600_000, 'nobody');
    const answer = await examine(sandbox);
    redis.disconnect();
    expect(answer).toMatch(/❌ The oldest waiting look at .* was due .*See that a process with/);
  });

  it('shows the rest where a method of Slack hangs, and says that it does', async () => {
    const sandbox = await open();
    const held = sandbox.slack.hold('conversations.info');
    const answer = await examine(sandbox);
    held.drop();
    expect(answer).toContain("⚠️ #billing (alerts, figures) couldn't be checked: Slack didn't answer.");
    expect(answer).toContain('1 warning; 11 of 13 checks passed, 1 is optional or not checked.');
  });

  it('says that blocks can not be checked where Slack has no such method, and names one that it refuses', async () => {
    const sandbox = await open();
    for (let times = 0; times < 5; times += 1)
      sandbox.slack.failNext('blocks.validate', { error: 'unknown_method' });
    expect(await examine(sandbox)).toContain("can't be checked here: this Slack has no blocks.validate.");
    const errors = [{ pointer: '/0/type', code: 'failed_constraint', message: 'unsupported type: table' }];
    sandbox.slack.failNext(
      ({ method, args }) => method === 'blocks.validate' && JSON.stringify(args).includes('"table"'),
      { error: 'invalid_blocks', extra: { errors } },
    );
    expect(await examine(sandbox)).toContain('⚠️ Slack refuses the block table: unsupported type: table.');
  });

  it('keeps its secrets', async () => {
    const sandbox = await open();
    const answer = await examine(sandbox);
    for (const secret of [
      sandbox.slack.botToken,
      sandbox.slack.signingSecret,
      sandbox.env['HOSTING_API_TOKEN']!,
    ])
      expect(answer).not.toContain(secret);
  });
});
