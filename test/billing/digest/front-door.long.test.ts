import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { Redis } from 'ioredis';
import type { PostedMessage } from '../../../sandbox/slack/index.ts';
import { customer, instance } from '../../../sandbox/world.ts';
import { POSTS } from '../../../src/core/outbox/outbox.ts';
import { createOneRecord } from '../../../src/core/records/one-record.ts';
import { DIGEST } from '../../../src/features/billing/digest/record.ts';
import { letDigestBeDue } from '../../../sandbox/phrases/due-digest.ts';
import { play, type PlayOptions, privateTexts, readAll, readNews } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const OPS = 'C0OPS000001';

function open(options: PlayOptions = {}): Promise<Sandbox> {
  return play({
    ...options,
    env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS, ...options.env },
    timings: { billingCheckEveryMs: 60_000 },
  });
}

async function asks(sandbox: Sandbox, line: string, who = 'fin', where = '#ops'): Promise<string> {
  const before = privateTexts(sandbox, who, where).length;
  await sandbox.slack.person(who).types(where, line);
  await sandbox.slack.until(() => privateTexts(sandbox, who, where).length > before);
  return privateTexts(sandbox, who, where).at(-1) ?? '';
}

/** Makes the digest due, and waits until it was made. */
async function letItBeMade(sandbox: Sandbox): Promise<void> {
  await letDigestBeDue(sandbox);
  const redis = new Redis(sandbox.redisUrl);
  const plans = createOneRecord(redis, DIGEST);
  await until(async () => ((await plans.get()).set?.dueAt ?? 0) >= Date.now());
  redis.disconnect();
}

/** Resolves once the digest that was on its way stands in Slack, or was dropped. */
async function nothingOnItsWay(sandbox: Sandbox): Promise<void> {
  const redis = new Redis(sandbox.redisUrl);
  await until(async () => (await redis.zcard(POSTS.index)) === 0);
  redis.disconnect();
}

describe('/billing digest', () => {
  it('asks for its channel where it is asked for in the own conversation of the bot, as alerts and watches do', async () => {
    const sandbox = await open({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    const { slack } = sandbox;
    const ana = slack.person('ana');
    const dm = async (line: string, words: string): Promise<PostedMessage> => {
      await ana.types('dm', line);
      return slack.until(() => ana.dms.findLast((one) => slack.read(one).includes(words)));
    };
    const asked = await dm('/billing digest weekly mon 09:00', 'Which channel should get the digest?');
    await ana.chooses(asked, 'Pick a channel', OPS);
    await slack.until(() => ana.dms.some((one) => slack.read(one).includes('The digest goes to #ops')));
    await slack.until(() => readAll(sandbox).join().includes('@ana set the digest: it comes here'));
    await dm('/billing alerts here', 'Which channel should get the alerts?');
    await dm('/instances watch name:web-*', 'Which channel should hear of them?');
    await dm(`/instances watch name:web-* in ${OPS}`, 'changes to name:web-* in #ops from now on');
  });

  it('is set for a channel, comes there once when it is due, and is set for the next week', async () => {
    const sandbox = await open();
    expect(await asks(sandbox, '/billing digest')).toMatch(/There is no digest yet/);
    expect(await asks(sandbox, '/billing digest weekly mon 09:00 Europe/Madrid')).toMatch(
      /The digest goes to #ops every Monday at 09:00 \(Europe\/Madrid\), next /,
    );
    await letItBeMade(sandbox);
    await sandbox.slack.until(() => readNews(sandbox).length > 0);
    expect(readNews(sandbox)[0]).toMatch(/In the last seven days [\d,]+ credits were used/);
    expect(readNews(sandbox)[0]).toMatch(
      /6,300 credits · 677 credits a day · about (?:[89]|10|[7-9] to 1?\d) days left/,
    );
    expect(await asks(sandbox, '/billing digest')).toMatch(/next /);
    expect(readNews(sandbox)).toHaveLength(1);
  });

  it('is by the clock of who sets it, unless they name a zone', async () => {
    const sandbox = await open();
    sandbox.slack.setPerson('fin', { tz: 'America/New_York' });
    const said = await asks(sandbox, '/billing digest weekly mon 09:00');
    expect(said).toContain('every Monday at 09:00 (America/New_York)');
    expect(await asks(sandbox, '/billing digest weekly mon 09:00 utc')).toContain('at 09:00 (UTC)');
  });

  it('comes from a service that offers no balance, and says so', async () => {
    const sandbox = await open({ customer: 'no-balance' });
    await asks(sandbox, '/billing digest weekly mon 09:00');
    await letItBeMade(sandbox);
    await sandbox.slack.until(() => readNews(sandbox).length > 0);
    expect(readNews(sandbox)[0]).toMatch(
      /In the last seven days (?:at least )?\d+ credits were used.*This hosting service doesn't offer a balance\./s,
    );
  });

  it('says that nothing is paused or idle of a whole list only', async () => {
    const instances = Array.from({ length: 30 }, (_, index) =>
      instance(1_001 + index, `web-${index + 1}`, { status: index < 25 ? 'running' : 'stopped' }),
    );
    const sandbox = await open({
      hosting: {
        world: { customers: [customer('harbour', { balanceCredits: 90_000, instances })] },
        variant: { paging: { style: 'total alone', size: 25 } },
      },
    });
    await asks(sandbox, '/billing digest weekly mon 09:00');
    for (const count of [1, 2]) {
      await letItBeMade(sandbox);
      await nothingOnItsWay(sandbox);
      expect(readNews(sandbox)).toHaveLength(count);
    }
    for (const text of readNews(sandbox)) {
      expect(text).toContain('I found no instance that is paused or idle.');
      expect(text).toContain('the service has 30 instances, and I could read only 25.');
    }
  });

  it('is refused in a channel that may not have the figures, and to people who may not see them', async () => {
    const sandbox = await open();
    expect(await asks(sandbox, '/billing digest weekly mon 09:00', 'fin', '#random')).toMatch(
      /can't be shown in this channel/,
    );
    const operators = await open({ env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    expect(await asks(operators, '/billing digest weekly mon 09:00', 'ana')).toMatch(
      /You need the finance role/,
    );
  });

  it('is not reported where its figures may not stand any more', async () => {
    const sandbox = await open();
    await asks(sandbox, '/billing digest weekly mon 09:00');
    await sandbox.stopBots();
    await sandbox.startBot({ BILLING_CHANNELS: 'C0BILLING01' });
    await letItBeMade(sandbox);
    await nothingOnItsWay(sandbox);
    expect(readNews(sandbox)).toEqual([]);
  });

  it('is not posted where its figures may not stand any more by the time Slack takes it', async () => {
    const sandbox = await open();
    await asks(sandbox, '/billing digest weekly mon 09:00');
    // That it was set is posted as well, and is not what Slack puts off here.
    await sandbox.said();
    sandbox.slack.rateLimitNext('chat.postMessage', { retryAfter: 1 });
    await letItBeMade(sandbox);
    await sandbox.slack.until(() => sandbox.slack.calls.some(({ error }) => error === 'ratelimited'));
    await sandbox.stopBots();
    await sandbox.startBot({ BILLING_CHANNELS: 'C0BILLING01' });
    await nothingOnItsWay(sandbox);
    expect(readNews(sandbox)).toEqual([]);
  });

  it('comes to an admin alone, who reads why, where its channel can not be posted to', async () => {
    const sandbox = await open({ isRefused: true });
    await asks(sandbox, '/billing digest weekly mon 09:00');
    sandbox.slack.channel('#ops').archive();
    await letItBeMade(sandbox);
    const admin = sandbox.slack.person('admin');
    await sandbox.slack.until(() => admin.dms.length > 0);
    expect(admin.dms.map((message) => sandbox.slack.read(message))).toEqual([
      expect.stringMatching(/I can't post this to #ops, so it comes to you alone.*were used/s),
    ]);
    expect(readNews(sandbox)).toEqual([]);
  });

  it('is switched off', async () => {
    const sandbox = await open();
    expect(await asks(sandbox, '/billing digest off')).toMatch(/nothing to turn off/);
    await asks(sandbox, '/billing digest weekly fri 17:30');
    expect(await asks(sandbox, '/billing digest off')).toMatch(/The digest is off/);
    expect(await asks(sandbox, '/billing digest')).toMatch(/There is no digest yet/);
  });
});
