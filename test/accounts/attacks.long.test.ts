import { describe, expect, it } from 'vitest';
import { getShortcut } from '../../sandbox/shortcuts.ts';
import { botMessages, readAll, runToEnd } from '../support/sandbox.ts';
import { playTwoAccounts } from './two-accounts.ts';
import { ofLabs, onlyAna, restartWith, runLow } from './at-both.ts';

describe('figures of an account', () => {
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

describe('a person who is not of an account', () => {
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
