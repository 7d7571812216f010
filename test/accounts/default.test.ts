import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { botMessages } from '../support/sandbox.ts';
import { playTwoAccounts, powerCallsTo } from './two-accounts.ts';

/** What a person reads alone who types a command in #ops. */
async function reads({ slack }: Sandbox, line: string, who = 'admin'): Promise<string> {
  const interaction = await slack.person(who).types('#ops', line);
  await slack.until(() => interaction.ephemeral.length > 0);
  return interaction.ephemeral.map((one) => slack.read(one)).join('\n');
}

/** What of the accounts' access records can't be read while `isAway`: those of labs. */
function unreadable(): { isAway: boolean; readonly faultPoints: FaultPoints } {
  let made = 0;
  const state = {
    isAway: false,
    faultPoints: <Part extends object>(name: string, part: Part): Part => {
      if (name !== 'access record' || ++made % 2 === 1) return part;
      return new Proxy(part, {
        get: (of, method, receiver): unknown =>
          method === 'get' && state.isAway
            ? () => Promise.reject(new Error('away'))
            : Reflect.get(of, method, receiver),
      });
    },
  };
  return state;
}

describe('the default account of a channel', () => {
  it('is asked about while what was set in Slack can not be read, and not that of the file', async () => {
    const records = unreadable();
    const two = await playTwoAccounts((idOf) => ({ acme: { default_in: [idOf('#ops')] } }), {
      faultPoints: records.faultPoints,
    });
    await reads(two.sandbox, '/lamplighter default labs');
    records.isAway = true;
    expect(await reads(two.sandbox, '/instances restart web-1')).toMatch(/^Which account: acme or labs\?/);
    expect(powerCallsTo(two)).toEqual({ acme: 0, labs: 0 });
  });

  it('is set by its name, told in the channel, and meant from then on', async () => {
    const two = await playTwoAccounts();
    const { sandbox } = two;
    const { slack } = sandbox;
    expect(await reads(sandbox, '/lamplighter default labs')).toMatch(/Saved and posted here\./);
    await slack.until(() => botMessages(sandbox).length > 0);
    expect(slack.read(botMessages(sandbox)[0]!)).toMatch(
      /^`labs`\nlabs is the default account in this channel, set by @admin\./,
    );
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await slack.until(() => powerCallsTo(two).labs === 1);
    expect(powerCallsTo(two).acme).toBe(0);
    expect(await reads(sandbox, '/instances acme:web-1', 'ana')).toMatch(/^`acme`\n/);
    expect(await reads(sandbox, '/lamplighter default', 'ana')).toContain('labs is the default account');
  });

  it('is set by a button where none is set yet', async () => {
    const { sandbox } = await playTwoAccounts();
    const admin = sandbox.slack.person('admin');
    const asked = await admin.types('#ops', '/lamplighter default');
    const none = await sandbox.slack.until(() =>
      asked.ephemeral.find((one) => sandbox.slack.read(one).includes('[ Default acme ]')),
    );
    expect(sandbox.slack.read(none)).toContain('No one has set a default account for this channel.');
    await admin.presses(none, 'Default acme');
    await sandbox.slack.until(() =>
      botMessages(sandbox).some((one) => sandbox.slack.read(one).includes('acme is the default account')),
    );
  });

  it('passes to another, and is removed', async () => {
    const two = await playTwoAccounts((idOf) => ({ acme: { default_in: [idOf('#ops')] } }));
    const { sandbox } = two;
    expect(await reads(sandbox, '/instances web-1')).toMatch(/^`acme`\n/);
    await reads(sandbox, '/lamplighter default labs');
    expect(await reads(sandbox, '/instances web-1')).toMatch(/^`labs`\n/);
    await reads(sandbox, '/lamplighter default acme');
    expect(await reads(sandbox, '/instances web-1')).toMatch(/^`acme`\n/);
    await reads(sandbox, '/lamplighter default none');
    expect(await reads(sandbox, '/instances restart web-1')).toMatch(/^Which account: acme or labs\?/);
    await sandbox.stopBots();
    await sandbox.startBot();
    expect(await reads(sandbox, '/instances restart web-1')).toMatch(/^Which account: acme or labs\?/);
  });

  it('is set by a mention as well, and removed only where there is one', async () => {
    const two = await playTwoAccounts();
    const { sandbox } = two;
    const { slack } = sandbox;
    expect(await reads(sandbox, '/lamplighter default none')).toContain("isn't the default account");
    await slack.person('admin').mentions('#ops', 'default labs');
    await slack.until(() =>
      botMessages(sandbox).some((one) => slack.read(one).includes('labs is the default')),
    );
    // Its own answer would be taken for that to the next line.
    await sandbox.settled();
    await reads(sandbox, '/lamplighter default acme');
    // It ends the one that there is, whichever account is named.
    expect(await reads(sandbox, '/lamplighter labs:default none')).toMatch(/Saved and posted here/);
    await slack.until(() => botMessages(sandbox).some((one) => slack.read(one).includes('removed acme')));
  });

  it('is set by an admin alone, and only to an account that there is', async () => {
    const two = await playTwoAccounts();
    const { sandbox } = two;
    expect(await reads(sandbox, '/lamplighter default labs', 'ana')).toMatch(/admin/);
    expect(await reads(sandbox, '/lamplighter default lbas')).toContain(
      `I don't know an account called "lbas"`,
    );
    await sandbox.settled();
    expect(botMessages(sandbox)).toEqual([]);
    expect(await reads(sandbox, '/instances restart web-1')).toMatch(/^Which account/);
  });
});
