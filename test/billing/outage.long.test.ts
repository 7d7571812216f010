import { expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { balanceFace } from '../../src/features/billing/alerts/balance-face.ts';
import { following } from '../../src/features/billing/alerts/balance-seen.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';
import { play, readNews } from '../support/sandbox.ts';
import { asks, dmsOf, find, looks, reads, says, watch } from './watching.ts';

const WICK = 511;
const ALL_IS_WELL = /✅|fine again|lasts long enough|nothing costs anything|Nothing is low/;
const ESCALATED = { BILLING_ESCALATE_TO: 'U0BOB000001' };

/** The customer `nearly-empty`, whose only instance the host has paused with 40 credits left, and the bot has said so. */
async function paused(): Promise<Sandbox> {
  const sandbox = await watch({ customer: 'nearly-empty', env: ESCALATED });
  await reads(sandbox, /balance is critical/);
  sandbox.hosting.passDays(1);
  await reads(sandbox, /Everything is paused/, { count: 2 });
  return sandbox;
}

const saysNoAllClear = (sandbox: Sandbox): void => {
  for (const text of readNews(sandbox)) expect(text).not.toMatch(ALL_IS_WELL);
};

it('an outage because the credit ran out is a post and calls people at once, whoever is on the low balance', async () => {
  const sandbox = await watch({ customer: 'nearly-empty', env: ESCALATED });
  await reads(sandbox, /balance is critical/);
  await sandbox.slack.person('fin').presses(find(sandbox, /balance is critical/), "I'm on it");
  await reads(sandbox, /@fin is on it/);
  sandbox.hosting.passDays(1);
  const [, worse] = await reads(sandbox, /⛔ Everything is paused/, { count: 2 });
  expect(worse).toContain('@fin, are you still on it?');
  await sandbox.slack.until(() => dmsOf(sandbox, 'bob').length > 0);
  expect(dmsOf(sandbox, 'bob')).toEqual([expect.stringMatching(/Everything is paused.*wick \(511\)/s)]);
});

it('a balance that rises says what is still paused, and the alert ends only when that runs', async () => {
  const sandbox = await paused();
  await sandbox.slack.person('fin').presses(find(sandbox, /Everything is paused/), "I'm on it");
  sandbox.hosting.setBalance('nearly-empty', 5_000);
  const [rose] = await reads(
    sandbox,
    /The balance rose to 5,000 credits, but wick \(511\) is still paused\./,
  );
  expect(rose).toContain("I'll say when it runs.");
  await looks(sandbox, 8);
  saysNoAllClear(sandbox);
  expect(await says(sandbox, 'wick (511) is paused because the credit ran out')).toContain('@fin is on it');
  sandbox.hosting.changeStatus(WICK, 'running');
  await reads(
    sandbox,
    /✅ What was paused runs again: wick \(511\)\. The balance is fine again: it rose by 4,960/,
  );
});

it('what was paused and is deleted is gone, which is no recovery', async () => {
  const sandbox = await paused();
  sandbox.hosting.removeInstance(WICK);
  await reads(sandbox, /⚪ wick \(511\) was paused and is gone\./);
  saysNoAllClear(sandbox);
});

it.each([
  ['alerts are switched off and on', ['/billing alerts off', '/billing alerts on']],
  ['the thresholds are changed', ['/billing alerts set warn 5 critical 2']],
  ['it is snoozed', ['/billing alerts snooze 1h']],
])('the outage is said on when %s, and when the bot starts again', async (_what, lines) => {
  const sandbox = await paused();
  sandbox.hosting.setBalance('nearly-empty', 5_000);
  for (const line of lines) await asks(sandbox, line);
  await sandbox.stopBots();
  await sandbox.startBot();
  await looks(sandbox, 8);
  await says(sandbox, 'wick (511) is paused because the credit ran out');
  saysNoAllClear(sandbox);
});

it('one that is paused among many that run is an outage, too', async () => {
  const sandbox = await watch({ customer: 'draining', env: ESCALATED });
  await reads(sandbox, /getting low/);
  sandbox.hosting.changeStatus(501, 'paused');
  await reads(sandbox, /⛔ pump \(501\) is paused, because the balance does not pay for everything/);
  await sandbox.slack.until(() => dmsOf(sandbox, 'bob').length > 0);
  sandbox.hosting.setBalance('draining', 50_000);
  await reads(sandbox, /rose to 50,000 credits, but pump \(501\) is still paused/);
  saysNoAllClear(sandbox);
});

it('the headline counts as many as the list below it: what is on its way back is paused no more', () => {
  const instanceIn = (id: number, status: 'paused' | 'starting') => ({
    id: String(id),
    name: `buoy-${id}`,
    status,
    isPaidByDay: true as const,
  });
  const by = { isShort: true, wasShort: true, by: '' };
  const ids = [1, 2, 3, 4, 5];
  const readAt = (at: number, isBack: (id: number) => boolean) => ({
    balance: '0',
    perDay: '0',
    at,
    list: {
      at,
      isWhole: true,
      instances: ids.map((id) => instanceIn(id, isBack(id) ? 'starting' : 'paused')),
    },
  });
  const before = following(
    readAt(1, () => false),
    undefined,
    by,
  );
  const seen = following(
    readAt(2, (id) => id === 5),
    before,
    by,
  );
  const lines = balanceFace('credits', {}).matterLines('paused', seen);
  expect(lines.map(toPlainText).join('\n')).toMatch(/and 4 instances are paused for it/);
});

it('no way to ask says that all is well while everything is paused', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' }, customer: 'nearly-empty' });
  sandbox.hosting.passDays(1);
  for (const line of ['/billing', '/billing alerts', '/billing buy-time', '/billing usage'])
    expect(await asks(sandbox, line)).not.toMatch(ALL_IS_WELL);
  expect(await asks(sandbox, '/billing')).toMatch(
    /^⛔ Everything is paused.*40 credits .* nothing that it pays for is running/s,
  );
});

it('a new account with no credits and no instances is no alert, and reads nothing that contradicts itself', async () => {
  const sandbox = await watch({ customer: 'newcomer' });
  await looks(sandbox);
  expect(readNews(sandbox)).toEqual([]);
  const text = await asks(sandbox, '/billing');
  expect(text).toContain('There are no instances yet.');
  expect(text).not.toContain('comes back');
});

it('thresholds that were moved away from the balance end the alert on its card, with no all-clear beside it', async () => {
  const sandbox = await watch({ customer: 'draining', timings: { billingCheckEveryMs: 3_600_000 } });
  await reads(sandbox, /getting low/);
  await asks(sandbox, '/billing alerts set warn 1d');
  await reads(sandbox, /⚪ The thresholds were changed .*, so this alert is over\./);
  expect(readNews(sandbox)).toHaveLength(1);
});
