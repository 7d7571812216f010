import { describe, expect, it } from 'vitest';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { messageWith } from '../support/asking.ts';
import { botMessages, play, powerCalls, privateTexts, readAll } from '../support/sandbox.ts';

const STEP = 'restart_instance';

/** A workflow comes to the step, which asks ana in #ops unless `over` says otherwise. */
function comes(
  { slack }: Sandbox,
  over: Readonly<Record<string, string>> = {},
  again?: string,
): Promise<string> {
  const channel = slack.channel('#ops').id;
  const inputs = { instance: 'web-1', person: slack.person('ana').id, channel, ...over };
  return slack.runsStep(STEP, inputs, again);
}

const asked = (sandbox: Sandbox): Promise<PostedMessage> =>
  messageWith(sandbox, 'a workflow asks you to restart');

describe('a workflow that comes to the step Restart an instance', () => {
  it('has the named person asked, restarts by their press alone, and hears of the end', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const id = await comes(sandbox, { reason: 'the nightly check failed' });
    const message = await asked(sandbox);
    expect(slack.read(message)).toContain('the nightly check failed');
    await slack.person('bob').presses(message, 'Restart');
    await slack.until(() => privateTexts(sandbox, 'bob').find((text) => text.includes('This asks @ana')));
    expect([powerCalls(sandbox), slack.endOfStep(id)]).toEqual([0, undefined]);
    await slack.person('ana').presses(message, 'Restart');
    const end = await slack.until(() => slack.endOfStep(id));
    expect(end.outputs?.['result']).toMatch(/Restarted web-1/);
    expect(end.outputs?.['reference']).toMatch(/^\S{8}$/);
    await slack.until(() => !slack.read(message).includes('asks you'));
    expect(slack.read(message)).toMatch(/^\W*Restarted web-1.*A workflow had asked for it\./s);
    expect(readAll(sandbox).join('\n')).toContain('the nightly check failed');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('hears of a restart that somebody else approved', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_APPROVE: 'web-*' } });
    const { slack } = sandbox;
    const id = await comes(sandbox, { reason: 'x'.repeat(1_500) });
    const message = await asked(sandbox);
    await slack.person('ana').presses(message, 'Restart');
    const question = await messageWith(sandbox, 'asks to restart web-1');
    await slack.person('bob').presses(question, 'Approve');
    const end = await slack.until(() => slack.endOfStep(id));
    expect(end.outputs?.['result']).toMatch(/Restarted web-1/);
    expect(end.outputs?.['result']).not.toContain('@');
    await slack.until(() => slack.read(message).includes('A workflow had asked for it'));
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('asks once, and restarts once, however often Slack tells of it', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const id = await comes(sandbox);
    const message = await asked(sandbox);
    await comes(sandbox, {}, id);
    slack.loseAnswerOfNext('functions.completeSuccess');
    await slack.person('ana').presses(message, 'Restart');
    await slack.until(() => slack.endOfStep(id));
    await comes(sandbox, {}, id);
    expect(botMessages(sandbox).filter((one) => slack.read(one).includes('workflow'))).toHaveLength(1);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('asks as a typed line would: a protected instance is confirmed first', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_PROTECTED: 'web-1' } });
    const { slack } = sandbox;
    const id = await comes(sandbox);
    await slack.person('ana').presses(await asked(sandbox), 'Restart');
    const question = await slack.until(() =>
      slack
        .channel('#ops')
        .ephemeralFor('ana')
        .find((one) => slack.read(one).includes('protected')),
    );
    expect(slack.endOfStep(id)).toBeUndefined();
    await slack.person('ana').presses(question, 'Restart');
    const end = await slack.until(() => slack.endOfStep(id));
    expect(end.outputs?.['result']).toMatch(/Restarted web-1/);
  });

  it.each([
    [
      'an instance that is not there, without those that are near',
      { instance: 'web-none' },
      /^The person to ask sees no instance that is exactly "web-none", so nobody was asked and nothing was done\.$/,
    ],
    ['a mention in its place', { instance: '<@U0BOB000001>' }, /exactly "&lt;@U0BOB000001&gt;"/],
    ['an instance too long to be one', { instance: `web-1 ${'x'.repeat(400)}` }, /exactly "web-1 x+…"/],
    ['several instances', { instance: 'web-1 web-2' }, /exactly "web-1 web-2"/],
    ['no instance', { instance: ' ' }, /name the account before the instance, like acme:web-1/],
    ['a person without the right to it', { person: 'guest' }, /sees no instance that is exactly "web-1"/],
    ['a channel in which it can not post', { channel: 'C0NOWHERE01' }, /I can't post in that channel/],
  ])('fails with a sentence for %s', async (_what, over, words) => {
    const sandbox = await play({ isRefused: true });
    const { slack } = sandbox;
    const given = 'person' in over ? { person: slack.person(over.person).id } : over;
    const id = await comes(sandbox, given);
    const end = await slack.until(() => slack.endOfStep(id));
    expect(end.error).toMatch(words);
    expect(powerCalls(sandbox)).toBe(0);
  });
});
