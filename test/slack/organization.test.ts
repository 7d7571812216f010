import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { deleteCalls, opensModal, play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';

function inOrganization(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  return play({ slack: { inOrganization: true }, env: { LAMPLIGHTER_PROTECTED: 'web-1', ...env } });
}

describe('in a workspace of an organization', () => {
  // Grace is at home in another workspace: Slack sends ours with her command and hers with her press.
  it.each(['grace', 'ana'])('%s confirms by a button what was asked by a command', async (who) => {
    const sandbox = await inOrganization();
    const person = sandbox.slack.person(who);
    await person.types('#ops', '/instances restart web-1');
    const question = await privateMessage(sandbox, who, 'Restart web-1 (101)?');
    await person.presses(question, 'Restart');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('what was asked by a mention is confirmed by a button, and a name is typed into a modal', async () => {
    const sandbox = await inOrganization({ LAMPLIGHTER_EVERYONE: 'admin' });
    const grace = sandbox.slack.person('grace');
    await grace.mentions('#ops', 'stop web-1');
    await grace.presses(await privateMessage(sandbox, 'grace', 'Stop web-1 (101)?'), 'Stop');
    await sandbox.settled();
    await grace.submits(await opensModal(sandbox, 'grace', '/instances delete web-2'), { typed: 'web-2' });
    await sandbox.settled();
    expect([powerCalls(sandbox, 'stop'), deleteCalls(sandbox)]).toEqual([1, 1]);
  });

  it.each(['neighbor', 'outsider', 'stranger', 'guest'])('%s may do nothing, by no way', async (who) => {
    const sandbox = await inOrganization();
    const person = sandbox.slack.person(who);
    const where = who === 'stranger' ? '#shared' : '#ops';
    await person.mentions(where, 'restart web-2');
    await sandbox.slack.until(() =>
      sandbox.slack
        .channel(where)
        .ephemeralFor(who)
        .some((message) => sandbox.slack.read(message).includes('You need to be a full member')),
    );
    await person.types(where, '/instances restart web-2');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});
