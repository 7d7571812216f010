import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { RequestStore } from '../../src/core/intake/request-store.ts';
import type { Access } from '../../src/core/policy/access.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { instead } from '../support/instead.ts';
import { messageWith } from '../support/asking.ts';
import { play, powerCalls, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';

const NO = "couldn't check your role";

/** A bot that is cut off right before it writes down what a request is answered with, and can't check a role when it runs it again. */
function cutOff(mayCheck: () => boolean = () => false): FaultPoints {
  let isCut = false;
  const cutOnce = instead('requests', 'decide', async (own, ...asked) => {
    if (isCut) return (own as RequestStore).decide(...(asked as Parameters<RequestStore['decide']>));
    isCut = true;
    throw new Error('Connection is closed.');
  });
  const checksNothing = instead('access', 'require', async (own, ...asked) => {
    if (isCut && !mayCheck())
      throw new Refusal('not-checked', say`I couldn't check your role with Slack, so nothing was done.`);
    return (own as Access).require(...(asked as Parameters<Access['require']>));
  });
  return (name, part) => checksNothing(name, cutOnce(name, part));
}

describe('a request that was cut off after it was carried out, and whose role can no longer be checked,', () => {
  it('says that it waits for an approval, and not that nothing was done', async () => {
    const env = { LAMPLIGHTER_APPROVE: 'web-*' };
    const sandbox = await play({ bot: false, env });
    const { slack } = sandbox;
    let isAsked = false;
    await sandbox.startBot(
      {},
      cutOff(() => isAsked),
    );
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await privateMessage(sandbox, 'ana', 'Someone else must approve that. I asked in #ops');
    isAsked = true;
    const question = await messageWith(sandbox, 'asks to restart');
    await slack.person('bob').presses(question, 'Approve');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana').join()).not.toContain(NO);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it.each([
    ['shows how a setting stands', '/lamplighter freeze "the sale"', 'Frozen now:', 'the sale'],
    [
      'says that nobody knows where the bot can’t tell',
      '/lamplighter access grant viewer @bob',
      "I was interrupted while I worked on that, so I don't know",
      'you are a viewer now',
    ],
  ])('%s', async (_what, typed, answer, done) => {
    const sandbox = await play({ bot: false, env: { LAMPLIGHTER_ADMINS: 'U0ANA000001' } });
    await sandbox.startBot({}, cutOff());
    await sandbox.slack.person('ana').types('#ops', typed);
    await privateMessage(sandbox, 'ana', answer);
    await sandbox.settled();
    const { slack } = sandbox;
    const told = [...readAll(sandbox), ...slack.person('bob').dms.map((one) => slack.read(one))];
    expect(told.filter((text) => text.includes(done))).toHaveLength(1);
    expect(privateTexts(sandbox, 'ana').join()).not.toContain(NO);
  });

  it('says no where nothing was done', async () => {
    const sandbox = await play({ bot: false });
    await sandbox.startBot({}, cutOff());
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-9');
    await privateMessage(sandbox, 'ana', NO);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});

it('a request that was cut off after it was carried out doesn’t say that there was nothing to do', async () => {
  const sandbox = await play({ bot: false });
  await sandbox.startBot(
    {},
    cutOff(() => true),
  );
  const { slack } = sandbox;
  await slack.person('admin').types('#ops', '/instances watch name:web-*');
  await slack.until(() => readAll(sandbox).some((text) => text.includes('Watching name:web-* here')));
  await sandbox.settled();
  await sandbox.stopBots();
  await sandbox.startBot(
    {},
    cutOff(() => true),
  );
  await slack.person('admin').types('#ops', '/instances unwatch name:web-*');
  await privateMessage(sandbox, 'admin', "I was interrupted while I worked on that, so I don't know");
  expect(privateTexts(sandbox, 'admin').join()).not.toContain('nothing was changed');
});
