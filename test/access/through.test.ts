import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, heldBy, type Person, type Policy } from '../../src/core/policy/decide.ts';
import type { Freeze } from '../../src/core/policy/freeze.ts';
import type { AskedRight, Grant } from '../../src/core/policy/grant.ts';
import { refusedAccess } from '../../src/core/policy/messages.ts';
import { PERMISSIONS, ROLES } from '../../src/core/policy/permissions.ts';
import { toPlainText } from '../../src/platform/slack/phrase.ts';

const NOW = 1_000;
/** A freeze in the way of what is allowed is rare among what is asked. */
const RUNS = 2_000;
const ANA = 'U0ANA000001';
/** Patterns, each with the one instance that it means. */
const MEANS = { 'web-*': 'web-7', 'db-*': 'db-7', 'pay-*': 'pay-7', 'log-9': 'log-9' } as const;
const patterns = fc.subarray(Object.keys(MEANS), { minLength: 1 });
const targets = Object.values(MEANS).map((name, index) => ({ id: String(index), name }));
const narrowed = fc.option(patterns, { nil: undefined });

const grants = fc.array(
  fc
    .record({
      role: fc.constantFrom(...ROLES),
      on: narrowed,
      until: fc.constantFrom(undefined, NOW - 1, NOW + 1),
      once: fc.constantFrom<Grant['once']>(
        undefined,
        undefined,
        { permission: 'instances:power', what: [{ type: 'text', text: 'stop pay-7' }] },
        { permission: 'bot:examine', what: [{ type: 'text', text: 'examine pay-7' }] },
        { permission: 'instances:power', usedBy: 'another' },
      ),
    })
    .map((given): Grant => ({
      id: 'g',
      to: { userId: ANA },
      by: 'U0ADA000001',
      at: 0,
      ...given,
    })),
  { maxLength: 3 },
);
const freezes = fc.array(
  narrowed.map((on): Freeze => ({ id: 'f', on, why: 'an audit', by: 'U0ADA000001', at: 0 })),
  { maxLength: 2 },
);
const policies = fc.record({
  admins: fc.constantFrom<readonly string[]>([], [], [ANA]),
  everyone: fc.constantFrom('none' as const, 'none' as const, 'viewer' as const),
  grants,
  freezes,
  channels: fc.constant({}),
});
const through = fc.record({
  agent: fc.constant('one'),
  roles: fc.constantFrom<readonly string[]>(...ROLES.map((role) => [role]), ROLES),
  on: narrowed,
});
const asks = fc.record({
  permission: fc.constantFrom(...PERMISSIONS),
  about: fc.constantFrom(...targets, 'any' as const, 'all' as const),
  now: fc.constant(NOW),
});

const HERSELF: Person = { userId: ANA, standing: 'member', groups: new Set(), unreadGroups: new Set() };

function isMeantBy(on: readonly string[] | undefined, name: string): boolean {
  return (
    !on || on.some((pattern) => Object.entries(MEANS).some((one) => one[0] === pattern && one[1] === name))
  );
}

describe('an agent', () => {
  it('may nothing that its person may not, nothing of other instances, and nothing by what was allowed once but propose', () => {
    fc.assert(
      fc.property(policies, through, asks, (policy: Policy, its, asked: AskedRight) => {
        const decision = decide(policy, { ...HERSELF, through: its }, asked);
        if (!decision.allowed) return;
        expect(decide(policy, HERSELF, asked).allowed).toBe(true);
        expect(decision.rule.by === 'grant' && decision.rule.grant.once && asked.permission).not.toBe(
          'bot:examine',
        );
        expect(asked.about === 'all' && its.on).toBeFalsy();
        if (typeof asked.about !== 'string') expect(isMeantBy(its.on, asked.about.name)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('may nothing where its person has left, or nobody can say whether', () => {
    fc.assert(
      fc.property(
        policies,
        through,
        asks,
        fc.constantFrom('deactivated' as const, undefined),
        (policy: Policy, its, asked: AskedRight, standing) => {
          const absent = { ...HERSELF, standing, through: its };
          expect(decide(policy, absent, asked)).toMatchObject({
            allowed: false,
            reason: standing ?? 'not checked',
          });
          expect(heldBy(policy, absent, asked)).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('reads in no refusal of an instance that is not one of its own', () => {
    fc.assert(
      fc.property(policies, through, asks, (policy: Policy, its, asked: AskedRight) => {
        const decision = decide(policy, { ...HERSELF, through: its }, asked);
        if (decision.allowed) return;
        const said = toPlainText(refusedAccess(decision, asked.permission, policy, { about: asked.about }));
        const told = Object.entries(MEANS).filter(
          ([pattern, name]) => said.includes(pattern) || said.includes(name),
        );
        const asIts = typeof asked.about === 'string' ? [] : [asked.about.name];
        const others = told.filter(([, name]) => !isMeantBy(its.on, name) && !asIts.includes(name));
        expect(others).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('holds of a read what its person holds without what was allowed once', () => {
    fc.assert(
      fc.property(policies, through, asks, (policy: Policy, its, asked: AskedRight) => {
        const theirs = heldBy(policy, { ...HERSELF, through: its }, asked);
        const unlimited = heldBy({ ...policy, grants: without(policy.grants) }, HERSELF, asked);
        if (asked.permission === 'bot:examine') expect(theirs).toEqual(unlimited);
      }),
      { numRuns: RUNS },
    );
  });
});

function without(all: Policy['grants']): Policy['grants'] {
  return all === 'unreadable' ? all : all.filter(({ once }) => !once);
}
