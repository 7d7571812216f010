import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { playOn, writesTo } from '../clouds/play-on.ts';
import { dmWith, messageWith } from '../support/asking.ts';
import {
  addonCalls,
  answerTo,
  answeredWith,
  botMessages,
  deleteCalls,
  deletes,
  opensModal,
  play,
  powerCalls,
  privateTexts,
  readAll,
  privateMessage,
} from '../support/sandbox.ts';

const LINE = '/instances restart web-1';

const ENV = { LAMPLIGHTER_APPROVE: 'web-*' };

function questions({ slack, ...sandbox }: Sandbox): PostedMessage[] {
  return botMessages({ slack, ...sandbox }).filter((one) => slack.read(one).includes('asks to restart'));
}

/** Ana has asked for what somebody else must approve, and its question stands. */
async function asked(): Promise<{ sandbox: Sandbox; card: PostedMessage }> {
  const sandbox = await play({ env: ENV });
  await answerTo(sandbox, 'ana', LINE);
  return { sandbox, card: await sandbox.slack.until(() => questions(sandbox)[0]) };
}

describe('what waits for an approval is asked once:', () => {
  it('the same person, twice, reads that it waits', async () => {
    const { sandbox, card } = await asked();
    expect(await answerTo(sandbox, 'ana', `${LINE} --because "again"`)).toMatch(
      /You asked to restart web-1 \(101\) .*, and that still waits for an approval\. See it/,
    );
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await sandbox.settled();
    expect(questions(sandbox)).toHaveLength(1);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('another person joins it, and is mentioned at its end', async () => {
    const { sandbox, card } = await asked();
    expect(await answerTo(sandbox, 'fin', LINE)).toMatch(
      /@ana asked to restart web-1 \(101\) .*, and that still waits .* I'll tell you how it ends\./,
    );
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => /@ana @fin .*Restarted|@fin/.test(text)));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('who joined reads that it was refused', async () => {
    const { sandbox, card } = await asked();
    await answerTo(sandbox, 'fin', LINE);
    await sandbox.slack.person('bob').presses(card, 'Refuse');
    const told = sandbox.slack.read(await dmWith(sandbox, 'fin', 'Refused by @bob'));
    expect(told).toContain('@ana asked to restart web-1 (101), as you did.');
  });

  it('two at once are one', async () => {
    const sandbox = await play({ env: ENV });
    await Promise.all(['ana', 'fin', 'bob'].map((who) => sandbox.slack.person(who).types('#ops', LINE)));
    await messageWith(sandbox, 'asks to restart');
    await sandbox.settled();
    expect(questions(sandbox)).toHaveLength(1);
  });

  it.each<[string, (sandbox: Sandbox, who: 'ana' | 'fin') => Promise<unknown>, (sandbox: Sandbox) => number]>(
    [
      [
        'an add-on to add',
        async (sandbox, who) =>
          sandbox.slack
            .person(who)
            .presses(await answeredWith(sandbox, who, '/addons add backup web-2'), 'Add it'),
        (sandbox) => addonCalls(sandbox, 'POST'),
      ],
      [
        'an add-on to remove, by its type and by its id',
        async (sandbox, who) => {
          const word = who === 'ana' ? 'llm' : '701';
          const modal = await opensModal(sandbox, who, `/addons remove ${word} web-1`);
          await sandbox.slack.person(who).submits(modal, { typed: 'llm' });
        },
        (sandbox) => addonCalls(sandbox, 'DELETE'),
      ],
      ['a deletion', (sandbox, who) => deletes(sandbox, 'web-1', who), deleteCalls],
    ],
  )('%s', async (_what, asks, calls) => {
    const sandbox = await play({ env: { ...ENV, LAMPLIGHTER_EVERYONE: 'admin' } });
    const { slack } = sandbox;
    const cards = (): PostedMessage[] =>
      botMessages(sandbox).filter((one) => slack.read(one).includes('asks to'));
    await asks(sandbox, 'ana');
    const card = await slack.until(() => cards()[0]);
    await asks(sandbox, 'fin');
    await privateMessage(sandbox, 'fin', 'that still waits for an approval');
    await slack.person('bob').presses(card, 'Approve');
    await sandbox.settled();
    expect(cards()).toHaveLength(1);
    expect(calls(sandbox)).toBe(1);
  });

  it('also where several are asked for, of which it is one', async () => {
    const { sandbox, card } = await asked();
    const preview = await answeredWith(sandbox, 'fin', '/instances restart web-1 worker-1');
    expect(sandbox.slack.read(preview)).toContain('Skipped web-1: it needs an approval');
    await sandbox.slack.person('fin').presses(preview, 'Restart 1');
    await sandbox.settled();
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await sandbox.settled();
    expect(sandbox.hosting.countCalls('POST', /\/101\/restart$/)).toBe(1);
    expect(powerCalls(sandbox)).toBe(2);
  });

  it('another instance, or another verb, is another', async () => {
    const { sandbox } = await asked();
    for (const line of ['/instances restart web-2', '/instances stop web-1'])
      expect(await answerTo(sandbox, 'ana', line)).toContain('Someone else must approve that');
    await sandbox.slack.until(
      () => botMessages(sandbox).filter((one) => sandbox.slack.read(one).includes('asks to')).length === 3,
    );
  });
});

describe('a yes is looked at again, since what was said yes to may be done by now:', () => {
  it('an approval, where the instance was restarted since', async () => {
    const { sandbox, card } = await asked();
    await sandbox.slack.person('admin').types('#ops', `${LINE} --override "it burns"`);
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await sandbox.settled();
    await sandbox.slack.person('bob').presses(card, 'Approve');
    await privateMessage(sandbox, 'bob', 'was started or restarted since');
    await sandbox.slack.until(() => sandbox.slack.read(card).includes('The instance has changed since this'));
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('two questions that stand open for one thing', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_PROTECTED: 'web-1' } });
    const { slack } = sandbox;
    const [first, second] = [
      await answeredWith(sandbox, 'ana', LINE),
      await answeredWith(sandbox, 'bob', LINE),
    ];
    await slack.person('ana').presses(first, 'Restart');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await sandbox.settled();
    await slack.person('bob').presses(second, 'Restart');
    await slack.until(() =>
      privateTexts(sandbox, 'bob').some((text) => /restarted .* ago/.test(text) && text.includes('@ana')),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('two questions for a forced restart', async () => {
    const { cloud, sandbox } = await playOn('hetzner', {}, { env: { LAMPLIGHTER_EVERYONE: 'operator' } });
    const { slack } = sandbox;
    const line = '/instances force-restart web-1';
    const [first, second] = [
      await answeredWith(sandbox, 'ana', line),
      await answeredWith(sandbox, 'bob', line),
    ];
    await slack.person('ana').presses(first, 'Force restart');
    await sandbox.settled();
    await slack.person('bob').presses(second, 'Force restart');
    await slack.until(() =>
      privateTexts(sandbox, 'bob').some((text) => /@ana restarted it .* ago/.test(text)),
    );
    await sandbox.settled();
    expect(writesTo(cloud)).toHaveLength(1);
  });

  it('an approval of a forced restart, where it was restarted since', async () => {
    const { cloud, sandbox } = await playOn('digitalocean', {}, { env: ENV });
    const { slack } = sandbox;
    const line = '/instances force-restart web-1';
    await slack.person('ana').presses(await answeredWith(sandbox, 'ana', line), 'Force restart');
    const card = await messageWith(sandbox, 'asks to force-restart');
    const alone = await answeredWith(sandbox, 'admin', `${line} --override "it burns"`);
    await slack.person('admin').presses(alone, 'Force restart');
    await sandbox.settled();
    await slack.person('bob').presses(card, 'Approve');
    await privateMessage(sandbox, 'bob', 'was started or restarted since');
    await sandbox.settled();
    expect(writesTo(cloud)).toHaveLength(1);
  });
});
