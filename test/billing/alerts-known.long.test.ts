import { describe, expect, it } from 'vitest';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { ALARM } from '../../src/features/billing/alerts/alarm-store.ts';
import { privateMessage, readAll, SOON_FOUND } from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { asks, dmsOf, find, looks, reads, says, setDays, watch } from './watching.ts';

const SELDOM = { billingCheckEveryMs: 3_600_000 };

describe('/billing alerts says what is known of the balance:', () => {
  it('not checked yet, before anybody looked', async () => {
    const sandbox = await watch({ timings: { billingCheckEveryMs: Number.POSITIVE_INFINITY } });
    const text = await asks(sandbox, '/billing alerts');
    expect(text).toContain("The balance hasn't been checked yet.");
    expect(text).not.toContain('Nothing is low right now');
  });

  it('not read yet, where every look failed', async () => {
    const sandbox = await watch({ customer: 'unreadable' });
    const text = await says(sandbox, "I can't tell yet how low the balance is; I've been trying since ");
    expect(text).not.toContain('Nothing is low right now');
  });

  it('nothing of the level while alerts are off, nor just after they are on again', async () => {
    const sandbox = await watch();
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    const off = await asks(sandbox, '/billing alerts off');
    expect(off).toContain("While alerts are off, I don't check how low the balance is.");
    expect(off).not.toMatch(/[Nn]othing is low|balance is low/);
    await reads(sandbox, /Alerts were turned off/);
    sandbox.hosting.breakBalance('harbour', { answer: 500, done: false });
    expect(await asks(sandbox, '/billing alerts on')).toContain("The balance hasn't been checked yet.");
  });

  it('the level by the thresholds as they are now, once they are changed', async () => {
    const sandbox = await watch({ timings: SELDOM });
    // The first look goes out as the bot starts.
    await says(sandbox, 'Nothing is low right now');
    const text = await asks(sandbox, '/billing alerts set warn 7000');
    expect(text).toContain('the balance is low');
    expect(text).not.toContain('Nothing is low right now');
  });

  it('a level that could not be read again since, with when it was', async () => {
    const sandbox = await watch();
    await looks(sandbox);
    sandbox.hosting.breakBalance('harbour', { answer: 500, done: false });
    expect(await says(sandbox, 'Nothing was low')).toMatch(/Nothing was low when I could last tell, .+\./);
  });
});

describe('handing an alert back', () => {
  it('frees it for somebody who is awake, says in the answer and on the card who did it for whom, and is refused once nobody is on it', async () => {
    const sandbox = await watch({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    const [ana, bob] = [sandbox.slack.person('ana'), sandbox.slack.person('bob')];
    await ana.presses(find(sandbox, /getting low/), "I'm on it");
    await reads(sandbox, /@ana is on it/);
    await bob.presses(find(sandbox, /getting low/), 'Hand back');
    await reads(sandbox, /@bob handed it back for @ana .*, so nobody is on it\./);
    const said = (): PostedMessage[] => sandbox.slack.channel('#ops').ephemeralFor('bob');
    await sandbox.slack.until(() => said().length > 0);
    expect(sandbox.slack.read(said()[0]!)).toBe('Handed back for @ana. The alert says that nobody is on it.');
    await bob.presses(find(sandbox, /getting low/), "I'm on it");
    await reads(sandbox, /@bob is on it/);
    const alert = find(sandbox, /getting low/);
    const onScreen = alert.edits.length;
    await bob.presses(alert, 'Hand back');
    await reads(sandbox, /@bob handed it back .*, so nobody is on it\./);
    expect(readAll(sandbox)[0]).not.toContain('for @bob');
    // By a button that still stands on a screen.
    await ana.presses(alert, 'Hand back', { version: onScreen });
    await privateMessage(sandbox, 'ana', 'Nobody is on it, so there is nothing to hand back.');
  });
});

describe('who is called', () => {
  it('is called again where it got worse and still nobody is on it', async () => {
    const sandbox = await watch({
      env: { BILLING_ESCALATE_TO: 'U0FIN000001' },
      timings: { escalateAfterMs: 100 },
    });
    setDays(sandbox, 1);
    await sandbox.slack.until(() => dmsOf(sandbox, 'fin').length === 1);
    setDays(sandbox, 0);
    await sandbox.slack.until(() => dmsOf(sandbox, 'fin').length === 2);
    expect(dmsOf(sandbox, 'fin')[1]).toMatch(/so I'm telling you directly.*used up/s);
  });

  it('hears nothing of an alert that ended while its first word was on its way, and was lost there', async () => {
    const sandbox = await watch({ bot: false, timings: SOON_FOUND });
    const held = sandbox.slack.hold(
      ({ method, args }) => method === 'chat.postMessage' && JSON.stringify(args).includes('getting low'),
    );
    setDays(sandbox, 4);
    await sandbox.startBot();
    await held.arrived;
    setDays(sandbox, 40);
    await says(sandbox, 'Nothing is low right now');
    held.drop();
    const redis = connectTo(sandbox);
    await until(async () => (await redis.hget(ALARM.key, 'record'))?.includes('"episodes":[]') ?? false);
    expect(readAll(sandbox)).toEqual([]);
  });

  it('hears nothing of an alert that ended before Slack took its first word', async () => {
    // Every wait for Slack is as long, so what was refused first is due first.
    const sandbox = await watch({ bot: false, timings: { longestBackOffMs: 300 } });
    let isDown = true;
    // More often than it is tried while the machine is busy.
    for (let count = 0; count < 5_000; count++)
      sandbox.slack.failNext(({ method }) => isDown && method === 'chat.postMessage', {
        error: 'accesslimited',
      });
    const isRefused = (words: string): boolean =>
      sandbox.slack.calls.some(({ args }) => JSON.stringify(args).includes(words));
    setDays(sandbox, 4);
    await sandbox.startBot();
    await sandbox.slack.until(() => isRefused('getting low'));
    setDays(sandbox, 40);
    await says(sandbox, 'Nothing is low right now');
    await asks(sandbox, '/billing alerts test');
    await sandbox.slack.until(() => isRefused('This is a test'));
    isDown = false;
    await reads(sandbox, /This is a test/);
    expect(readAll(sandbox)).toHaveLength(1);
  });
});

describe('/billing alerts and /billing digest without words', () => {
  it('are read with a quotation mark too many, and while Redis takes no writes', async () => {
    const sandbox = await watch({
      ownRedis: true,
      timings: { billingCheckEveryMs: Number.POSITIVE_INFINITY },
    });
    expect(await asks(sandbox, '/billing "alerts')).toContain('I warn below 5 days');
    expect(await asks(sandbox, '/billing "digest')).toContain('There is no digest yet.');
    expect(await asks(sandbox, '/billing alerts "off')).toContain('There is an unclosed quotation mark');
    const redis = connectTo(sandbox);
    await redis.config('SET', 'min-replicas-to-write', '1');
    expect(await asks(sandbox, '/billing alerts')).toContain('I warn below 5 days');
    expect(await asks(sandbox, '/billing digest')).toContain('There is no digest yet.');
    await redis.config('SET', 'min-replicas-to-write', '0');
  });
});
