import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Alarm,
  findOpen,
  NO_ALARM,
  type Notice,
  movedTo,
} from '../../src/features/billing/alerts/alarm.ts';
import { balanceMeasure } from '../../src/features/billing/alerts/balance-measure.ts';
import { judge } from '../../src/features/billing/alerts/judge.ts';
import { readNews } from '../support/sandbox.ts';
import { asks, dmsOf, find, looks, OPS, reads, setDays, watch } from './watching.ts';
import { runs } from '../support/runs.ts';
import { rulesOf, thresholdsIn } from './judged.ts';

/** How many alerts are moved about. */
const WALKS = runs(5_000);
const BILLING = 'C0BILLING01';
const BOTH = { BILLING_CHANNELS: `${OPS} ${BILLING}` };
const there = { where: '#billing' };

describe('/billing alerts here while an alert is open', () => {
  it('moves it: its card stands here, the old one says where it went, and what follows comes here', async () => {
    const sandbox = await watch({ env: BOTH });
    await sandbox.startBot();
    setDays(sandbox, 4);
    await reads(sandbox, /getting low/);
    await sandbox.slack.person('fin').presses(find(sandbox, /getting low/), "I'm on it");
    await reads(sandbox, /@fin is on it/);
    expect(await asks(sandbox, '/billing alerts here', 'fin', '#billing')).toContain(
      'The open alert continues here.',
    );
    const [card] = await reads(sandbox, /getting low/, there);
    expect(card).toContain('@fin is on it');
    await reads(sandbox, /^➡️ This alert moved to #billing\.$/m);
    expect(readNews(sandbox)[0]).not.toMatch(/Hand back|Buy time|Snooze/);
    await asks(sandbox, '/billing alerts here', 'fin', '#billing');
    setDays(sandbox, 1);
    await reads(sandbox, /balance is critical/, { count: 2, ...there });
    setDays(sandbox, 40);
    await reads(sandbox, /it rose by/, there);
    await reads(sandbox, /Over since/, there);
    await looks(sandbox);
    expect(readNews(sandbox)).toHaveLength(1);
    expect(readNews(sandbox, '#billing')).toHaveLength(3);
  });

  it('brings it from the admin alone to the channel that an admin chose', async () => {
    const sandbox = await watch({ env: { BILLING_CHANNELS: '' } });
    setDays(sandbox, 4);
    await sandbox.slack.until(() => dmsOf(sandbox, 'admin').length === 1);
    await asks(sandbox, '/billing alerts here', 'admin');
    await reads(sandbox, /getting low/);
    await sandbox.slack.until(() => dmsOf(sandbox, 'admin')[0]?.includes('This alert moved to #ops'));
  });

  it('brings it here at once where Slack has not taken it there yet', async () => {
    const sandbox = await watch({ env: BOTH, bot: false });
    setDays(sandbox, 4);
    const held = sandbox.slack.hold(
      ({ method, args }) => method === 'chat.postMessage' && args['channel'] === OPS,
    );
    await sandbox.startBot();
    await held.arrived;
    await asks(sandbox, '/billing alerts here', 'fin', '#billing');
    await reads(sandbox, /getting low/, there);
    held.release();
    await reads(sandbox, /This alert moved to #billing/);
    await looks(sandbox);
    expect(readNews(sandbox)).toHaveLength(1);
    expect(readNews(sandbox, '#billing')).toHaveLength(1);
  });

  it('tells the new channel, too, that the balance can not be read', async () => {
    const sandbox = await watch({ env: BOTH, timings: { unknownAfterMs: 50 } });
    sandbox.hosting.breakBalance('harbour', { answer: 500, done: false });
    await reads(sandbox, /haven't been able to tell/);
    await asks(sandbox, '/billing alerts here', 'fin', '#billing');
    await reads(sandbox, /haven't been able to tell/, there);
    await reads(sandbox, /This alert moved to #billing/);
  });
});

const measure = balanceMeasure(thresholdsIn('credits', 500n, 200n));
const channels = ['C1', 'C2', 'C3'] as const;
const step = fc.oneof(
  fc.record({
    do: fc.constant('move' as const),
    to: fc.constantFrom(...channels),
    times: fc.constantFrom(1, 2),
  }),
  fc.record({
    do: fc.constant('send' as const),
    how: fc.constantFrom('sent' as const, 'posting' as const, 'dead-lettered' as const),
  }),
  fc.record({ do: fc.constant('look' as const), balance: fc.constantFrom('400', '100', '0') }),
);

/** What waited is in Slack, on its way there, or given up. */
function sent(alarm: Alarm, state: 'sent' | 'posting' | 'dead-lettered'): Alarm {
  const episodes = alarm.episodes.map((episode) => ({
    ...episode,
    notices: episode.notices.map((one) =>
      one.message.state === 'waiting' ? { ...one, message: { ...one.message, state } } : one,
    ),
  }));
  return { ...alarm, episodes };
}

it('however often it moves and whatever Slack has taken, one card is current, in the channel that was chosen last', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let alarm: Alarm = NO_ALARM;
      let here: string = 'C1';
      for (const [index, one] of [{ do: 'look', balance: '400' } as const, ...steps].entries()) {
        const at = 1_000 * (index + 1);
        if (one.do === 'send') alarm = sent(alarm, one.how);
        if (one.do === 'look')
          alarm = judge(
            alarm,
            { balance: one.balance, at },
            rulesOf(measure, { to: { channelId: here }, newId: `e${index}` }),
            at,
          );
        if (one.do === 'move') {
          here = one.to;
          for (let time = 0; time < one.times; time++) alarm = movedTo(alarm, { channelId: here }, at);
        }
        const notices = findOpen(alarm, 'low')?.notices ?? [];
        const current = notices.filter(({ kind, movedTo: away }) => kind === 'card' && !away);
        const isHere = ({ to }: Notice): boolean => 'channelId' in to && to.channelId === here;
        if (current.length !== 1 || !current.every(isHere)) throw new Error(JSON.stringify(current));
        const waiting = notices.filter(({ message, movedTo: away }) => message.state === 'waiting' && !away);
        if (!waiting.every(isHere)) throw new Error(JSON.stringify(waiting));
        const keys = notices.map(({ message }) => message.key);
        if (new Set(keys).size !== keys.length) throw new Error(`one key twice: ${keys.join()}`);
      }
    }),
    { numRuns: WALKS },
  );
});
