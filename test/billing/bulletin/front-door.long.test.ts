import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { POSTS } from '../../../src/core/outbox/outbox.ts';
import { readAll, readNews } from '../../support/sandbox.ts';
import { connectTo } from '../../support/shared-redis.ts';
import { until } from '../../support/until.ts';
import { asks, OPS } from '../watching.ts';
import { BULLETINS, open } from './bulletins.ts';

it('alerts and watches ask for their channel, too, in the own conversation of the bot', async () => {
  const { slack } = await open({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  const ana = slack.person('ana');
  const dm = async (line: string, words: string): Promise<unknown> => {
    await ana.types('dm', line);
    return slack.until(() => ana.dms.find((one) => slack.read(one).includes(words)));
  };
  await dm('/billing alerts here', 'Which channel should get the alerts?');
  await dm('/instances watch name:web-*', 'Which channel should hear of them?');
  await dm(`/instances watch name:web-* in ${OPS}`, 'changes to name:web-* in #ops from now on');
});

/** Resolves once what was on its way stands in Slack, or was dropped. */
async function nothingOnItsWay(sandbox: Sandbox): Promise<void> {
  const redis = connectTo(sandbox);
  await until(async () => (await redis.zcard(POSTS.index)) === 0);
}

describe.each(BULLETINS)('/billing $called', ({ called, line, words, said, tells, isMade }) => {
  const set = `${line} ${words}`;

  it('asks for its channel where it is asked for in the own conversation of the bot', async () => {
    const sandbox = await open({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    const { slack } = sandbox;
    const ana = slack.person('ana');
    await ana.types('dm', set);
    const asked = await slack.until(() =>
      ana.dms.find((one) => slack.read(one).includes(`Which channel should get the ${called}?`)),
    );
    await ana.chooses(asked, 'Pick a channel', OPS);
    await slack.until(() => ana.dms.some((one) => slack.read(one).includes(`The ${called} goes to #ops`)));
    await slack.until(() =>
      readAll(sandbox).join().includes(`@ana set the ${called}: it comes here ${said}`),
    );
  });

  it('is set for a channel, comes there once when it is due, and is set for the next time', async () => {
    const sandbox = await open();
    expect(await asks(sandbox, line)).toContain(`There is no ${called} yet`);
    const goes = `The ${called} goes to #ops ${said} (Europe/Madrid), next `;
    expect(await asks(sandbox, `${set} Europe/Madrid`)).toContain(goes);
    await isMade(sandbox);
    await nothingOnItsWay(sandbox);
    expect(await asks(sandbox, line)).toContain(goes);
    expect(readNews(sandbox)).toEqual([expect.stringMatching(tells)]);
  });

  it('is by the clock of who sets it, unless they name a zone', async () => {
    const sandbox = await open();
    sandbox.slack.setPerson('fin', { tz: 'America/New_York' });
    expect(await asks(sandbox, set)).toContain(`${said} (America/New_York)`);
    expect(await asks(sandbox, `${set} utc`)).toContain(`${said} (UTC)`);
  });

  it('is refused in a channel that may not have the figures', async () => {
    const sandbox = await open();
    expect(await asks(sandbox, set, 'fin', '#random')).toMatch(/can't be shown in this channel/);
  });

  it('is not reported where its figures may not stand any more', async () => {
    const sandbox = await open();
    await asks(sandbox, set);
    await sandbox.stopBots();
    await sandbox.startBot({ BILLING_CHANNELS: 'C0BILLING01' });
    await isMade(sandbox);
    await nothingOnItsWay(sandbox);
    expect(readNews(sandbox)).toEqual([]);
  });

  it('is not posted where its figures may not stand any more by the time Slack takes it', async () => {
    const sandbox = await open();
    await asks(sandbox, set);
    // That it was set is posted as well, and is not what Slack puts off here.
    await sandbox.said();
    sandbox.slack.rateLimitNext('chat.postMessage', { retryAfter: 1 });
    await isMade(sandbox);
    await sandbox.slack.until(() => sandbox.slack.calls.some(({ error }) => error === 'ratelimited'));
    await sandbox.stopBots();
    await sandbox.startBot({ BILLING_CHANNELS: 'C0BILLING01' });
    await nothingOnItsWay(sandbox);
    expect(readNews(sandbox)).toEqual([]);
  });

  it('comes to an admin alone, who reads why, where its channel can not be posted to', async () => {
    const sandbox = await open({ isRefused: true });
    await asks(sandbox, set);
    sandbox.slack.channel('#ops').archive();
    await isMade(sandbox);
    const admin = sandbox.slack.person('admin');
    const [alone] = await sandbox.slack.until(() => admin.dms.length > 0 && admin.dms);
    const text = alone && sandbox.slack.read(alone);
    expect(text).toContain("I can't post this to #ops, so it comes to you alone");
    expect(text).toMatch(tells);
    expect(readNews(sandbox)).toEqual([]);
  });

  it('is switched off', async () => {
    const sandbox = await open();
    expect(await asks(sandbox, `${line} off`)).toMatch(/nothing to turn off/);
    await asks(sandbox, set);
    expect(await asks(sandbox, `${line} off`)).toContain(`The ${called} is off`);
    expect(await asks(sandbox, line)).toContain(`There is no ${called} yet`);
  });
});
