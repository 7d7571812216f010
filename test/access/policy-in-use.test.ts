import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { hears } from '../support/asking.ts';
import { fileWith } from '../support/file-with.ts';
import { answerTo, deleteCalls, play, powerCalls, runToEnd, readAll } from '../support/sandbox.ts';
import { says } from '../sentences/says.ts';

const kept = (content: string): string => fileWith(content, 'policy.yaml');

/** A bot that was started with this policy, beside variables that say something else. */
function open(policy: string, env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  return play({ env: { LAMPLIGHTER_EVERYONE: 'none', ...env, LAMPLIGHTER_POLICY: kept(policy) } });
}

const ROLES = `
people: { ana: U0ANA000001, oncall: S0ONCALL001 }
roles:
  operator:
    - { who: ana, on: [web-*] }
  viewer:
    - { who: oncall }
`;
const KEPT =
  "Roles are kept in policy.yaml, so they can't be changed here. The person who keeps that file can change them.";

describe('a bot that was started with roles in a policy file', () => {
  it('goes by them, for people and groups, on what they are narrowed to', async () => {
    const sandbox = await open(ROLES);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox).at(-1)).toContain('Restarted web-1');
    expect(await answerTo(sandbox, 'ana', '/instances restart db-1')).toContain(
      "doesn't cover this instance",
    );
    expect(await answerTo(sandbox, 'bob', '/instances')).toContain('instances:');
    expect(await answerTo(sandbox, 'fin', '/instances')).toBe(
      'You need the viewer role to see instances. @admin can help; roles are kept in policy.yaml.',
    );
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('lets nobody give or take a role in Slack, names the file, and audits the try', async () => {
    const sandbox = await open(ROLES);
    for (const words of ['grant operator @fin', 'revoke operator @ana'])
      expect(await answerTo(sandbox, 'admin', `/lamplighter access ${words}`)).toContain(KEPT);
    expect(await answerTo(sandbox, 'ana', '/lamplighter access grant admin @ana')).toContain(
      'You need the admin role',
    );
    expect(await answerTo(sandbox, 'fin', '/instances')).toContain('You need the viewer role');
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit')).toContain(
      'refused: roles are kept in the policy file',
    );
  });

  it('offers nobody to give or take a role, in a sentence, in help or beside the list', async () => {
    const sandbox = await open(ROLES);
    for (const line of ['make @fin an operator', 'take operator from @ana'])
      expect(await says(sandbox, line)).toContain(KEPT);
    expect(await says(sandbox, 'make @fin an operator', { who: 'ana' })).toContain('You need the admin role');
    const help = await answerTo(sandbox, 'admin', '/lamplighter help access');
    expect(help).toContain('kept in policy.yaml');
    expect(help).not.toContain('grant');
    expect(await answerTo(sandbox, 'admin', '/lamplighter access')).not.toContain('[');
  });

  it('shows who holds what, by the name of the file', async () => {
    const sandbox = await open(ROLES);
    const all = await answerTo(sandbox, 'admin', '/lamplighter access');
    expect(all).toContain('3 roles held:');
    expect(all).toContain('@ana: operator on web-*, by policy.yaml.');
    expect(all).toContain('@oncall: viewer, by policy.yaml.');
    expect(all).toContain('@admin: admin, by the configuration.');
    expect(all).not.toContain('access grant');
    expect(await answerTo(sandbox, 'ana', '/lamplighter access')).toContain('operator on web-*.');
  });

  it('forgets what was given in Slack while the file counts, and no longer', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    await answerTo(sandbox, 'admin', '/lamplighter access grant viewer @fin');
    expect(await answerTo(sandbox, 'fin', '/instances')).toContain('instances:');
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_POLICY: kept(ROLES) });
    expect(await answerTo(sandbox, 'fin', '/instances')).toContain('You need the viewer role');
    await sandbox.stopBots();
    await sandbox.startBot();
    expect(await answerTo(sandbox, 'fin', '/instances')).toContain('instances:');
  });

  it('says who can give a role where nobody is an admin', async () => {
    const sandbox = await open('roles: {}', { LAMPLIGHTER_ADMINS: '' });
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain(
      'Roles are kept in policy.yaml: the person who keeps that file can give one.',
    );
  });
});

describe('a bot that was started with a policy file', () => {
  it('takes its role of everybody and its protected instances in place of the variables', async () => {
    const sandbox = await open('everyone: operator\nprotected: [web-1]', {
      LAMPLIGHTER_EVERYONE: 'viewer',
      LAMPLIGHTER_PROTECTED: 'web-2',
    });
    expect(await answerTo(sandbox, 'admin', '/instances delete web-1')).toContain('protected');
    expect(await answerTo(sandbox, 'ana', '/instances stop web-1')).toContain('protected');
    await runToEnd(sandbox, 'bob', '/instances stop web-2');
    expect(powerCalls(sandbox, 'stop')).toBe(1);
    expect(deleteCalls(sandbox)).toBe(0);
  });

  it('keeps what a file leaves out as the variables and Slack have it', async () => {
    const sandbox = await open('protected: []', { LAMPLIGHTER_EVERYONE: 'viewer' });
    expect(await answerTo(sandbox, 'ana', '/instances')).toContain('instances:');
    expect(await answerTo(sandbox, 'admin', '/lamplighter access grant finance @fin')).toContain(
      '@fin is in the finance role now.',
    );
  });

  it('limits a channel, for admins as well, and no other', async () => {
    const sandbox = await open('channels:\n  C0RANDOM001: { roles: [viewer], on: [web-*] }', {
      LAMPLIGHTER_EVERYONE: 'operator',
    });
    const inRandom = (who: string, line: string): Promise<string> => hears(sandbox, who, line, '#random');
    expect(await inRandom('ana', '/instances restart web-1')).toContain(
      "The policy doesn't let anyone start, stop or restart instances from this channel. Ask in another one.",
    );
    expect(await inRandom('admin', '/instances restart web-1')).toContain(
      "You are an admin, but the policy doesn't let anyone start, stop or restart instances from this channel. Ask in another one.",
    );
    expect(await inRandom('ana', '/instances show db-1')).toContain(
      `The policy doesn't let anyone see any instance "db-1" from this channel. Ask in another one.`,
    );
    expect(await inRandom('ana', '/instances show web-1')).toContain('web-1');
    expect(powerCalls(sandbox)).toBe(0);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('does not start with an approval for a verb that there is none of, and says which there are', async () => {
    const sandbox = await play();
    const wrong = kept('approvals: [{ on: [prod-*], for: [restrat] }]');
    await expect(sandbox.startBot({ LAMPLIGHTER_POLICY: wrong })).rejects.toThrow(
      'configuration: LAMPLIGHTER_POLICY has a fault in policy.yaml, line 1: "restrat" is not a verb that changes something at the hosting service. The verbs are start, stop, restart, delete, add, remove',
    );
    const forced = { LAMPLIGHTER_POLICY: kept('approvals: [{ on: [prod-*], for: [force-stop] }]') };
    await expect(sandbox.startBot({ ...forced, HOSTING_SERVICE: 'vultr' })).rejects.toThrow(
      '"force-stop" is not a verb that changes something at Vultr. The verbs are start, stop, restart, delete',
    );
  });
});
