import { describe, expect, it } from 'vitest';
import { answerTo, play, powerCalls, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

async function refused(): Promise<Sandbox> {
  const sandbox = await play({ env: { LAMPLIGHTER_ADMINS: 'U0ADA000001', LAMPLIGHTER_EVERYONE: 'viewer' } });
  expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain('You need the operator role');
  const no = await privateMessage(sandbox, 'ana', 'You need the operator role');
  await sandbox.slack.person('ana').presses(no, 'Ask them');
  await sandbox.slack.until(() => sandbox.slack.person('admin').dms.length > 0);
  return sandbox;
}

describe('from a refusal', () => {
  it('to the restart by reading alone: ask, be allowed once, press', async () => {
    const sandbox = await refused();
    const [admin, ana] = [sandbox.slack.person('admin'), sandbox.slack.person('ana')];
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'ana').join().includes("I asked @admin. I'll message you when they answer."),
    );
    expect(sandbox.slack.read(admin.dms[0]!)).toMatch(
      /@ana asks to restart web-1 \(101\), in #ops\. They can't do this yet\./,
    );
    await admin.presses(admin.dms[0]!, 'Allow once');
    await sandbox.slack.until(() => ana.dms.length > 0);
    expect(sandbox.slack.read(ana.dms[0]!)).toContain(
      '@admin allowed you to restart web-1 (101) once, until',
    );
    expect(await answerTo(sandbox, 'ana', '/lamplighter can restart web-1')).toContain('✅ Yes');
    expect(await answerTo(sandbox, 'ana', '/lamplighter can stop web-1')).toContain('❌ No');
    await ana.presses(ana.dms[0]!, 'Restart it');
    await sandbox.slack.until(() => powerCalls(sandbox) === 1);
    await sandbox.settled();
    // Once is once.
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(
      'allowed once has been used',
    );
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('for eight hours, with that instance alone', async () => {
    const sandbox = await refused();
    const admin = sandbox.slack.person('admin');
    await admin.presses(admin.dms[0]!, 'Allow for 8 h');
    await sandbox.slack.until(() => sandbox.slack.person('ana').dms.length > 0);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
    expect(await answerTo(sandbox, 'ana', '/instances stop db-1')).toContain("doesn't cover this instance");
  });

  it('to a no, which the asker reads, and nothing else is answered after that', async () => {
    const sandbox = await refused();
    const [admin, ana] = [sandbox.slack.person('admin'), sandbox.slack.person('ana')];
    await admin.presses(admin.dms[0]!, 'No');
    await sandbox.slack.until(() => ana.dms.length > 0);
    expect(sandbox.slack.read(ana.dms[0]!)).toContain('@admin said no');
    // On a screen that doesn't show the answer yet.
    await admin.presses(admin.dms[0]!, 'Allow once', { version: 0 });
    await sandbox.settled();
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(
      'You need the operator role',
    );
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('without an admin there is nobody to ask, and no button that would', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_ADMINS: '', LAMPLIGHTER_EVERYONE: 'viewer' } });
    const answer = await answerTo(sandbox, 'ana', '/instances restart web-1');
    expect(answer).toContain('Nobody is an admin yet');
    expect(answer).not.toContain('[');
  });
});
