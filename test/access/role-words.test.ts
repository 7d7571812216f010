import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo, play, privateMessage } from '../support/sandbox.ts';

function open(): Promise<Sandbox> {
  return play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
}

async function admin(sandbox: Sandbox, words: string): Promise<string> {
  return answerTo(sandbox, 'admin', `/lamplighter ${words}`);
}

describe('the words of a role', () => {
  it.each(['grant @ana operator', 'grant operator to @ana', 'grant @ana as an operator'])(
    'are understood in "access %s"',
    async (words) => {
      const sandbox = await open();
      expect(await admin(sandbox, `access ${words}`)).toContain('@ana is an operator now.');
    },
  );

  it('are narrowed and taken back in either order as well', async () => {
    const sandbox = await open();
    expect(await admin(sandbox, 'access grant @ana operator on web-* for 8h')).toContain(
      '@ana is an operator on web-* until',
    );
    expect(await admin(sandbox, 'access revoke @ana operator')).toMatch(
      /^@ana is no longer an operator on web-\* \(it was until .+\)\./,
    );
  });

  it('begin with a press beside the list of who may do what', async () => {
    const sandbox = await open();
    expect(await admin(sandbox, 'access')).toContain('[ Give a role… ] [ Take a role back… ]');
    const list = sandbox.slack.channel('#ops').ephemeralFor('admin').at(-1)!;
    await sandbox.slack.person('admin').presses(list, 'Give a role…');
    await privateMessage(sandbox, 'admin', 'Which role, and whose?');
  });

  it('ask for the role where none was said', async () => {
    const sandbox = await open();
    expect(await admin(sandbox, 'access grant @ana')).toContain(
      'Which role?\n[ Make @ana a viewer ] [ Make @ana an operator ] [ Make @ana a member of finance ] [ Make @ana an admin ]',
    );
    expect(await admin(sandbox, 'access grant @ana boss')).toContain('I don\'t know the role "boss".');
  });

  it('of what somebody holds already say so, and notify nobody', async () => {
    const sandbox = await open();
    await admin(sandbox, 'access grant operator @ana');
    const ana = sandbox.slack.person('ana');
    await sandbox.slack.until(() => ana.dms.length > 0);
    const again = await admin(sandbox, 'access grant operator @ana');
    expect(again).toContain('@ana already has this role: operator.');
    expect(again).toContain('Nothing was changed.');
    const both = await admin(sandbox, 'access grant operator @ana @bob');
    expect(both).toContain('@bob is an operator now.');
    expect(both).toContain('@ana already has this role: operator.');
    await sandbox.settled();
    expect(ana.dms).toHaveLength(1);
  });

  it("say of a role that somebody doesn't hold what they hold", async () => {
    const sandbox = await open();
    await admin(sandbox, 'access grant finance @ana');
    expect(await admin(sandbox, 'access revoke operator @ana')).toContain(
      "@ana isn't an operator, so there is nothing to take back. They have: finance.",
    );
  });
});

describe('/lamplighter can', () => {
  it('tells an admin what somebody else may do, and by which rule', async () => {
    const sandbox = await open();
    expect(await admin(sandbox, 'can @ana restart web-1')).toContain(
      "❌ No, @ana can't restart web-1 (101). They would read: You need the operator role",
    );
    await admin(sandbox, 'access grant operator @ana on web-*');
    expect(await admin(sandbox, 'can @ana restart web-1')).toContain(
      '✅ Yes, @ana can restart web-1 (101): they are an operator on web-*, given by @admin.',
    );
    expect(await admin(sandbox, 'can @ana restart db-1')).toContain("❌ No, @ana can't restart db-1 (105).");
    expect(await admin(sandbox, 'can add llm web-1')).toContain('✅ Yes: you are an admin');
  });

  it('tells of a user group what its members may, and shows no id of it', async () => {
    const sandbox = await open();
    for (const line of ['can @oncall restart?', 'can @oncall restart web-1']) {
      const no = await answerTo(sandbox, 'admin', `@lamplighter ${line}`);
      expect(no).toContain("❌ No, being in @oncall doesn't let anyone restart");
      expect(no.toLowerCase()).not.toContain('s0oncall');
    }
    await admin(sandbox, 'access grant operator @oncall on web-*');
    expect(await admin(sandbox, 'can @oncall restart web-1')).toContain(
      '✅ Yes, everyone in @oncall can restart web-1 (101): @oncall is an operator on web-*, given by @admin.',
    );
    expect(await admin(sandbox, 'can @oncall restart db-1')).toContain('❌ No, being in @oncall');
    const of = await answerTo(sandbox, 'ana', '/lamplighter can @oncall restart web-1');
    expect(of).toContain('You need the admin role to say who may do what.');
    const unknown = await admin(sandbox, '@oncall restart web-1');
    expect(unknown.toLowerCase()).not.toContain('s0oncall');
  });

  it('tells nobody else of others, and everybody of themselves', async () => {
    const sandbox = await open();
    await admin(sandbox, 'access grant operator @ana');
    const of = await answerTo(sandbox, 'ana', '/lamplighter can @bob restart web-1');
    expect(of).toContain('You need the admin role to say who may do what.');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can @ana restart web-1')).toContain(
      '✅ Yes: you are an operator, given by @admin.',
    );
  });
});
