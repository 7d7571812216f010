import { describe, expect, it } from 'vitest';
import type { Operations } from '../../src/core/operations/operations.ts';
import { aMoment } from '../support/a-moment.ts';
import { instead } from '../support/instead.ts';
import { asksThem, dmWith, messageWith, readDms } from '../support/asking.ts';
import {
  answeredWith,
  answerTo,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
} from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const NO = 'You need the operator role';
const LINE = '/instances restart web-1';
const ASKED = '@ana asks to restart web-1 (101)';

function open({ env, ...options }: Parameters<typeof play>[0] = {}): Promise<Sandbox> {
  return play({
    ...options,
    env: { LAMPLIGHTER_ADMINS: 'U0ADA000001,U0FIN000001', LAMPLIGHTER_EVERYONE: 'viewer', ...env },
  });
}

/** Ana asks again, from a refusal of her own that she reads now. */
async function asksAgain(sandbox: Sandbox): Promise<void> {
  await sandbox.slack.person('ana').presses(await answeredWith(sandbox, 'ana', LINE), 'Ask them');
}

const cards = (sandbox: Sandbox, who: string): string[] =>
  sandbox.slack
    .person(who)
    .dms.map((message) => sandbox.slack.read(message))
    .filter((text) => text.includes(ASKED));

describe('an ask', () => {
  it('is one at a time: who asks again reads that it is asked already, and when', async () => {
    const sandbox = await open();
    await asksThem(sandbox, 'ana', LINE, NO);
    await privateMessage(
      sandbox,
      'ana',
      "I asked @admin and @fin. I'll message you when one of them answers.",
    );
    await asksAgain(sandbox);
    const again = await privateMessage(sandbox, 'ana', 'and nobody has answered yet');
    expect(sandbox.slack.read(again)).toMatch(
      /^You asked @admin and @fin for that .* ago, and nobody has answered yet/,
    );
    await sandbox.settled();
    expect(cards(sandbox, 'admin')).toHaveLength(1);
    expect(cards(sandbox, 'fin')).toHaveLength(1);
  });

  it('can be made again only some time after a no, which says when', async () => {
    const sandbox = await open();
    await asksThem(sandbox, 'ana', LINE, NO);
    const card = await dmWith(sandbox, 'admin', ASKED);
    await sandbox.slack.person('admin').presses(card, 'No');
    await dmWith(sandbox, 'ana', '@admin said no: you asked to restart web-1 (101). You can ask again after');
    // On a screen that doesn't show the answer yet.
    await sandbox.slack.person('admin').presses(card, 'Allow once', { version: 0 });
    await dmWith(sandbox, 'admin', 'so nothing was changed');
    await asksAgain(sandbox);
    await privateMessage(sandbox, 'ana', '@admin said no to that');
    await sandbox.settled();
    expect(cards(sandbox, 'admin')).toHaveLength(1);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('of another instance or another person is one of its own', async () => {
    const sandbox = await open();
    await asksThem(sandbox, 'ana', LINE, NO);
    await dmWith(sandbox, 'admin', ASKED);
    await asksThem(sandbox, 'bob', LINE, NO);
    await dmWith(sandbox, 'admin', '@bob asks to restart web-1 (101)');
    const other = await answeredWith(sandbox, 'ana', '/instances restart web-2');
    await sandbox.slack.person('ana').presses(other, 'Ask them');
    await dmWith(sandbox, 'admin', '@ana asks to restart web-2 (102)');
  });

  it.each([
    ['Allow once', '✅ @admin allowed it once'],
    ['Allow for 8 h', '✅ @admin allowed it for 8 h'],
    ['No', '⛔ @admin said no'],
  ])('that is answered says so to every admin, without a button: %s', async (label, words) => {
    const sandbox = await open();
    const { slack } = sandbox;
    await asksThem(sandbox, 'ana', LINE, NO);
    const theirs = await dmWith(sandbox, 'fin', ASKED);
    const card = await dmWith(sandbox, 'admin', ASKED);
    await slack.person('admin').presses(card, label);
    for (const one of [card, theirs]) {
      await slack.until(() => slack.read(one).includes(words));
      expect(slack.read(one)).not.toContain('[');
    }
    // A client that still shows the buttons.
    await slack.person('fin').presses(theirs, 'Allow once', { version: 0 });
    await slack.until(() =>
      /@admin (allowed|said no to) that.*so nothing was changed/.test(readDms(sandbox, 'fin')),
    );
  });

  it('that is allowed once twice in a row is done once', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await asksThem(sandbox, 'ana', LINE, NO);
    const card = await dmWith(sandbox, 'admin', ASKED);
    await slack.person('admin').presses(card, 'Allow once');
    const admin = await dmWith(sandbox, 'admin', 'Allowed: @ana can restart web-1 (101) once, until');
    expect(slack.read(admin)).not.toContain('start, stop');
    await slack.person('ana').presses(await dmWith(sandbox, 'ana', '@admin allowed you'), 'Restart it');
    await slack.until(() => powerCalls(sandbox) === 1);
    await sandbox.settled();
    await slack.person('admin').presses(card, 'Allow once', { version: 0 });
    await dmWith(sandbox, 'admin', 'so nothing was changed');
    expect(await answerTo(sandbox, 'ana', LINE)).toContain('allowed once has been used');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('that was allowed covers that one verb and instance, in plain words', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await asksThem(sandbox, 'ana', LINE, NO);
    await slack.person('admin').presses(await dmWith(sandbox, 'admin', ASKED), 'Allow once');
    await dmWith(sandbox, 'ana', '@admin allowed you to restart web-1 (101) once, until');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can restart web-1')).toContain('✅ Yes');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can stop web-1')).toContain('❌ No');
    expect(await answerTo(sandbox, 'ana', '/instances restart web-2')).toContain(
      "You were allowed to restart web-1 (101) once. That doesn't cover web-2 (102).",
    );
    expect(await answerTo(sandbox, 'ana', '/instances stop web-1')).toContain(NO);
    await slack.person('bob').types('#ops', '/lamplighter access');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('that was allowed for hours names the instance, and is for it alone', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await asksThem(sandbox, 'ana', LINE, NO);
    await slack.person('admin').presses(await dmWith(sandbox, 'admin', ASKED), 'Allow for 8 h');
    await dmWith(sandbox, 'admin', 'Allowed: @ana is an operator on web-1 (101) until');
    await dmWith(sandbox, 'ana', 'you are an operator on web-1 (101) until');
    await slack.person('ana').types('#ops', LINE);
    await messageWith(sandbox, 'Restarted web-1');
    expect(await answerTo(sandbox, 'ana', '/instances stop db-1')).toContain("doesn't cover this instance");
  });

  it('is offered nowhere while nobody is an admin, and the refusal says what can be set', async () => {
    const sandbox = await open({ env: { LAMPLIGHTER_ADMINS: '' } });
    expect(await answerTo(sandbox, 'ana', LINE)).toBe(
      'Restart web-1: You need the operator role to start, stop or restart instances. ' +
        'Nobody is an admin yet: the person who runs this bot can name admins in LAMPLIGHTER_ADMINS.',
    );
    expect(privateTexts(sandbox, 'ana').join()).not.toContain('Ask them');
  });
});

describe('an ask names as asked only who can be written to', () => {
  it.each([
    ['who is there', 'U0ADMIN0001,U0ADA000001', "I asked @admin. I'll message you when they answer."],
    [
      'and nobody where all have left',
      'U0GONE00001',
      "I couldn't ask anyone: Slack doesn't let me message the people",
    ],
    [
      'and nobody where there is no such person',
      'U0ADMIN0001,U0ADMIN0002',
      "I couldn't ask anyone: Slack doesn't let me",
    ],
  ])('%s', async (_name, admins, words) => {
    const sandbox = await open({ isRefused: true, env: { LAMPLIGHTER_ADMINS: admins } });
    await asksThem(sandbox, 'ana', LINE, NO);
    await privateMessage(sandbox, 'ana', words);
  });
});

it('what was allowed once is there again where its change was canceled before it began', async () => {
  const [beginning, canceled] = [aMoment(), aMoment()];
  let begins = 0;
  const faultPoints = instead('operations', 'begin', async (own, ...given) => {
    begins += 1;
    if (begins === 1) {
      beginning.is();
      await canceled.comes;
    }
    return (own as Operations).begin(...(given as Parameters<Operations['begin']>));
  });
  const sandbox = await open({ faultPoints });
  const { slack } = sandbox;
  await asksThem(sandbox, 'ana', LINE, NO);
  await slack.person('admin').presses(await dmWith(sandbox, 'admin', ASKED), 'Allow once');
  await dmWith(sandbox, 'ana', 'allowed');
  await slack.person('ana').types('#ops', LINE);
  await beginning.comes;
  await slack.person('ana').mentions('#ops', 'cancel');
  await privateMessage(sandbox, 'ana', 'Canceled "restart web-1"');
  canceled.is();
  await sandbox.settled();
  await slack.person('ana').types('#ops', LINE);
  await slack.until(() => powerCalls(sandbox) === 1);
});
