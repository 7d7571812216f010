import { letPass } from '../../sandbox/phrases/due-schedule.ts';
import { describe, expect, it } from 'vitest';
import type { Access } from '../../src/core/policy/access.ts';
import { dmWith } from '../support/asking.ts';
import { instead } from '../support/instead.ts';
import { botMessages, readAll } from '../support/sandbox.ts';
import { asks, dmsOf, find, looks, reads, setDays, watch } from './watching.ts';

describe('a balance that falls', () => {
  it('is seen by looks that follow each other, without what puts a lost one back', async () => {
    const sandbox = await watch({ timings: { sweepEveryMs: 3_600_000 } });
    await looks(sandbox, 3);
    setDays(sandbox, 4);
    await reads(sandbox, /The balance is getting low/);
  });
});

describe('who is on it', () => {
  it('is shown on the card, is asked again after a while, and nobody is where no answer comes', async () => {
    const sandbox = await watch({ timings: { stillOnItAfterMs: 60_000, handBackAfterMs: 60_000 } });
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    await sandbox.slack.person('fin').presses(find(sandbox, /getting low/), "I'm on it");
    await reads(sandbox, /@fin is on it/);
    await letPass(sandbox, 60_000);
    await reads(sandbox, /@fin, are you still on the low balance\?/);
    await letPass(sandbox, 60_000);
    await reads(sandbox, /@fin did not answer, so nobody is on it/, { count: 2 });
  });

  it('is shown by the newest message as well, and at the end only its story is left to press', async () => {
    const sandbox = await watch();
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    setDays(sandbox, 1.5);
    await reads(sandbox, /critical.*Unacknowledged.*I'm on it/s, { count: 2 });
    const fin = sandbox.slack.person('fin');
    await fin.presses(find(sandbox, /critical/), "I'm on it");
    await reads(sandbox, /critical.*@fin is on it.*Hand back/s, { count: 2 });
    const newest = botMessages(sandbox)[1]!;
    await fin.presses(newest, 'Hand back');
    await reads(sandbox, /critical.*@fin handed it back.*I'm on it/s, { count: 2 });
    setDays(sandbox, 40);
    await reads(sandbox, /it rose by/);
    await sandbox.slack.until(() =>
      readAll(sandbox).every((text) => !text.replace('[ Tell the story ]', '').includes('[ ')),
    );
    expect(readAll(sandbox)[0]).toContain('[ Tell the story ]');
    expect(readAll(sandbox)[1]).toMatch(/The balance is critical/);
    expect(readAll(sandbox)[1]).not.toContain('handed it back');
  });

  it('is shown by the newest message alone where a level follows another', async () => {
    const sandbox = await watch();
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    setDays(sandbox, 1.5);
    await reads(sandbox, /critical/, { count: 2 });
    setDays(sandbox, 0);
    await reads(sandbox, /used up/, { count: 2 });
    await sandbox.slack.until(() => !/Nobody is on it|\[ /.test(readAll(sandbox)[1] ?? '[ '));
    expect(readAll(sandbox)[1]).toMatch(/The balance is critical/);
    for (const text of [readAll(sandbox)[0], readAll(sandbox)[2]])
      expect(text).toMatch(/used up.*Unacknowledged.*I'm on it/s);
  });

  it('is shown to whom it called alone, too', async () => {
    const sandbox = await watch({
      env: { BILLING_ESCALATE_TO: 'U0FIN000001' },
      timings: { escalateAfterMs: 150 },
    });
    setDays(sandbox, 1);
    await dmWith(sandbox, 'fin', 'telling you');
    await sandbox.slack.person('bob').presses(find(sandbox, /critical/), "I'm on it");
    await sandbox.slack.until(() => /@bob is on it/.test(dmsOf(sandbox, 'fin')[0] ?? ''));
    expect(dmsOf(sandbox, 'fin')[0]).not.toContain("I'm on it");
  });

  it('is asked of who is in a named user group then, and may see figures', async () => {
    const sandbox = await watch({
      env: { BILLING_ESCALATE_TO: 'S0ONCALL001', LAMPLIGHTER_EVERYONE: 'finance' },
      timings: { escalateAfterMs: 150 },
    });
    const group = sandbox.slack.membersOf('@oncall');
    group.delete('ana');
    group.add('guest');
    setDays(sandbox, 1);
    await dmWith(sandbox, 'bob', "so I'm telling you");
    await looks(sandbox, 5);
    expect(dmsOf(sandbox, 'bob')).toHaveLength(1);
    expect(dmsOf(sandbox, 'ana')).toEqual([]);
    expect(dmsOf(sandbox, 'guest')).toEqual([]);
  });

  it('is asked of named people as soon as Slack can say who they are', async () => {
    const sandbox = await watch({
      env: { BILLING_ESCALATE_TO: 'U0FIN000001' },
      timings: { escalateAfterMs: 1 },
      bot: false,
    });
    let isKnown = false;
    setDays(sandbox, 1);
    const check = instead('access', 'check', (own, ...asked) =>
      isKnown
        ? (own as Access).check(...(asked as Parameters<Access['check']>))
        : Promise.resolve({ allowed: false, reason: 'not checked' }),
    );
    await sandbox.startBot({}, check);
    await reads(sandbox, /balance is critical/);
    await looks(sandbox, 3);
    expect(dmsOf(sandbox, 'fin')).toEqual([]);
    isKnown = true;
    await sandbox.slack.until(() => sandbox.slack.dump().includes("so I'm telling you directly"));
    await looks(sandbox, 3);
    expect(dmsOf(sandbox, 'fin')).toHaveLength(1);
  });

  it('is one card and one word to each named person, however many bots look and are stopped', async () => {
    const sandbox = await watch({
      env: { BILLING_ESCALATE_TO: 'U0FIN000001' },
      timings: { escalateAfterMs: 300 },
    });
    await sandbox.startBot();
    setDays(sandbox, 1);
    await reads(sandbox, /balance is critical/);
    await sandbox.stopBots();
    await Promise.all([sandbox.startBot(), sandbox.startBot()]);
    await sandbox.slack.until(() => sandbox.slack.dump().includes("so I'm telling you directly"));
    await looks(sandbox, 10);
    expect(readAll(sandbox)).toHaveLength(1);
    expect(dmsOf(sandbox, 'fin')).toHaveLength(1);
  });
});

describe('what is set', () => {
  it('is switched off and on again', async () => {
    const sandbox = await watch();
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    expect(await asks(sandbox, '/billing alerts off')).toMatch(/Nobody will be warned/);
    await reads(sandbox, /Alerts were turned off/);
    expect(await asks(sandbox, '/billing alerts on')).toMatch(/Alerts are on/);
    await reads(sandbox, /getting low/);
  });
});
