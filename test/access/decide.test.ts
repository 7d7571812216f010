import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decide, type Decision, type Person, type Policy } from '../../src/core/policy/decide.ts';
import type { AskedRight, Grant } from '../../src/core/policy/grant.ts';
import {
  leastRoleWith,
  type Permission,
  PERMISSIONS,
  type Role,
  ROLES,
} from '../../src/core/policy/permissions.ts';
import { refusedAccess } from '../../src/core/policy/messages.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import type { Standing } from '../../src/platform/slack/people.ts';
import { TABLE } from './front-door-table.ts';

/** How somebody comes by a role, and what sort of person it counts for. */
const COUNTS_FOR: Readonly<Record<string, readonly (Standing | 'unreadable')[]>> = {
  everyone: ['member'],
  group: ['member'],
  person: ['member', 'guest', 'external', 'bot', 'unreadable'],
  configuration: ['member', 'guest', 'external', 'bot', 'deactivated', 'unreadable'],
};

/** How a grant may be narrowed, and of which instance, where and when it then counts. */
const EVERY = ['any', 'all', 'staging-1', 'prod-1'];
const BOTH = ['C0OPS', 'C0DEV'];
const NARROWED: Readonly<
  Record<string, { narrow: Partial<Grant>; on: string[]; in: string[]; late: boolean }>
> = {
  'not at all': { narrow: {}, on: EVERY, in: BOTH, late: true },
  'on staging-*': { narrow: { on: ['staging-*'] }, on: ['any', 'staging-1'], in: BOTH, late: true },
  'on 102': { narrow: { on: ['102'] }, on: ['any', 'prod-1'], in: BOTH, late: true },
  'in #ops': { narrow: { in: ['C0OPS'] }, on: EVERY, in: ['C0OPS'], late: true },
  'for a while': { narrow: { until: 2_000 }, on: EVERY, in: BOTH, late: false },
};
const TARGETS = {
  any: 'any',
  all: 'all',
  'staging-1': { id: '101', name: 'staging-1' },
  'prod-1': { id: '102', name: 'prod-1' },
} as const;
const STANDINGS = ['member', 'guest', 'external', 'bot', 'deactivated', 'unreadable'] as const;
const NOBODY: Policy = { admins: [], everyone: 'none', grants: [], freezes: [], channels: {} };

const grant = (role: Role, to: Grant['to'], narrow: Partial<Grant> = {}): Grant => ({
  id: 'g',
  role,
  to,
  ...narrow,
  by: 'U9',
  at: 0,
});

function personOf(standing: (typeof STANDINGS)[number], inGroup: boolean): Person {
  return {
    userId: 'U1',
    standing: standing === 'unreadable' ? undefined : standing,
    groups: new Set(inGroup ? ['S1'] : []),
    unreadGroups: new Set(),
  };
}

function policyOf(way: string, role: Role, narrow: Partial<Grant>): Policy {
  if (way === 'everyone') return { ...NOBODY, everyone: role };
  if (way === 'configuration') return { ...NOBODY, admins: ['U1'] };
  const to = way === 'group' ? { groupId: 'S1' } : { userId: 'U1' };
  return { ...NOBODY, grants: [grant(role, to, narrow)] };
}

describe.each(Object.keys(COUNTS_FOR))('a role that comes by %s', (way) => {
  it.each(way === 'configuration' ? (['admin'] as const) : ROLES)(
    'lets a %s do what the table lists, to whom it lists, and nothing else',
    (role) => {
      const narrowings =
        way === 'everyone' || way === 'configuration' ? ['not at all'] : Object.keys(NARROWED);
      let cells = 0;
      for (const permission of PERMISSIONS)
        for (const standing of STANDINGS)
          for (const narrowing of narrowings)
            for (const [target, instance] of Object.entries(TARGETS))
              for (const channelId of ['C0OPS', 'C0DEV'])
                for (const now of [1_000, 3_000]) {
                  const { narrow, on, in: places, late } = NARROWED[narrowing]!;
                  const listed =
                    TABLE[permission].roles.includes(role) &&
                    COUNTS_FOR[way]!.includes(standing) &&
                    on.includes(target) &&
                    (narrow.on === undefined || TABLE[permission].isOfAll === undefined) &&
                    places.includes(channelId) &&
                    (late || now < 2_000);
                  const policy = policyOf(way, role, narrow);
                  const decision = decide(policy, personOf(standing, way === 'group'), {
                    permission,
                    about: instance,
                    channelId,
                    now,
                  });
                  expect(
                    decision.allowed,
                    `${role} by ${way} (${narrowing}), ${standing}: ${permission} of ${target} in ${channelId} at ${now}`,
                  ).toBe(listed);
                  cells += 1;
                }
      expect(cells).toBeGreaterThan(1_000);
    },
  );
});

test.each(PERMISSIONS)('for %s the role to ask for is the first that has it', (permission) => {
  expect(leastRoleWith(permission)).toBe(TABLE[permission].roles[0]);
});

describe('closed by default:', () => {
  const asked: AskedRight = { permission: 'instances:power', about: 'any', channelId: 'C1', now: 1_000 };
  const no = (policy: Policy, person: Partial<Person> = {}): Decision =>
    decide(policy, { ...personOf('member', false), ...person }, asked);

  test('empty lists allow nobody', () => {
    for (const userId of ['U1', '', 'undefined', '*', '@everyone', '__proto__'])
      expect(no(NOBODY, { userId })).toEqual({ allowed: false, reason: 'no role' });
  });

  test('a record that could not be read allows nobody but the configured admins', () => {
    const unread = { ...NOBODY, grants: 'unreadable', freezes: 'unreadable' } as const;
    const notChecked = { allowed: false, reason: 'not checked', isOfDatabase: true } as const;
    expect(no(unread)).toEqual(notChecked);
    // Whatever can be read by the time that it is said.
    expect(toText(refusedAccess(notChecked, 'instances:power', NOBODY))).toContain("can't reach my database");
    expect(no({ ...unread, everyone: 'operator' }).allowed).toBe(false);
    expect(no({ ...unread, admins: ['U1'] }).allowed).toBe(true);
  });

  test('a group whose members could not be read allows nobody, and says that it was not checked', () => {
    const policy = { ...NOBODY, grants: [grant('operator', { groupId: 'S1' })] };
    expect(no(policy, { unreadGroups: new Set(['S1']) })).toEqual({ allowed: false, reason: 'not checked' });
    expect(no(policy).allowed).toBe(false);
  });

  test('a permission that there is none of is refused to everybody but configured admins', () => {
    for (const permission of ['instances:create', 'addons:*', '', '__proto__', 'toString'])
      for (const role of ROLES) {
        const policy = { ...NOBODY, everyone: role, grants: [grant(role, { userId: 'U1' })] };
        const decision = decide(policy, personOf('member', false), {
          ...asked,
          permission: permission as never,
        });
        expect(decision.allowed).toBe(false);
      }
  });

  test('who has left may nothing, whatever they were given', () => {
    const policy = { ...NOBODY, everyone: 'admin', grants: [grant('admin', { userId: 'U1' })] } as const;
    expect(no(policy, { standing: 'deactivated' })).toEqual({ allowed: false, reason: 'deactivated' });
  });

  test('a configured admin is exactly who is listed, letter for letter', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string(), (admins, userId) => {
        return no({ ...NOBODY, admins }, { userId }).allowed === admins.includes(userId);
      }),
    );
  });
});

describe('a grant adds, and nothing subtracts:', () => {
  const staging = { id: '101', name: 'staging-1' };
  const permission = fc.constantFrom(...PERMISSIONS);
  const some: fc.Arbitrary<Grant> = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    role: fc.constantFrom(...ROLES),
    to: fc.constantFrom({ userId: 'U1' }, { userId: 'U2' }, { groupId: 'S1' }, { groupId: 'S2' }),
    on: fc.option(fc.constantFrom(['staging-*'], ['prod-*']), { nil: undefined }),
    in: fc.option(fc.constantFrom(['C0OPS'], ['C0DEV']), { nil: undefined }),
    until: fc.option(fc.constantFrom(500, 5_000), { nil: undefined }),
    by: fc.constant('U9'),
    at: fc.constant(0),
  });
  test('a person who may without one more grant may with it', () => {
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), some, permission, (grants, more, one) => {
        const asked = { permission: one, about: staging, channelId: 'C0OPS', now: 1_000 };
        const person = personOf('member', true);
        const before = decide({ ...NOBODY, grants }, person, asked).allowed;
        const after = decide({ ...NOBODY, grants: [...grants, more] }, person, asked).allowed;
        return !before || after;
      }),
    );
  });
});

describe('while instances are frozen', () => {
  const freeze = { id: 'f', why: 'release', by: 'U9', at: 0, until: 2_000 };
  const asked = {
    permission: 'instances:power',
    about: TARGETS['prod-1'],
    channelId: 'C1',
    now: 1_000,
  } as const;
  const frozen = (role: Role, more: Partial<Policy> = {}): Policy => ({
    ...NOBODY,
    everyone: role,
    grants: [grant(role, { userId: 'U1' })],
    freezes: [freeze],
    ...more,
  });
  const may = (policy: Policy, at: Partial<AskedRight> = {}, override = false): Decision =>
    decide(policy, personOf('member', false), { ...asked, ...at }, override);

  test('an operator changes nothing, until it ends', () => {
    expect(may(frozen('operator'))).toEqual({ allowed: false, reason: 'frozen', freeze });
    expect(may(frozen('operator'), {}, true).allowed).toBe(false);
    expect(may(frozen('operator'), { now: 2_000 }).allowed).toBe(true);
  });
  test('an admin goes on with a reason alone', () => {
    expect(may(frozen('admin'))).toEqual({ allowed: false, reason: 'frozen', freeze, mayOverride: true });
    expect(may(frozen('admin'), {}, true).allowed).toBe(true);
    expect(may({ ...frozen('viewer'), admins: ['U1'] }).allowed).toBe(false);
  });
  test('of some, the others can be changed', () => {
    const some = frozen('operator', { freezes: [{ ...freeze, on: ['prod-*'] }] });
    expect(may(some).allowed).toBe(false);
    expect(may(some, { about: TARGETS['staging-1'] }).allowed).toBe(true);
  });
  test('everything can be read, and what waits can be canceled', () => {
    expect(may(frozen('operator'), { permission: 'instances:read' }).allowed).toBe(true);
    expect(may(frozen('operator'), { permission: 'operations:cancel' }).allowed).toBe(true);
  });
});

describe('a channel that is limited', () => {
  const policy: Policy = {
    ...NOBODY,
    everyone: 'admin',
    channels: { C0OPS: { on: ['staging-*'] }, C0DEV: { roles: ['viewer'] } },
  };
  const may = (permission: Permission, target: keyof typeof TARGETS, channelId: string): boolean =>
    decide(policy, personOf('member', false), { permission, about: TARGETS[target], channelId, now: 0 })
      .allowed;
  test('lets through what it lists, for everybody', () => {
    expect(may('instances:power', 'staging-1', 'C0OPS')).toBe(true);
    expect(may('instances:power', 'prod-1', 'C0OPS')).toBe(false);
    expect(may('instances:power', 'staging-1', 'C0DEV')).toBe(false);
    expect(may('instances:read', 'prod-1', 'C0DEV')).toBe(true);
    expect(may('instances:power', 'prod-1', 'C0ELSE')).toBe(true);
  });
});
