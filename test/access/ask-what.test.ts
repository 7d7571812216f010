import { describe, expect, it } from 'vitest';
import { asksThem, dmWith, readDms, messageWith } from '../support/asking.ts';
import {
  answerTo,
  botMessages,
  play,
  playTogether,
  powerCalls,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';

const ENV = { LAMPLIGHTER_EVERYONE: 'viewer' };

function open({ env, ...options }: SandboxOptions = {}): Promise<Sandbox> {
  return play({ ...options, env: { ...ENV, ...env } });
}

const ASKS = '@fin asks to';

describe('what somebody asks for', () => {
  it('is the instance of the button that they pressed, and the answer brings a button for it', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    const [admin, ana] = [slack.person('admin'), slack.person('ana')];
    await admin.types('#ops', '/instances restart breaks');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('[ Try again ]')));
    await ana.presses(botMessages(sandbox)[0]!, 'Try again');
    await ana.presses(await privateMessage(sandbox, 'ana', 'You need the operator role'), 'Ask them');
    const card = await dmWith(sandbox, 'admin', '@ana asks to restart breaks (202), in #ops.');
    expect(slack.read(card)).toContain('[ Allow once ] [ Allow for 8 h ] [ No ]');
    await admin.presses(card, 'Allow once');
    await dmWith(sandbox, 'ana', '@admin allowed you to restart breaks (202) once, until');
    await ana.presses(await dmWith(sandbox, 'ana', '@admin allowed'), 'Restart it');
    await slack.until(() => powerCalls(sandbox) === 2);
    await sandbox.settled();
    expect(readDms(sandbox, 'ana')).not.toContain('same words');
  });

  it('is said to the admins with why, and with what each answer gives', async () => {
    const sandbox = await open();
    await asksThem(
      sandbox,
      'fin',
      '/instances restart web-1 --because "memory"',
      'You need the operator role',
    );
    const card = sandbox.slack.read(await dmWith(sandbox, 'admin', ASKS));
    expect(card).toContain("🔑 @fin asks to restart web-1 (101), in #ops. They can't do this yet.");
    expect(card).toContain('Because: memory');
    expect(card).toContain(
      'Allow once lets them do this one thing within 30 minutes.\nAllow for 8 h means @fin is an operator on web-1 (101) for that time.',
    );
  });

  it.each([
    ['freeze for 2h "the release"', 'freeze instances or end a freeze', 'You need the admin role to freeze'],
    ['audit', 'see who did what', 'You need the admin role to see who did what'],
  ])('makes nobody an admin: %s is allowed once, and nothing else is', async (words, what, no) => {
    const sandbox = await open();
    const admin = sandbox.slack.person('admin');
    await asksThem(sandbox, 'fin', `/lamplighter ${words}`, no);
    const card = await dmWith(sandbox, 'admin', `${ASKS} ${what}, in #ops.`);
    expect(sandbox.slack.read(card)).toContain("It doesn't make them an admin.\n[ Allow once ] [ No ]");
    await admin.presses(card, 'Allow once');
    expect(sandbox.slack.read(await dmWith(sandbox, 'fin', '@admin allowed you'))).toContain(
      `Now send it again: /lamplighter ${words}`,
    );
    expect(await answerTo(sandbox, 'fin', '/lamplighter thaw')).toContain('You need the admin role');
    expect(await answerTo(sandbox, 'fin', `/lamplighter ${words}`)).not.toContain('You need');
    expect(await answerTo(sandbox, 'fin', `/lamplighter ${words}`)).toContain('allowed once has been used');
  });

  it('stays allowed where what was sent is refused for another reason', async () => {
    const sandbox = await open();
    await asksThem(sandbox, 'fin', '/lamplighter freeze for 2h', 'You need the admin role to freeze');
    const card = await dmWith(sandbox, 'admin', ASKS);
    await sandbox.slack.person('admin').presses(card, 'Allow once');
    await dmWith(sandbox, 'fin', '@admin allowed you');
    expect(await answerTo(sandbox, 'fin', '/lamplighter freeze for 2h')).toContain(
      'Why? Everyone who is refused will read it.',
    );
    expect(await answerTo(sandbox, 'fin', '/lamplighter freeze for 2h "release"')).toContain('🧊');
    expect(await answerTo(sandbox, 'fin', '/lamplighter freeze for 2h "release"')).toContain(
      'allowed once has been used',
    );
  });

  it('is never a role: to give roles nothing can be allowed', async () => {
    const sandbox = await open();
    await asksThem(sandbox, 'fin', '/lamplighter access grant admin @fin', 'You need the admin role');
    const card = sandbox.slack.read(await dmWith(sandbox, 'admin', ASKS));
    expect(card).toContain('They sent: /lamplighter access grant admin @fin');
    expect(card).toContain("It can't be allowed here: if you agree, send it yourself.");
    expect(card).toContain('[ No ]');
    expect(card).not.toContain('Allow');
  });

  it('is one instance where it takes an admin, and does not let them go on in spite of anything', async () => {
    const sandbox = await open({ env: { LAMPLIGHTER_APPROVE: '*' } });
    await asksThem(sandbox, 'fin', '/instances delete web-2', 'You need the admin role');
    const card = await dmWith(sandbox, 'admin', `${ASKS} delete web-2 (102), in #ops.`);
    expect(sandbox.slack.read(card)).toContain('[ Allow once ] [ No ]');
    await sandbox.slack.person('admin').presses(card, 'Allow once');
    await dmWith(sandbox, 'fin', '@admin allowed you to delete web-2 (102) once');
    const fin = sandbox.slack.person('fin');
    await fin.types('#ops', '/instances delete web-2 --override "me"');
    const modal = await sandbox.slack.until(() => fin.views.at(-1));
    await fin.submits(modal, { typed: 'web-2' });
    await privateMessage(sandbox, 'fin', 'Someone else must approve');
    expect(readAll(sandbox).join()).not.toContain('Deleting');
  });

  it('is an add-on on its instance', async () => {
    const sandbox = await open();
    await asksThem(sandbox, 'fin', '/addons add backup web-1', 'You need the admin role');
    const card = await dmWith(sandbox, 'admin', `${ASKS} add backup to web-1 (101), in #ops.`);
    await sandbox.slack.person('admin').presses(card, 'Allow once');
    const fin = sandbox.slack.person('fin');
    await fin.presses(await dmWith(sandbox, 'fin', '@admin allowed you'), 'Add it');
    await fin.presses(await dmWith(sandbox, 'fin', 'Add backup to web-1'), 'Add it');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Added backup')));
  });
});

describe('what names no one instance', () => {
  const together = playTogether({ env: ENV });

  it.each(['restart', 'restart --because "memory"', 'restart name:web-*'])(
    'can not be asked for, and the refusal says what is missing: %s',
    async (words) => {
      const sandbox = await together();
      const no = await answerTo(sandbox, 'fin', `/instances ${words}`);
      expect(no).toContain('You need the operator role');
      expect(no).toContain('Name one instance, and you can ask them for it here.');
      expect(no).not.toContain('[ Ask them ]');
    },
  );

  it.each([
    ['wbe-1', '"wbe-1" doesn\'t name exactly one instance'],
    ['twins', '"twins" doesn\'t name exactly one instance'],
  ])('is not asked, and people who may see instances read why: %s', async (name, why) => {
    const sandbox = await open();
    await asksThem(sandbox, 'fin', `/instances restart ${name}`, 'You need the operator role');
    await privateMessage(sandbox, 'fin', why);
    await sandbox.settled();
    expect(readDms(sandbox, 'admin')).not.toContain(ASKS);
  });

  it('tells nobody without a role which instances there are, and gives the admin nothing to allow', async () => {
    const sandbox = await open({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    await asksThem(sandbox, 'fin', '/instances restart wbe-1', 'You need the operator role');
    await privateMessage(sandbox, 'fin', 'I asked @admin.');
    const card = sandbox.slack.read(await dmWith(sandbox, 'admin', ASKS));
    expect(card).toContain('@fin asks to restart "wbe-1", in #ops.');
    expect(card).toContain('there is nothing to allow');
    expect(card).not.toContain('[ Allow');
  });
});

describe('an approval that somebody may not give', () => {
  it('can be asked for, and is given once with the button in the channel', async () => {
    const sandbox = await open({ env: { LAMPLIGHTER_APPROVE: 'web-*' } });
    const { slack } = sandbox;
    const [admin, fin] = [slack.person('admin'), slack.person('fin')];
    await admin.types('#ops', '/instances restart web-1');
    const question = await messageWith(sandbox, 'asks to restart web-1');
    await fin.presses(question, 'Approve');
    await fin.presses(await privateMessage(sandbox, 'fin', 'You need the operator role'), 'Ask them');
    const card = await dmWith(sandbox, 'admin', `${ASKS} approve @admin's request to restart web-1 (101)`);
    await admin.presses(card, 'Allow once');
    const said = slack.read(await dmWith(sandbox, 'fin', '@admin allowed you to approve'));
    expect(said).toContain('Now press Approve on the message in #ops.');
    expect(said).not.toContain('same words');
    expect(await answerTo(sandbox, 'fin', '/instances restart web-2')).toContain('You need');
    await fin.presses(question, 'Approve');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    await sandbox.settled();
    await admin.types('#ops', '/instances stop web-1');
    await admin.presses(await privateMessage(sandbox, 'admin', 'Stop web-1 (101)?'), 'Stop');
    const next = await messageWith(sandbox, 'asks to stop web-1');
    await fin.presses(next, 'Approve');
    await privateMessage(sandbox, 'fin', 'allowed once has been used');
    expect(powerCalls(sandbox)).toBe(1);
  });
});
