import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { Approvals } from '../../src/core/approvals/approvals.ts';
import type { RequestStore } from '../../src/core/intake/request-store.ts';
import type { Access } from '../../src/core/policy/access.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { aMoment } from '../support/a-moment.ts';
import { instead } from '../support/instead.ts';
import { messageWith } from '../support/asking.ts';
import { play, powerCalls, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';

const NO = "couldn't check your role";

const notChecked = (): never => {
  throw new Refusal('not-checked', say`I couldn't check your role with Slack, so nothing was done.`);
};
const require = (own: object, asked: unknown[]): ReturnType<Access['require']> =>
  (own as Access).require(...(asked as Parameters<Access['require']>));
const decide = (own: object, asked: unknown[]): ReturnType<RequestStore['decide']> =>
  (own as RequestStore).decide(...(asked as Parameters<RequestStore['decide']>));

/**
 * Two processes that run one request at once. The first waits for Slack to tell a role, in vain or not, until the second has carried
 * it out and is about to write down its answer, which it does once the first has written down its own.
 */
function firstChecksLate(mayCheck: boolean): FaultPoints {
  const [carriedOut, firstDecided] = [aMoment(), aMoment()];
  let [checks, decisions] = [0, 0];
  const checksLate = instead('access', 'require', async (own, ...asked) => {
    checks += 1;
    if (checks > 1) return require(own, asked);
    await carriedOut.comes;
    return mayCheck ? require(own, asked) : notChecked();
  });
  const decidesLate = instead('requests', 'decide', async (own, ...asked) => {
    decisions += 1;
    const isOfSecond = decisions === 1;
    if (isOfSecond) {
      carriedOut.is();
      await firstDecided.comes;
    }
    const decided = await decide(own, asked);
    if (!isOfSecond) firstDecided.is();
    return decided;
  });
  return (name, part) => checksLate(name, decidesLate(name, part));
}

/**
 * The same, but the second can check no role. It has seen that nothing was asked for yet, and is about to write down that nothing was
 * done, when the first asks for an approval.
 */
function secondChecksNothing(): FaultPoints {
  const [aboutToSayNo, asked] = [aMoment(), aMoment()];
  let [checks, decisions, asks] = [0, 0, 0];
  const checksOnce = instead('access', 'require', async (own, ...given) => {
    // Each run asks first whether its person may do that at all.
    if (given[2] === 'any') checks += 1;
    return given[2] === 'any' && checks === 2 ? notChecked() : require(own, given);
  });
  const asksLate = instead('approvals', 'ask', async (own, ...given) => {
    asks += 1;
    if (asks === 1) await aboutToSayNo.comes;
    const waits = await (own as Approvals).ask(...(given as Parameters<Approvals['ask']>));
    asked.is();
    return waits;
  });
  const decidesLate = instead('requests', 'decide', async (own, ...given) => {
    decisions += 1;
    if (decisions === 1) {
      aboutToSayNo.is();
      await asked.comes;
    }
    return decide(own, given);
  });
  return (name, part) => checksOnce(name, asksLate(name, decidesLate(name, part)));
}

describe('a request that two processes run at once, of which one can check no role,', () => {
  it.each([
    ['first', () => firstChecksLate(false)],
    ['second', secondChecksNothing],
  ])('says that it waits for an approval, and not that nothing was done: the %s', async (_which, twoRuns) => {
    const env = { LAMPLIGHTER_APPROVE: 'web-*' };
    const sandbox = await play({ bot: false, env });
    const { slack } = sandbox;
    const both = twoRuns();
    await sandbox.startBot({}, both);
    await sandbox.startBot({}, both);
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await privateMessage(sandbox, 'ana', 'Someone else must approve that. I asked in #ops');
    const question = await messageWith(sandbox, 'asks to restart');
    await slack.person('bob').presses(question, 'Approve');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    await sandbox.settled();
    expect(privateTexts(sandbox, 'ana').join()).not.toContain(NO);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('says what was set, or that nobody knows, and not that nothing was done', async () => {
    const sandbox = await play({ bot: false, env: { LAMPLIGHTER_ADMINS: 'U0ANA000001' } });
    const both = firstChecksLate(false);
    await sandbox.startBot({}, both);
    await sandbox.startBot({}, both);
    await sandbox.slack.person('ana').types('#ops', '/lamplighter freeze "the sale"');
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
    await sandbox.settled();
    expect(readAll(sandbox).join()).toContain('the sale');
    expect(privateTexts(sandbox, 'ana').join()).not.toContain(NO);
  });
});

it('a request that two processes run at once doesn’t say that there was nothing to do', async () => {
  const sandbox = await play({ bot: false });
  const { slack } = sandbox;
  const bot = await sandbox.startBot();
  await slack.person('admin').types('#ops', '/instances watch name:web-*');
  await slack.until(() => readAll(sandbox).some((text) => text.includes('Watching name:web-* here')));
  await sandbox.settled();
  await bot.stop();
  const both = firstChecksLate(true);
  await sandbox.startBot({}, both);
  await sandbox.startBot({}, both);
  const before = privateTexts(sandbox, 'admin').length;
  await slack.person('admin').types('#ops', '/instances unwatch name:web-*');
  await slack.until(() => privateTexts(sandbox, 'admin').length > before);
  await sandbox.settled();
  expect(privateTexts(sandbox, 'admin').join()).not.toContain('nothing was changed');
});
