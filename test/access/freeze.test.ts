import { describe, expect, it } from 'vitest';
import {
  answeredWith,
  answerTo,
  deletes,
  play,
  playTogether,
  powerCalls,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';
import { dmWith } from '../support/asking.ts';
import { letPass } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { everyElement } from '../../sandbox/slack/acting/target.ts';
import type { Freeze } from '../../src/core/policy/freeze.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { meantByThaw } from '../../src/features/access/thaw.ts';

const open = (env: Readonly<Record<string, string>> = {}): Promise<Sandbox> => play({ env });

/** Resolves once everybody in #ops reads it. */
const reads = (sandbox: Sandbox, text: string | RegExp): Promise<unknown> =>
  sandbox.slack.until(() =>
    readAll(sandbox).some((one) => (typeof text === 'string' ? one === text : text.test(one))),
  );

describe('while an admin has frozen the instances', () => {
  it('nobody changes one, and reads who froze it, until when and why, until it is thawed', async () => {
    const sandbox = await open();
    const frozen = await answerTo(sandbox, 'admin', '/lamplighter freeze until mon 08:00 "release 4.2"');
    expect(frozen).toContain('🧊 Frozen. Posted here for everyone.');
    await reads(sandbox, /^🧊 @admin froze everything until .*: "release 4\.2"\.$/);
    expect(frozen).toContain('The time is in Europe/Berlin. An admin can still make a change with');
    expect(frozen).toContain('[ End the freeze ]');
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toMatch(
      /@admin froze everything until .*: "release 4\.2"\. Nothing was done\. @admin can end the freeze, or make the change anyway\.\n\[ Ask for an exception \]$/,
    );
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain('instances:');
    expect(powerCalls(sandbox)).toBe(0);
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toContain('Frozen now:');
    expect(await answerTo(sandbox, 'admin', '/lamplighter thaw')).toBe(
      '☀️ Thawed. Posted here for everyone.',
    );
    await reads(sandbox, '☀️ Everything can be changed again: @admin ended the freeze "release 4.2".');
    expect(readAll(sandbox)).toHaveLength(2);
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toBe('Nothing is frozen.');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  });

  it('in direct messages, they alone read it, in whole', async () => {
    const sandbox = await open();
    const admin = sandbox.slack.person('admin');
    await admin.types('dm', '/lamplighter freeze "release"');
    await dmWith(sandbox, 'admin', '🧊 @admin froze everything until an admin thaws it: "release".');
    await admin.types('dm', '/lamplighter thaw');
    await dmWith(sandbox, 'admin', '☀️ Everything can be changed again');
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([]);
  });

  it('who may go on is given a field for the reason and the end of the freeze, whether they typed or pressed', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    const admin = slack.person('admin');
    const card = await answeredWith(sandbox, 'admin', '/instances show web-1');
    await answerTo(sandbox, 'admin', '/lamplighter freeze on web-*,db-1 "moves"');
    const ways = 'Reason: [ ____ ]\n[ Ask for an exception ] [ End the freeze of web-*, db-1 ]';
    expect(await answerTo(sandbox, 'admin', '/instances restart web-2 --because "it hangs"')).toContain(
      `${ways} [ Restart web-2 anyway: … ]`,
    );
    expect(await answerTo(sandbox, 'admin', '/instances restart name:web-*')).toContain(
      '[ End the freeze of web-*, db-1 ] [ Restart name:web-* anyway: … ]',
    );
    await admin.presses(card, 'Restart');
    await slack.until(() => slack.read(card).includes(`${ways} [ Restart web-1 (101) anyway: … ]`));
    const field = everyElement(card.blocks).find(({ element }) => element['type'] === 'plain_text_input');
    await admin.chooses(
      card,
      { blockId: field?.blockId ?? '', actionId: String(field?.element['action_id']) },
      'it is down',
    );
    await reads(sandbox, /Restarted web-1[^]*Override: it is down/);
    expect(powerCalls(sandbox)).toBe(1);
    // Who may go on with some instances alone can't end a freeze of others.
    await answerTo(sandbox, 'admin', '/lamplighter access grant admin @ana on web-1');
    const narrow = await answeredWith(sandbox, 'ana', '/instances restart web-1');
    expect(slack.read(narrow)).toContain('[ Ask for an exception ] [ Restart web-1 anyway: … ]');
    const no = await answeredWith(sandbox, 'admin', '/instances restart web-2');
    await admin.presses(no, 'End the freeze of web-*, db-1');
    await reads(sandbox, /web-\*, db-1 can be changed again/);
  });

  it('an admin goes on with a reason, which the card says', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release"');
    expect(await answerTo(sandbox, 'admin', '/instances restart web-1')).toContain(
      'As an admin, you can end the freeze with /lamplighter thaw, or go ahead with --override "why".',
    );
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1 --override "I must"')).toContain(
      '@admin froze everything',
    );
    await sandbox.slack.person('admin').types('#ops', '/instances restart web-1 --override "it is down"');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    expect(readAll(sandbox).join('\n')).toContain('Override: it is down');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('of some, the others can be changed', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', '/lamplighter freeze on db-*, worker-* for 2h "migration"');
    expect(await answerTo(sandbox, 'ana', '/instances stop db-1')).toContain(
      '@admin froze db-*, worker-* until',
    );
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    expect(powerCalls(sandbox, 'stop')).toBe(0);
    await answerTo(sandbox, 'admin', '/lamplighter thaw on db-*, worker-*');
    await reads(sandbox, '☀️ db-*, worker-* can be changed again: @admin ended the freeze "migration".');
  });

  it('thaw alone ends what it names, and no freeze of some besides', async () => {
    const sandbox = await open();
    const admin = (line: string): Promise<string> => answerTo(sandbox, 'admin', `/lamplighter ${line}`);
    await admin('freeze on db-* "migration"');
    await admin('freeze "release"');
    expect(await admin('thaw')).toBe(
      '☀️ Thawed. Posted here for everyone.\n🧊 db-* is still frozen ("migration").\n[ End the freeze of db-* ]',
    );
    await reads(sandbox, '☀️ Everything else can be changed again: @admin ended the freeze "release".');
    expect(await answerTo(sandbox, 'ana', '/instances stop db-1')).toContain('@admin froze db-*');
    await admin('freeze on web-* "load test"');
    const several = await admin('thaw');
    expect(several).toContain('Which one do you want to end?');
    expect(several).toContain('web-* ("load test")');
    expect(several).toContain('[ End the freeze of web-* ]');
    expect(await answerTo(sandbox, 'ana', '/instances stop web-1')).toContain('@admin froze web-*');
    await admin('thaw on db-*');
    await admin('thaw');
    await reads(sandbox, '☀️ web-* can be changed again: @admin ended the freeze "load test".');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each([
    ['was set after that of everything', ['freeze "release"', 'freeze on db-* "migration"']],
    ['ends by itself', ['freeze on db-* for 2h "migration"', 'freeze "release"']],
    ['is of one by its id', ['freeze on 105 "migration"', 'freeze for 2h "release"']],
  ])('thaw alone leaves a freeze that %s', async (_name, freezes) => {
    const sandbox = await open();
    for (const line of freezes) await answerTo(sandbox, 'admin', `/lamplighter ${line}`);
    const said = await answerTo(sandbox, 'admin', '/lamplighter thaw');
    await reads(sandbox, '☀️ Everything else can be changed again: @admin ended the freeze "release".');
    expect(said).toContain('is still frozen ("migration")');
    expect(await answerTo(sandbox, 'ana', '/instances stop db-1')).toContain('"migration"');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('what waits in its cancel window is not done', async () => {
    const sandbox = await play({
      env: { LAMPLIGHTER_EVERYONE: 'admin' },
      timings: { cancelWindowMs: 600_000 },
    });
    await deletes(sandbox, 'web-1', 'ana');
    await sandbox.slack.until(() => readAll(sandbox).length > 0);
    await answerTo(sandbox, 'admin', '/lamplighter freeze "wait"');
    await letPass(sandbox, 600_000);
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('were frozen before')));
    expect(sandbox.hosting.countCalls('DELETE', /instances/)).toBe(0);
  });

  it('a reason without them is asked about, and the button freezes just that', async () => {
    const sandbox = await open();
    const asked = await answeredWith(sandbox, 'admin', '/lamplighter freeze on web-1 for 2h db-1 moves');
    await sandbox.slack.person('admin').presses(asked, 'Freeze web-1, db-1 for 2 hours: moves');
    await reads(sandbox, /^🧊 @admin froze web-1, db-1 until .*: "moves"\.$/);
    expect(readAll(sandbox)).toHaveLength(1);
  });

  it('while the service is down, a freeze of a name is set all the same', async () => {
    const sandbox = await open();
    await sandbox.hosting.stop();
    await sandbox.slack.person('admin').types('#ops', '/lamplighter freeze on web-1 "it is down"');
    await reads(sandbox, /^🧊 @admin froze web-1 until an admin thaws it/);
  });

  it('a no says what was typed as it was typed: with its quotation marks, and people as mentions', async () => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze until banana "release 4.2"')).toMatch(
      /^Freeze until banana "release 4\.2": I don't understand/,
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob for ever')).toMatch(
      /^Access grant operator @bob for ever: I don't understand/,
    );
  });

  it('is for admins to say, and for everybody who sees instances to read', async () => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'ana', '/lamplighter freeze "x"')).toContain('You need the admin role');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can freeze')).toContain('You need the admin role');
    expect(await answerTo(sandbox, 'ana', '/lamplighter freeze')).toBe('Nothing is frozen.');
    await answerTo(sandbox, 'admin', '/lamplighter freeze on db-* "release"');
    expect(await answerTo(sandbox, 'ana', '/lamplighter freeze')).toContain('@admin froze db-*');
    expect(await answerTo(sandbox, 'guest', '/lamplighter freeze')).toContain('You need to be a full member');
  });

  it('somebody without the role reads of both: asking for the role alone would not help', async () => {
    const sandbox = await open({ LAMPLIGHTER_EVERYONE: 'viewer' });
    await answerTo(sandbox, 'admin', '/lamplighter freeze until mon 08:00 "release"');
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toMatch(
      /You need the operator role .* @admin can help\. A role alone is not enough: @admin froze everything until .*: "release"\.\n/,
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter can restart web-1')).toMatch(
      /^❌ No\. You need the operator role .*@admin froze everything until .*: "release"\.$/,
    );
    expect(await answerTo(sandbox, 'ana', '/billing')).not.toContain('frozen');
  });

  it('the card of an instance says why it has no Restart and no Stop', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', '/lamplighter freeze on web-* "release"');
    const card = await answeredWith(sandbox, 'ana', '/instances show web-1');
    expect(sandbox.slack.read(card)).not.toContain('[ Restart ]');
    expect(sandbox.slack.read(card)).toContain(
      '🧊 @admin froze web-*: "release". @admin can end the freeze, or make the change anyway.',
    );
    expect(await answerTo(sandbox, 'admin', '/instances show web-1')).toContain(
      'As an admin, you can end the freeze with /lamplighter thaw on web-*, or go ahead with --override "why".',
    );
    expect(await answerTo(sandbox, 'ana', '/instances show db-1')).not.toContain('frozen');
  });
});

describe('what is typed to freeze and thaw', () => {
  const together = playTogether();

  it.each<[string, string]>([
    ['freeze until', 'Until when?'],
    ['freeze until banana "x"', 'I don\'t understand the time "banana". Try mon 08:00, 18:00 or for 2h.'],
    ['freeze until mon', '[ Freeze everything until Mon 08:00: … ]'],
    ['freeze until friday load test', '[ Freeze everything until Fri 08:00: load test ]'],
    ['freeze till 6pm', '[ Freeze everything until 18:00: … ]'],
    ['freeze for a week load test', '[ Freeze everything for 1 week: load test ]'],
    ['freeze for 2 days on web-* load test', '[ Freeze web-* for 2 days: load test ]'],
    ['freeze for the "weekend"', 'I don\'t understand the time "the"'],
    ['freeze until 18:00', 'Why? Everyone who is refused will read it.'],
    ['freeze for soon "x"', 'I don\'t understand the time "soon"'],
    ['freeze on', 'On which instances?'],
    [
      'freeze that thing please',
      'Do you want to freeze everything with the reason "that thing please"? Nothing is frozen yet.',
    ],
    ['freeze please', 'I read that as "freeze".'],
    ['freeze for 2h that thing', '[ Freeze everything for 2 hours: that thing ]'],
    ['freeze 2h on web-* load test', '[ Freeze web-* for 2 hours: load test ]'],
    ['freeze on web-* until mon 08:00 load test', '[ Freeze web-* until Mon 08:00: load test ]'],
    ['freeze web-1', 'Why? Everyone who is refused will read it.'],
    ['freeze web-1 "release"', 'Do you want to freeze web-1 with the reason "release"?'],
    ['freeze on web-1 web-9', 'Why? Everyone who is refused will read it.'],
    [
      'freeze on web-1 web-9 "release"',
      'No instance has exactly the name or id "web-9", so nothing was done.',
    ],
    ['freeze on web-1,web-22 "release"', '[ Freeze web-1, web-2: release ]'],
    ['freeze on web-1 please "release"', 'No instance has exactly the name or id "please"'],
    [
      'freeze everything on friday at 6pm "release"',
      "A freeze begins at once, so I can't set one that begins on friday at 6pm. Nothing is frozen yet.",
    ],
    ['freeze on tomorrow', 'A freeze begins at once'],
    ['thaw prod-1', 'I can\'t read "prod-1".'],
    ['thaw', 'Nothing is frozen.'],
    ['thaw on prod-*', 'There is no freeze on exactly prod-*, so nothing was changed.'],
  ])('"%s" is answered with a sentence, and changes nothing', async (words, sentence) => {
    const sandbox = await together();
    expect(await answerTo(sandbox, 'admin', `/lamplighter ${words}`)).toContain(sentence);
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toBe('Nothing is frozen.');
  });

  it.each([
    ['2h "load test"', /froze everything until .*: "load test"/, ''],
    ['everything until 18:00 "load test"', /froze everything until .*: "load test"/, ''],
    ['2h on web-* "load test"', /froze web-\* until .*: "load test"/, ' on web-*'],
    [
      'on web-1, db-1 "load test"',
      /froze web-1, db-1 until an admin thaws it: "load test"/,
      ' on web-1, db-1',
    ],
    ['on web-1 db-1 for 2h "load test"', /froze web-1, db-1 until .*: "load test"/, ' on web-1, db-1'],
  ])('a reason in quotation marks freezes at once: %s', async (words, told, thawed) => {
    const sandbox = await together();
    await answerTo(sandbox, 'admin', `/lamplighter freeze ${words}`);
    await sandbox.said();
    expect(readAll(sandbox).at(-1)).toMatch(told);
    await answerTo(sandbox, 'admin', `/lamplighter thaw${thawed}`);
    await sandbox.said();
    expect(readAll(sandbox).at(-1)).toContain('can be changed again');
  });
});

describe('/lamplighter can', () => {
  it('says yes with the rule, and no with what is missing and who can help', async () => {
    const sandbox = await open({ LAMPLIGHTER_PROTECTED: 'db-*', LAMPLIGHTER_APPROVE: 'db-*' });
    expect(await answerTo(sandbox, 'ana', '/lamplighter can restart web-1')).toBe(
      '✅ Yes: every full member is operator.',
    );
    const ofDb = await answerTo(sandbox, 'ana', '/lamplighter can restart db-1');
    expect(ofDb).toContain('db-1');
    expect(ofDb).toContain('is protected: a stop or restart asks you to confirm it.');
    expect(ofDb).toContain('Someone else with the operator role must approve it, such as @admin.');
    expect(await answerTo(sandbox, 'admin', '/lamplighter can restart db-1')).toContain(
      'Someone else with the operator role must approve it.',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter can delete db-1')).toBe(
      "❌ No: db-1 (105) is protected, so it can't be deleted here, no matter who asks.",
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter can delete web-1')).toBe(
      '❌ No. You need the admin role to delete instances. @admin can help.\n[ Ask them ]',
    );
    await sandbox.slack
      .person('ana')
      .presses(await privateMessage(sandbox, 'ana', 'You need the admin role to delete'), 'Ask them');
    const admin = sandbox.slack.person('admin');
    const question = await sandbox.slack.until(() => admin.dms[0]);
    expect(sandbox.slack.read(question)).toContain('@ana asks to delete web-1 (101), in #ops.');
    expect(await answerTo(sandbox, 'admin', '/lamplighter can delete web-1')).toContain('you are an admin');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can')).toContain('What do you want to do?');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can fly web-1')).toContain(
      'I don\'t know the command "fly".',
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('says during a freeze who froze it and why, and not that nothing was done: nothing was to be', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', '/lamplighter freeze "release 4.2"');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can restart web-1')).toBe(
      '❌ No. @admin froze everything: "release 4.2". @admin can end the freeze, or make the change anyway.',
    );
    expect(await answerTo(sandbox, 'admin', '/lamplighter can restart web-1')).toBe(
      '❌ No. @admin froze everything: "release 4.2". As an admin, you can end the freeze with /lamplighter thaw, or go ahead with --override "why".',
    );
    for (let times = 0; times < 3; times += 1)
      sandbox.slack.failNext('users.info', { error: 'internal_error' });
    expect(await answerTo(sandbox, 'bob', '/lamplighter can restart web-1')).toBe(
      "❔ I couldn't check your role with Slack. Try again in a minute.",
    );
  });
});

it('a thaw that is carried out twice means what it ended the first time', () => {
  const freeze = (id: string, requestId?: string): Freeze => ({
    id,
    on: [`${id}-*`],
    why: 'w',
    by: 'U1',
    at: 0,
    ...(requestId === undefined ? {} : { thawed: { by: 'U1', at: 1, requestId } }),
  });
  expect(meantByThaw([freeze('a', 'r'), freeze('b')], 'r').map(({ id }) => id)).toEqual(['a']);
  expect(() => meantByThaw([freeze('a', 'r'), freeze('b')], 'another')).toThrow(Refusal);
});
