import { expect, it } from 'vitest';
import { keptOf, type LedgerPlay, playLedger, toldBy } from '../../support/ledger.ts';
import { startKilled } from '../../support/road.ts';

const DAY_MS = 86_400_000;

/** Each day that is over, as the ledger keeps it, and as the company itself tells it. */
async function compared(play: LedgerPlay, customer?: string): Promise<{ kept: unknown; told: unknown }> {
  const kept = keptOf(await play.days());
  const told = toldBy(play.sandbox, customer);
  expect([...told.keys()].filter((day) => day <= play.ago(1) && !kept.has(day))).toEqual([]);
  const days = [...kept.keys()];
  return {
    kept: Object.fromEntries(kept),
    told: Object.fromEntries(days.map((day) => [day, told.get(day) ?? '0 used, 0 added'])),
  };
}

it('keeps what the service has charged to the last digit, whenever it was booked, with one reading a day', async () => {
  const play = await playLedger({ bot: false });
  const { sandbox, ago } = play;
  const { hosting } = sandbox;
  const at = Date.now() - 6 * DAY_MS;
  const book = hosting.book.bind(hosting, 'harbour');
  book({ type: 'fee', amount: '-1234567890.0123456789', at });
  book({ type: 'fee', amount: '-0.0000000001', at, instanceId: 101 });
  book({ type: 'refund', amount: '9876543210.1234567891', at, instanceId: 101 });
  book({ type: 'fee', amount: 'a lot', at });
  await sandbox.startBot();
  expect((await play.filled()).filled).toMatchObject({ to: ago(1) });
  const first = await compared(play);
  expect(first.kept).toEqual(first.told);
  const sixth = ago(6);
  const booked = async () => (await play.days()).find(({ day }) => day === sixth)?.record.booked;
  expect((await booked())?.unreadable).toBe(1);
  expect((await booked())?.used['fee']).toEqual([
    ['101', '0.0000000001'],
    ['', '1234567890.0123456789'],
  ]);
  const inFirst = hosting.countCalls('GET', /\/billing\/transactions$/);
  // Two days late in its place, and six days late at the top of the list.
  book({ type: 'fee', amount: '-7.25', at: Date.now() - 2 * DAY_MS });
  book({ type: 'fee', amount: '-0.75', at, isOnTop: true });
  for (let day = 0; day < 2; day++) {
    await play.passes(1);
    const next = await compared(play);
    expect(next.kept).toEqual(next.told);
    expect((await booked())?.late).toBe(1);
  }
  expect(hosting.countCalls('GET', /\/billing\/transactions$/) - inFirst).toBeLessThan(inFirst);
});

it('loses and doubles nothing of a long history, whenever its process is killed', async () => {
  const play = await playLedger({ bot: false, customer: 'busy-fortnight' });
  const { sandbox } = play;
  for (const point of [
    'hosting.listTransactions 14',
    'ledger.change 4',
    'ledger days.moving 5',
    'ledger.change 6',
  ]) {
    const { killed } = await startKilled(sandbox, point);
    await killed;
  }
  await sandbox.startBot();
  await play.filled();
  const { kept, told } = await compared(play, 'busy-fortnight');
  expect(kept).toEqual(told);
});
