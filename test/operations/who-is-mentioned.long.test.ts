import { describe, expect, it } from 'vitest';
import { TIMINGS } from '../../src/core/timings.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { dmWith, messageWith } from '../support/asking.ts';
import {
  answeredWith,
  answerTo,
  botMessages,
  type PlayOptions,
  play,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';

const { mentionAfterMs } = TIMINGS;

const playsAsShipped = (options: PlayOptions = {}): Promise<Sandbox> =>
  play({
    ...options,
    timings: { mentionAfterMs, ...options.timings },
  });

/** Types a line in #ops and gives the card, once it says these words and nothing is left to be said. */
async function ends(sandbox: Sandbox, who: string, line: string, words: string): Promise<PostedMessage> {
  await sandbox.slack.person(who).types('#ops', line);
  const card = await messageWith(sandbox, words);
  await sandbox.settled();
  return card;
}

const inThread = (sandbox: Sandbox, card: PostedMessage): string[] =>
  botMessages(sandbox)
    .filter(({ thread_ts: ts }) => ts === card.ts)
    .map((one) => sandbox.slack.read(one));

describe('the end of a change', () => {
  it('that was quick is a card and one edit', async () => {
    const sandbox = await playsAsShipped({ timings: { progressAfterMs: 60_000 } });
    const card = await ends(sandbox, 'ana', '/instances restart web-1', 'Restarted web-1');
    expect(readAll(sandbox)).toHaveLength(1);
    expect(card.edits).toHaveLength(1);
  });

  it('that took longer than its asker looks on mentions them', async () => {
    const sandbox = await playsAsShipped({ timings: { mentionAfterMs: 1 } });
    const card = await ends(sandbox, 'ana', '/instances restart web-1', 'Restarted web-1');
    expect(inThread(sandbox, card)).toEqual([expect.stringMatching(/^@ana Restarted web-1/)]);
  });

  it('that failed mentions its asker, however quick', async () => {
    const sandbox = await playsAsShipped();
    sandbox.hosting.failNext({ method: 'POST' }, { answer: 422, done: false });
    const card = await ends(sandbox, 'ana', '/instances restart web-1', '❌');
    expect(inThread(sandbox, card)).toEqual([expect.stringMatching(/^@ana Could not restart web-1/)]);
  });

  it('that somebody follows mentions them alone', async () => {
    const sandbox = await playsAsShipped({ hosting: { powerMs: 1_500 } });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await sandbox.slack.person('bob').types('#ops', '/instances restart web-1');
    const busy = await privateMessage(sandbox, 'bob', 'restarting');
    await sandbox.slack.person('bob').presses(busy, 'Tell me too');
    await sandbox.slack.until(() => botMessages(sandbox).length > 1);
    await sandbox.settled();
    expect(inThread(sandbox, botMessages(sandbox)[0]!)).toEqual([
      expect.stringMatching(/^@bob Restarted web-1/),
    ]);
  });

  it('that somebody else had to approve mentions its asker', async () => {
    const sandbox = await playsAsShipped({ env: { LAMPLIGHTER_APPROVE: 'web-*' } });
    await answerTo(sandbox, 'ana', '/instances restart web-1');
    const question = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    await sandbox.slack.person('bob').presses(question, 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.startsWith('@ana Restarted web-1')));
  });

  it('that was quick is a card and one edit in direct messages as well', async () => {
    const sandbox = await playsAsShipped();
    const ana = sandbox.slack.person('ana');
    await ana.types('dm', '/instances restart web-1');
    await dmWith(sandbox, 'ana', 'Restarted web-1');
    await sandbox.settled();
    expect(ana.dms).toHaveLength(1);
  });

  it('of several that was quick is one card', async () => {
    const sandbox = await playsAsShipped();
    const question = await answeredWith(sandbox, 'ana', '/instances restart web-1 web-2');
    await sandbox.slack.person('ana').presses(question, 'Restart 2');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Both restarted')));
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(1);
  });

  it('of several, one of which failed, mentions its asker', async () => {
    const sandbox = await playsAsShipped();
    sandbox.hosting.failNext({ method: 'POST', path: /\/instances\/101\// }, { answer: 422, done: false });
    const question = await answeredWith(sandbox, 'ana', '/instances restart web-1 web-2');
    await sandbox.slack.person('ana').presses(question, 'Restart 2');
    await sandbox.slack.until(() =>
      readAll(sandbox).some((text) => text.startsWith('@ana 1 of 2 restarted, 1 failed')),
    );
  });

  it('of many quick ones on one board is no reply', async () => {
    const sandbox = await playsAsShipped({ timings: { ownCards: 0 } });
    const ana = sandbox.slack.person('ana');
    await Promise.all(
      ['web-1', 'web-2', 'db-1'].map((name) => ana.types('#ops', `/instances restart ${name}`)),
    );
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('all done')));
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(1);
  });
});
