import { describe, expect, it } from 'vitest';
import { getShortcut } from '../../sandbox/shortcuts.ts';
import { playTwoAccounts, powerCallsTo, type TwoAccounts } from './two-accounts.ts';

const ACT = getShortcut('Act on an instance').callbackId;

/** ana uses the shortcut on what bob wrote; gives what she alone reads once so many answers are there. */
async function actsOn({ sandbox }: TwoAccounts, text: string, answers = 1): Promise<string[]> {
  const { slack } = sandbox;
  const { message } = await slack.person('bob').types('#ops', text);
  const interaction = await slack.person('ana').usesShortcut(ACT, message);
  expect(interaction.status).toBe(200);
  const seen = (): string[] =>
    slack
      .channel('#ops')
      .ephemeralFor('ana')
      .map((one) => slack.read(one));
  await slack.until(() => seen().length >= answers);
  await sandbox.settled();
  return seen();
}

describe('the shortcut of a message, with two accounts that have a web-1,', () => {
  it('shows both, each under its account, and picks none', async () => {
    const two = await playTwoAccounts();
    const seen = await actsOn(two, 'web-1 is down', 2);
    expect(new Set(seen.map((text) => text.split('\n')[0]?.replaceAll('`', '')))).toEqual(
      new Set(['acme', 'labs']),
    );
    for (const text of seen) expect(text).toContain('web-1 (101)');
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it.each(['labs:web-1 is down', 'ALERT: labs:web-1, since 10:00', 'look at "labs:web-1"'])(
    'shows that of the account that "%s" names',
    async (text) => {
      const two = await playTwoAccounts();
      const seen = await actsOn(two, text);
      expect(seen).toHaveLength(1);
      expect(seen[0]).toMatch(/^`?labs`?\n/);
      expect(seen[0]).toContain('web-1 (101)');
    },
  );
});
