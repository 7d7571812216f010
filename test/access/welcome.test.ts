import { describe, expect, it } from 'vitest';
import { play } from '../support/sandbox.ts';

const ADMIN_ALONE = { LAMPLIGHTER_ADMINS: 'U0ADA000001,U0FIN000001', LAMPLIGHTER_EVERYONE: 'none' };

describe('a bot that nobody may use yet', () => {
  it('welcomes its first admin once, with three buttons that lead on', async () => {
    const sandbox = await play({ env: ADMIN_ALONE });
    const admin = sandbox.slack.person('admin');
    await sandbox.slack.until(() => admin.dms.length > 0);
    const [welcome] = admin.dms;
    expect(sandbox.slack.read(welcome!)).toMatch(
      /👋 I'm ready\..*\n.*\n\[ See instances \] \[ Give someone a role \] \[ Where alerts go \]$/,
    );
    for (const [label, words] of [
      ['See instances', 'instances:'],
      ['Give someone a role', 'To give a role, type "/lamplighter access grant operator @ana".'],
      ['Where alerts go', 'To choose a channel, type "/billing alerts here" in it.'],
    ] as const) {
      const interaction = await admin.presses(welcome!, label);
      const [answer] = await sandbox.slack.until(
        () => interaction.ephemeral.length > 0 && interaction.ephemeral,
      );
      expect(sandbox.slack.read(answer!)).toContain(words);
    }
    await sandbox.stopBots();
    await sandbox.startBot();
    await sandbox.settled();
    const welcomes = admin.dms.filter((one) => sandbox.slack.read(one).includes("I'm ready"));
    expect(welcomes).toHaveLength(1);
    expect(sandbox.slack.person('fin').dms).toEqual([]);
  });

  it('is not one that everybody may use', async () => {
    const sandbox = await play({ env: { ...ADMIN_ALONE, LAMPLIGHTER_EVERYONE: 'viewer' } });
    await sandbox.settled();
    expect(sandbox.slack.person('admin').dms).toEqual([]);
  });
});
