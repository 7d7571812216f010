import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { play, powerCalls } from '../support/sandbox.ts';
import { findCard, reads } from '../watches/watching.ts';

type Change = (...args: readonly unknown[]) => Promise<unknown>;

/** A bot that comes to write a change of these records later than what it writes down may leave after that. */
function slowToRead(records: string): FaultPoints {
  return (name, part) => {
    if (name !== records) return part;
    const { change } = part as unknown as { change: Change };
    const late: Change = async (...args) => {
      await wait(TIMINGS.sendWithinMs + 50);
      return change(...args);
    };
    return { ...part, change: late };
  };
}

it.each(['posts', 'operations'])(
  'an approval is asked for, given and carried out once where reading %s takes long',
  async (records) => {
    const sandbox = await play({ bot: false, env: { LAMPLIGHTER_APPROVE: 'web-*' } });
    await sandbox.startBot({}, slowToRead(records));
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    const question = await findCard(sandbox, 'asks to restart web-1 (101)');
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await reads(sandbox, 'Approved by @bob. Its card shows the progress.');
    await reads(sandbox, '✅ Restarted web-1 (101)');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  },
);
