import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { Approvals } from '../../src/core/approvals/approvals.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { answerTo, botMessages, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

const LINE = '/instances restart web-1';
const env = { LAMPLIGHTER_APPROVE: 'web-*' };

/** A bot that joins what waits, loses Redis' answer, and is to carry the request out again once `isTime`. */
function losingOneJoin(isTime: () => Promise<unknown>): FaultPoints {
  let isLost = false;
  return (name, part) => {
    if (name !== 'approvals') return part;
    const approvals = part as unknown as Approvals; // the part of that name
    const losing: Approvals = {
      ...approvals,
      ask: async (approval, requestId) => {
        const waits = await approvals.ask(approval, requestId);
        if (waits?.id === approval.id || isLost) return waits;
        isLost = true;
        await isTime();
        throw new Error('Connection is closed.');
      },
    };
    return losing as unknown as typeof part;
  };
}

function questions(sandbox: Sandbox): PostedMessage[] {
  return botMessages(sandbox).filter((one) => sandbox.slack.read(one).includes('asks to restart'));
}

describe('a request that joined what waited, and is carried out again once that was decided,', () => {
  it.each([
    ['Refuse', '⛔ Refused by @bob', '@bob refused that'],
    // It was restarted a moment ago, which is said first.
    ['Approve', 'Restarted web-1 (101): ', 'web-1'],
  ])('asks nobody again, and its asker reads how: after "%s"', async (button, shown, words) => {
    const sandbox = await play({ bot: false, env });
    const { slack } = sandbox;
    let onJoin = (): void => undefined;
    const joined = new Promise<void>((resolve) => {
      onJoin = resolve;
    });
    await sandbox.startBot(
      {},
      losingOneJoin(async () => {
        onJoin();
        await slack.until(() => readAll(sandbox).some((text) => text.includes(shown)));
      }),
    );
    await answerTo(sandbox, 'ana', LINE);
    const card = await slack.until(() => questions(sandbox)[0]);
    await slack.person('fin').types('#ops', LINE);
    await joined;
    await slack.person('bob').presses(card, button);
    await slack.until(() => privateTexts(sandbox, 'fin').join().includes(words));
    await sandbox.settled();
    expect(questions(sandbox)).toHaveLength(1);
    expect(readAll(sandbox).join()).not.toContain('[Approve]');
    expect(powerCalls(sandbox)).toBe(button === 'Approve' ? 1 : 0);
  });
});
