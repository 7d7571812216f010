import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue } from '../../sandbox/phrases/due-schedule.ts';
import { getShortcut } from '../../sandbox/shortcuts.ts';
import { scopeOf } from '../../src/platform/redis/key.ts';
import { botMessages, opensModal, readAll, runToEnd } from '../support/sandbox.ts';
import { playTwoAccounts, powerCallsTo, type TwoAccounts } from './two-accounts.ts';

const OPS = 'C0OPS000001';

/** Changes that reached either service, by any method. */
function changesTo({ acme, labs }: TwoAccounts): number {
  return [acme, labs].flatMap(({ calls }) => calls.filter(({ method }) => method !== 'GET')).length;
}

/** What anybody can read of labs outside of its channel: in #ops, and in the direct messages of those named. */
function ofLabs({ sandbox: { slack }, sandbox }: TwoAccounts, ...people: readonly string[]): string[] {
  const alone = people.flatMap((who) => [
    ...slack.channel('#ops').ephemeralFor(who),
    ...slack.person(who).dms.filter((one) => one.bot_id !== undefined),
  ]);
  return [...readAll(sandbox), ...alone.map((one) => slack.read(one))].filter((text) => /labs/.test(text));
}

/** Stops the bot, and starts it with another file. */
async function restartWith(
  { sandbox, second }: TwoAccounts,
  words: Parameters<TwoAccounts['second']['write']>[0],
): Promise<void> {
  await sandbox.stopBots();
  second.write(words);
  await sandbox.startBot();
}

describe('figures of an account', () => {
  const runLow = async (two: TwoAccounts): Promise<void> => {
    two.labs.setBalance('acme', 1);
    await two.sandbox.look();
    await two.sandbox.reported();
  };

  it('never stand in a channel that is not one of its own, whatever all accounts share', async () => {
    const two = await playTwoAccounts(() => ({ labs: { channels: ['C0BILLING01'] } }), {
      env: { BILLING_CHANNELS: `${OPS},C0BILLING01` },
    });
    await runLow(two);
    await two.sandbox.slack.until(() => readAll(two.sandbox, '#billing').length > 0);
    expect(readAll(two.sandbox, '#billing')[0]).toMatch(/^`labs`\n/);
    expect(ofLabs(two)).toEqual([]);
  });

  it('go to an admin alone where the only channel that was chosen is not one of its own any more', async () => {
    const two = await playTwoAccounts();
    const { slack } = two.sandbox;
    const interaction = await slack.person('admin').types('#ops', '/billing alerts here labs:');
    await slack.until(() => interaction.ephemeral.length > 0);
    expect(slack.read(interaction.ephemeral[0]!)).toContain('#ops');
    await two.sandbox.settled();
    const before = ofLabs(two).length;
    await restartWith(two, { labs: { channels: ['C0BILLING01'] } });
    await runLow(two);
    await slack.until(() => slack.person('admin').dms.some((one) => slack.read(one).startsWith('`labs`\n')));
    expect(ofLabs(two)).toHaveLength(before);
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
      await admin.submits(view, { 'Type web-1 to delete it': 'web-1' }).catch(() => undefined);
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
  const onlyAna = (): ReturnType<NonNullable<Parameters<typeof playTwoAccounts>[0]>> => ({
    labs: { people: ['U0ANA000001'], settings: { LAMPLIGHTER_APPROVE: 'web-2' } },
  });

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

  it('does not read its name where they can reach none', async () => {
    const two = await playTwoAccounts(() => ({ acme: { people: ['U0ANA000001'] }, ...onlyAna() }));
    const { slack } = two.sandbox;
    await runToEnd(two.sandbox, 'ana', '/instances restart labs:web-1');
    const [card] = botMessages(two.sandbox);
    await slack.person('bob').usesShortcut(getShortcut('Act on an instance').callbackId, card);
    await slack.person('bob').usesShortcut(getShortcut('Find an instance').callbackId);
    const said = (): string[] =>
      [...slack.channel('#ops').ephemeralFor('bob'), ...slack.person('bob').dms].map((one) =>
        slack.read(one),
      );
    await slack.until(() => said().length === 2);
    for (const words of said()) {
      expect(words).toContain('no hosting account');
      expect(words).not.toMatch(/acme|labs/);
    }
    expect(slack.person('bob').views).toEqual([]);
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

  it('a watch shows nothing in a channel that is not one of the account any more', async () => {
    const two = await playTwoAccounts();
    const { sandbox, labs } = two;
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/instances watch labs:name:web-*');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Watching')));
    await sandbox.settled();
    await restartWith(two, { labs: { channels: ['C0BILLING01'] } });
    await slack.until(() => readAll(sandbox).some((text) => text.includes('is paused')));
    const shown = readAll(sandbox).length;
    labs.changeStatus(101, 'error');
    // Another round of looks: what somebody asks for in its own channel is shown there, and nothing here.
    await runToEnd(sandbox, 'ana', '/instances restart acme:web-2');
    await sandbox.reported();
    expect(
      readAll(sandbox)
        .slice(shown)
        .filter((text) => /labs/.test(text)),
    ).toEqual([]);
  });
});
