import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue } from '../../sandbox/phrases/due-schedule.ts';
import { getShortcut } from '../../sandbox/shortcuts.ts';
import { scopeOf } from '../../src/platform/redis/key.ts';
import { botMessages, opensModal, readAll, runToEnd } from '../support/sandbox.ts';
import { playTwoAccounts, powerCallsTo } from './two-accounts.ts';
import { OPS, changesTo, ofLabs, onlyAna, restartWith, runLow } from './at-both.ts';

describe('figures of an account', () => {
  it('never stand in a channel that is not one of its own, whatever all accounts share', async () => {
    const two = await playTwoAccounts(() => ({ labs: { channels: ['C0BILLING01'] } }), {
      env: { BILLING_CHANNELS: `${OPS},C0BILLING01` },
    });
    await runLow(two);
    await two.sandbox.slack.until(() => readAll(two.sandbox, '#billing').length > 0);
    expect(readAll(two.sandbox, '#billing')[0]).toMatch(/^`labs`\n/);
    expect(ofLabs(two)).toEqual([]);
  });
});

describe('a modal of one account', () => {
  it('is good for nothing at another, whatever it carries', async () => {
    const two = await playTwoAccounts(() => ({
      acme: { channels: [OPS] },
      labs: { channels: ['C0BILLING01'] },
    }));
    const admin = two.sandbox.slack.person('admin');
    const ofAcme = await opensModal(two.sandbox, 'admin', '/instances delete web-1');
    const acme = { ...ofAcme.content };
    const ofBoth = await opensModal(two.sandbox, 'admin', '/instances delete web-1', '#billing');
    const labs = { ...ofBoth.content };
    // Its route under the other's name; then what the other carries under its own name, and the reverse.
    for (const [callback, metadata] of [
      [String(labs['callback_id']).replace('labs/', 'acme/'), labs['private_metadata']],
      [labs['callback_id'], acme['private_metadata']],
      [acme['callback_id'], labs['private_metadata']],
      ['nobody/instances.delete', labs['private_metadata']],
    ]) {
      const view = await opensModal(two.sandbox, 'admin', '/instances delete web-1', '#billing');
      Object.assign(view.content, { callback_id: callback, private_metadata: metadata });
      const { errors } = await admin.submits(view, { 'Type web-1 to delete it': 'web-1' });
      expect(Object.values(errors ?? {})).toEqual([
        'That question has expired, so nothing was done. Ask again.',
      ]);
      await two.sandbox.settled();
    }
    expect(changesTo(two)).toBe(0);
    const own = await opensModal(two.sandbox, 'admin', '/instances delete web-1', '#billing');
    await admin.submits(own, { 'Type web-1 to delete it': 'web-1' });
    await two.sandbox.slack.until(() => changesTo(two) === 1);
    expect(two.labs.countCalls('DELETE', /101$/)).toBe(1);
  });
});

describe('a person who is not of an account', () => {
  it('can not act on its card: not by a mention in the thread, and not by the shortcut', async () => {
    const two = await playTwoAccounts(onlyAna);
    const { slack } = two.sandbox;
    await runToEnd(two.sandbox, 'ana', '/instances restart labs:web-1');
    const [card] = botMessages(two.sandbox);
    const before = powerCallsTo(two);
    for (const words of ['restart this', 'restart labs:web-1', 'stop labs:']) {
      await slack.person('bob').mentions('#ops', words, { thread: card?.ts });
      await two.sandbox.settled();
    }
    await slack.person('bob').usesShortcut(getShortcut('Act on an instance').callbackId, card);
    await slack.until(() => slack.channel('#ops').ephemeralFor('bob').length > 0);
    await two.sandbox.settled();
    expect(powerCallsTo(two)).toEqual(before);
    const said = slack
      .channel('#ops')
      .ephemeralFor('bob')
      .map((one) => slack.read(one).split('\n')[0]);
    expect(said).not.toContain('`labs`');
  });

  it('can not approve what is asked at it', async () => {
    const two = await playTwoAccounts(onlyAna);
    const { slack } = two.sandbox;
    await slack.person('ana').types('#ops', '/instances restart labs:web-2');
    const question = await slack.until(() =>
      botMessages(two.sandbox).find((one) => slack.read(one).includes('[ Approve ]')),
    );
    await slack.person('bob').presses(question, 'Approve');
    await slack.until(() => slack.channel('#ops').ephemeralFor('bob').length > 0);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
    await slack.person('admin').presses(question, 'Approve');
    await slack.until(() => powerCallsTo(two).labs === 1);
  });
});

describe('what was set before the file changed', () => {
  it('a schedule does nothing once its owner is not of the account', async () => {
    const two = await playTwoAccounts();
    const { sandbox } = two;
    const { slack } = sandbox;
    await slack
      .person('ana')
      .types('#ops', `/instances schedule labs:web-1 stop at ${FAR_OFF_HOUR} daily UTC`);
    const drawn = await slack.until(() =>
      slack
        .channel('#ops')
        .ephemeralFor('ana')
        .find((one) => slack.read(one).includes('[ Save ]')),
    );
    await slack.person('ana').presses(drawn, 'Save');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('@ana scheduled')));
    await restartWith(two, { labs: { people: ['U0BOB000001'] } });
    await letSchedulesBeDue({ redisUrl: sandbox.redisUrl, scope: scopeOf('labs') }, 0);
    await slack.until(() => slack.person('ana').dms.some((one) => slack.read(one).includes(FAR_OFF_HOUR)));
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });
});
