import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leastRoleWith, type Role, ROLE_PERMISSIONS, ROLES } from '../../src/core/policy/permissions.ts';
import { decide, type Decision, needsStanding } from '../../src/core/policy/policy.ts';
import type { Standing } from '../../src/platform/slack/people.ts';

/** Who may do what, written by hand; whatever isn't here is denied. */
const ORACLE: Readonly<Record<string, string>> = {
  viewer: 'instances:read addons:read operations:read',
  operator: 'instances:read addons:read operations:read instances:power',
  finance: 'instances:read addons:read operations:read billing:read billing:alerts',
  admin:
    'instances:read addons:read operations:read instances:power instances:delete addons:change billing:read billing:alerts billing:place',
  none: '',
};
/** An admin's are all that there are. */
const PERMISSIONS = ROLE_PERMISSIONS.admin;
const STANDINGS: readonly (Standing | undefined)[] = [
  'member',
  'guest',
  'external',
  'bot',
  'deactivated',
  undefined,
];
const EVERYONE: readonly (Role | 'none')[] = [...ROLES, 'none'];

const cells = EVERYONE.flatMap((everyone) =>
  PERMISSIONS.flatMap((permission) =>
    STANDINGS.flatMap((standing) =>
      [true, false].map((isAdmin) => ({ everyone, permission, standing, isAdmin })),
    ),
  ),
);

function expected({ everyone, permission, standing, isAdmin }: (typeof cells)[number]): Decision {
  if (isAdmin) return { allowed: true, rule: 'admin' };
  if (everyone === 'none') return { allowed: false, reason: 'no role' };
  if (standing === undefined) return { allowed: false, reason: 'not checked' };
  if (standing !== 'member') return { allowed: false, reason: 'not a full member' };
  return ORACLE[everyone]?.split(' ').includes(permission)
    ? { allowed: true, rule: 'everyone' }
    : { allowed: false, reason: 'role too small' };
}

test.each(cells)('everyone is $everyone, $permission, standing $standing, admin $isAdmin', (cell) => {
  const policy = { admins: cell.isAdmin ? ['U9', 'U1'] : ['U9'], everyone: cell.everyone };
  expect(decide(policy, cell.permission, { userId: 'U1', standing: cell.standing })).toEqual(expected(cell));
});

test('every permission and every role stand in the oracle', () => {
  expect(Object.keys(ORACLE).toSorted()).toEqual([...EVERYONE].toSorted());
  expect([...PERMISSIONS].toSorted()).toEqual((ORACLE['admin'] ?? '').split(' ').toSorted());
});

describe('empty lists deny', () => {
  test.each(PERMISSIONS)('%s to anybody at all', (permission) => {
    for (const standing of STANDINGS) {
      for (const userId of ['U1', '', 'undefined', '*', '@everyone']) {
        expect(decide({ admins: [], everyone: 'none' }, permission, { userId, standing }).allowed).toBe(
          false,
        );
      }
    }
  });
});

test('a permission that there is none of is denied to everybody but admins', () => {
  for (const everyone of EVERYONE) {
    const policy = { admins: [], everyone };
    for (const permission of ['instances:create', 'addons:*', '', '__proto__']) {
      expect(decide(policy, permission as never, { userId: 'U1', standing: 'member' }).allowed).toBe(false);
    }
  }
});

test.each(['instances:delete', 'addons:change'] as const)(
  '%s is nobody\u2019s but admins\u2019, whatever else they may do',
  (permission) => {
    for (const role of ROLES) expect(ROLE_PERMISSIONS[role].includes(permission)).toBe(role === 'admin');
  },
);

test('an admin is exactly who is listed, letter for letter', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (admins, userId) => {
      const decision = decide({ admins, everyone: 'none' }, 'instances:power', {
        userId,
        standing: 'member',
      });
      return decision.allowed === admins.includes(userId);
    }),
  );
});

test('Slack is asked only where its answer can matter', () => {
  expect(needsStanding({ admins: ['U1'], everyone: 'operator' }, 'U1')).toBe(false);
  expect(needsStanding({ admins: ['U1'], everyone: 'none' }, 'U2')).toBe(false);
  expect(needsStanding({ admins: ['U1'], everyone: 'viewer' }, 'U2')).toBe(true);
});

test.each([
  ['instances:read', 'viewer'],
  ['operations:read', 'viewer'],
  ['addons:read', 'viewer'],
  ['instances:power', 'operator'],
  ['instances:delete', 'admin'],
  ['addons:change', 'admin'],
  ['billing:read', 'finance'],
  ['billing:alerts', 'finance'],
  ['billing:place', 'admin'],
] as const)('for %s the role to ask for is %s', (permission, role) => {
  expect(leastRoleWith(permission)).toBe(role);
});
