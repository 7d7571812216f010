import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { approvalOf, type PolicyTarget, createProtection } from '../../src/core/policy/pattern.ts';
import { decide, type Decision, type Person, type Policy } from '../../src/core/policy/decide.ts';
import type { Grant } from '../../src/core/policy/grant.ts';
import { withMarks, withMarksOfAll } from '../../src/core/policy/marks.ts';
import { refusedAccess } from '../../src/core/policy/messages.ts';
import type { Permission } from '../../src/core/policy/permissions.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { toText } from '../../src/platform/slack/phrase.ts';

/** Pure rules of what somebody may by labels and regions; the front door's are in test/clouds/policy-labels.long.test.ts. */
const ana: Person = { userId: 'U1', standing: 'member', groups: new Set(), unreadGroups: new Set() };
const NOBODY: Policy = { admins: [], everyone: 'none', grants: [], freezes: [], channels: {} };
const operatorOn = (...on: string[]): Grant => ({
  id: 'g',
  role: 'operator',
  to: { userId: 'U1' },
  on,
  by: 'U9',
  at: 0,
});
const frozenOn = (...on: string[]): Policy['freezes'] => [{ id: 'f', on, why: 'release', by: 'U9', at: 0 }];

function asked(
  policy: Partial<Policy>,
  about: PolicyTarget,
  permission: Permission = 'instances:power',
): Decision {
  return decide({ ...NOBODY, ...policy }, ana, { permission, about, channelId: 'C1', now: 1 });
}

const web: PolicyTarget = { id: '7', name: 'web-1', labels: ['team=web', 'prod'], region: 'fra1' };
const untold: PolicyTarget = { id: '7', name: 'web-1' };

describe('a role by what an instance is marked with', () => {
  it.each([
    ['label:team=web', true],
    ['LABEL:Team=WEB', true],
    ['label:team', true],
    ['label:team=*', true],
    ['label:prod', true],
    ['region:fra1', true],
    ['region:FRA*', true],
    ['label:team=data', false],
    ['label:web', false],
    ['label:fra1', false],
    ['region:team=web', false],
    ['region:ams3', false],
    ['name:label:team=web', false],
  ])('%s counts for it: %s', (on, counts) => {
    expect(asked({ grants: [operatorOn(on)] }, web).allowed).toBe(counts);
  });

  it('counts for none that is only called so', () => {
    const called = { ...web, id: '8', name: 'label:team=data', labels: [] };
    expect(asked({ grants: [operatorOn('label:team=data')] }, called).allowed).toBe(false);
    expect(asked({ grants: [operatorOn('name:label:team=data')] }, called).allowed).toBe(true);
  });
});

describe('where nobody can tell what an instance is marked with,', () => {
  const unchecked = { allowed: false, reason: 'not checked', isOfMarks: true };

  it('a role by it allows nothing, and no other role is needed to say so', () => {
    const no = asked({ grants: [operatorOn('label:team=web')] }, untold);
    expect(no).toMatchObject(unchecked);
    expect(no.allowed || toText(refusedAccess(no, 'instances:power', NOBODY))).toBe(
      "I couldn't check what the policy says of its labels or its region, because the hosting service doesn't tell me these now, so nothing was done. Try again in a minute.",
    );
  });

  it('a freeze by it is in the way, and a channel by it keeps it out', () => {
    const everybody = { everyone: 'operator' } as const;
    expect(asked({ ...everybody, freezes: frozenOn('label:prod') }, untold)).toMatchObject(unchecked);
    expect(asked({ ...everybody, freezes: frozenOn('label:prod') }, web)).toMatchObject({ reason: 'frozen' });
    expect(asked({ ...everybody, freezes: frozenOn('label:db') }, web).allowed).toBe(true);
    const channels = { C1: { on: ['region:fra1'] } };
    expect(asked({ ...everybody, channels }, untold)).toMatchObject(unchecked);
    expect(asked({ ...everybody, channels }, web).allowed).toBe(true);
    expect(asked({ ...everybody, channels }, { ...web, region: 'ams3' })).toMatchObject({
      reason: 'channel without it',
    });
  });

  it('an agent for some by it may not', () => {
    const through = {
      agent: 'deploy-bot',
      roles: ['operator'],
      on: ['label:team=web'],
      isThere: true,
    } as const;
    const policy: Policy = { ...NOBODY, everyone: 'operator' };
    const by = (about: PolicyTarget): Decision =>
      decide(policy, { ...ana, through }, { permission: 'instances:power', about, channelId: 'C1', now: 1 });
    expect(by(web).allowed).toBe(true);
    expect(by(untold)).toMatchObject(unchecked);
    expect(by({ ...web, labels: [] })).toMatchObject({ reason: 'agent without it' });
  });

  it('an instance is protected, and needs an approval', () => {
    const isProtected = createProtection(['label:prod']);
    expect([web, untold, { ...web, labels: [] }].map(isProtected)).toEqual([true, true, false]);
    const rules = [{ on: ['region:fra1'] }];
    expect(
      [web, untold, { ...web, region: 'ams3' }].map((one) => approvalOf(rules, 'restart', one) !== undefined),
    ).toEqual([true, true, false]);
  });
});

const label = fc.constantFrom('a', 'b', 'a=1', 'a=2');
const instance = fc.record(
  { id: fc.constantFrom('1', '2'), name: fc.constantFrom('x', 'y'), labels: fc.array(label), region: label },
  { requiredKeys: ['id', 'name'] },
);
const on = fc.array(
  fc.oneof(
    label.map((one) => `label:${one}`),
    label.map((one) => `region:${one}`),
    fc.constantFrom('x', '1', 'label:a*', 'name:y'),
  ),
  { minLength: 1, maxLength: 3 },
);

test('whatever labels turn out to be, what was allowed without knowing them is allowed with them', () => {
  fc.assert(
    fc.property(instance, on, on, on, fc.array(label), label, (one, role, freeze, limit, labels, region) => {
      const policy = {
        grants: [operatorOn(...role)],
        freezes: frozenOn(...freeze),
        channels: { C1: { on: limit } },
      };
      const known: PolicyTarget = { labels, region, ...one };
      if (asked(policy, one).allowed) expect(asked(policy, known).allowed).toBe(true);
      if (!createProtection(freeze)(one)) expect(createProtection(freeze)(known)).toBe(false);
      if (!approvalOf([{ on: limit }], 'stop', one))
        expect(approvalOf([{ on: limit }], 'stop', known)).toBe(undefined);
      // Who is refused for want of an answer might be allowed by one.
      const no = asked(policy, one);
      if (!no.allowed && no.reason !== 'not checked' && no.reason !== 'frozen')
        expect(asked(policy, known).allowed).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});

describe('what an instance is marked with is looked up', () => {
  const policy: Policy = { ...NOBODY, grants: [operatorOn('label:team=web')] };
  const service = (found: () => Promise<Partial<Instance> | undefined>) => {
    const asks: string[] = [];
    return {
      asks,
      findInstance: async (id: string) => {
        asks.push(id);
        return (await found()) as Instance | undefined;
      },
      listInstances: async () => {
        asks.push('list');
        const one = await found();
        return { instances: one ? [{ id: '7', ...one } as Instance] : [] };
      },
    };
  };

  it('only where something goes by it, and it did not come with them', async () => {
    const marks = service(async () => ({ labels: ['team=web'], region: 'fra1' }));
    expect(await withMarks(marks, NOBODY, undefined, untold)).toBe(untold);
    expect(await withMarks(marks, policy, undefined, web)).toBe(web);
    expect(await withMarks(marks, policy, undefined, 'any')).toBe('any');
    expect((await withMarksOfAll(marks, NOBODY, undefined))(untold)).toBe(untold);
    expect(marks.asks).toEqual([]);
    expect(await withMarks(marks, policy, undefined, untold)).toMatchObject({ labels: ['team=web'] });
    expect((await withMarksOfAll(marks, policy, undefined))(untold)).toMatchObject({ region: 'fra1' });
    expect(marks.asks).toEqual(['7', 'list']);
    const through = { agent: 'a', roles: ['operator'], on: ['region:fra1'], isThere: true } as const;
    expect(await withMarks(marks, NOBODY, through, untold)).toMatchObject({ region: 'fra1' });
  });

  it('and stays unknown where the service does not answer, and where it is gone', async () => {
    const details = { fault: 'unavailable', outcome: 'not-done', retryable: true } as const;
    const down = service(() => Promise.reject(new HostingError('reading', details)));
    const gone = service(async () => undefined);
    for (const known of [
      await withMarks(down, policy, undefined, untold),
      (await withMarksOfAll(down, policy, undefined))(untold),
      await withMarks(gone, policy, undefined, untold),
    ])
      expect(asked(policy, known as PolicyTarget)).toMatchObject({ reason: 'not checked' });
  });
});
