import { describe, expect, test } from 'vitest';
import { createAccess } from '../../src/core/policy/access.ts';
import type { Policy } from '../../src/core/policy/policy.ts';
import type { Standing } from '../../src/platform/slack/people.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { toText } from '../../src/platform/slack/phrase.ts';

const ana = { userId: 'U1', teamId: 'T1' };

function open(policy: Policy, standing: () => Promise<Standing>) {
  const asked: [string, string | undefined][] = [];
  const logged: string[] = [];
  const people = {
    standing: (userId: string, teamId: string | undefined) => {
      asked.push([userId, teamId]);
      return standing();
    },
  };
  const access = createAccess(policy, people, { limited: (about) => void logged.push(about) });
  return { access, asked, logged };
}
const refused = async (policy: Policy, standing: () => Promise<Standing>): Promise<string> => {
  const ended: unknown = await open(policy, standing)
    .access.require(ana, 'instances:power')
    .catch((error: unknown) => error);
  if (!(ended instanceof Refusal)) throw new Error('not refused', { cause: ended });
  expect(['no-right', 'not-checked']).toContain(ended.code);
  return ended.answer.lines.map(toText).join('\n');
};

describe('where Slack cannot say who somebody is', () => {
  test.each([new Error('slack is down'), undefined, 'a text'])('they are denied (%s)', async (reason) => {
    const failing = (): Promise<never> => Promise.reject(reason);
    const { access } = open({ admins: [], everyone: 'admin' }, failing);
    expect(await access.check(ana, 'instances:read')).toEqual({ allowed: false, reason: 'not checked' });
    expect(await refused({ admins: [], everyone: 'admin' }, failing)).toContain('nothing was done');
  });

  test('the log says once with what code Slack failed', async () => {
    const { access, logged } = open({ admins: [], everyone: 'admin' }, () =>
      Promise.reject(new SlackError('missing_scope', { outcome: 'not-done' })),
    );
    await access.check(ana, 'instances:read');
    expect(logged).toEqual(['checking a role with Slack: missing_scope']);
  });

  test('an admin is not asked about, and is let in', async () => {
    const { access, asked } = open({ admins: ['U1'], everyone: 'none' }, () =>
      Promise.reject(new Error('down')),
    );
    expect(await access.check(ana, 'instances:power')).toEqual({ allowed: true, rule: 'admin' });
    expect(asked).toEqual([]);
  });

  test('a failure that is thrown rather than promised lets nobody in either', async () => {
    const { access } = open({ admins: [], everyone: 'admin' }, () => {
      throw new Error('thrown');
    });
    const decision = await access.check(ana, 'instances:read').catch(() => ({ allowed: false }));
    expect(decision.allowed).toBe(false);
  });
});

test('Slack is asked with the person and the team of the click, each time anew', async () => {
  const { access, asked } = open({ admins: [], everyone: 'operator' }, () => Promise.resolve('member'));
  await access.require(ana, 'instances:power');
  await access.require({ userId: 'U2' }, 'instances:read');
  expect(asked).toEqual([
    ['U1', 'T1'],
    ['U2', undefined],
  ]);
});

describe('a refusal says', () => {
  const member = (): Promise<Standing> => Promise.resolve('member');
  test('which role is missing, and who can give it', async () => {
    expect(await refused({ admins: ['U8', 'U9'], everyone: 'viewer' }, member)).toBe(
      'You need the operator role to start, stop or restart instances. <@U8>, <@U9> can help.',
    );
  });
  test('that there is nobody who could, where there is nobody', async () => {
    expect(await refused({ admins: [], everyone: 'none' }, member)).toBe(
      'You need the operator role to start, stop or restart instances. Nobody is an admin yet: the person who runs this bot can name one.',
    );
  });
  test('that guests need a role of their own', async () => {
    expect(await refused({ admins: ['U9'], everyone: 'operator' }, () => Promise.resolve('guest'))).toMatch(
      /^You need to be a full member of this workspace/,
    );
  });
  test('at most five names', async () => {
    const admins = Array.from({ length: 50 }, (_, index) => `U9${index}`);
    expect((await refused({ admins, everyone: 'none' }, member)).match(/<@/g)).toHaveLength(5);
  });
});
