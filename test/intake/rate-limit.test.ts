import { expect, it } from 'vitest';
import type { Interaction } from '../../sandbox/slack/acting/interaction.ts';
import {
  deleteCalls,
  opensModal,
  play,
  powerCalls,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';

it('one person who asks a thousand times is asked to wait, and everybody else is answered', async () => {
  const sandbox = await play({ timings: { asksPerMinute: 20 } });
  const ana = sandbox.slack.person('ana');
  const turns: Interaction[] = [];
  for (let batch = 0; batch < 20; batch++) {
    const fifty = Array.from({ length: 50 }, () => ana.types('#ops', '/instances restart web-1'));
    turns.push(...(await Promise.all(fifty)));
  }
  expect(turns.filter((interaction) => interaction.status !== 200)).toEqual([]);
  expect(
    turns.filter((interaction) => interaction.body.includes('too many requests in a minute')),
  ).toHaveLength(980);
  await runToEnd(sandbox, 'bob', '/instances stop web-2');
  expect(readAll(sandbox).some((text) => text.includes('Stopped web-2'))).toBe(true);
  expect(powerCalls(sandbox, 'restart')).toBe(1);
});

it('mentions past the limit cost one answer', async () => {
  const sandbox = await play({ timings: { asksPerMinute: 5 } });
  const ana = sandbox.slack.person('ana');
  await Promise.all(Array.from({ length: 50 }, () => ana.mentions('#ops', 'help')));
  const noes = (): number =>
    privateTexts(sandbox, 'ana').filter((text) => text.includes('too many requests in a minute')).length;
  await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length === 6);
  expect(noes()).toBe(1);
});

it('a modal past the limit stays open and says so', async () => {
  const sandbox = await play({ timings: { asksPerMinute: 1 } });
  const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
  for (let times = 1; times <= 3; times++) {
    const interaction = await sandbox.slack.person('admin').submits(modal, { typed: 'web-1' });
    expect(JSON.stringify(interaction.errors)).toContain("That's too many requests in a minute");
    expect(modal.isOpen).toBe(true);
  }
  await sandbox.settled();
  expect(deleteCalls(sandbox)).toBe(0);
});
