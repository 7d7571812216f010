import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Confirmation, confirmationSchema, objectionTo } from '../../src/core/offers/confirmation.ts';
import { fingerprintOf, isSame } from '../../src/core/instances/facts.ts';
import { say, strong } from '../../src/platform/slack/phrase.ts';
import { RULE_RUNS } from '../support/runs.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const confirmation: Confirmation = {
  routeId: 'instances.delete',
  actor: { userId: 'U1', teamId: 'T1' },
  instance: { id: '101', name: 'web-1', createdAt: '2026-01-01T00:00:00Z' },
  lines: [say`Delete ${strong('web-1')}?`],
  expiresAt: AT,
};
const asked = { route: 'instances.delete', actor: { userId: 'U1', teamId: 'T1' }, askedAt: AT - 1 };

describe('a confirmation counts', () => {
  test.each([
    ['for who was shown it, in time', {}],
    ['in its very last moment', { askedAt: AT }],
    ['where Slack names no team', { actor: { userId: 'U1' } }],
    ['where Slack names another workspace with the press', { actor: { userId: 'U1', teamId: 'T2' } }],
  ])('%s', (_name, over) => expect(objectionTo(confirmation, { ...asked, ...over })).toBeUndefined());

  test('for who was shown it where no team was named then', () => {
    expect(objectionTo({ ...confirmation, actor: { userId: 'U1' } }, asked)).toBeUndefined();
  });
});

describe('a confirmation does not count', () => {
  test.each([
    ['for somebody else', { actor: { userId: 'U2', teamId: 'T1' } }, 'foreign'],
    ['for something else', { route: 'instances.stop' }, 'foreign'],
    ['too late', { askedAt: AT + 1 }, 'expired'],
    [
      'for somebody else too late, who does not read its age',
      { actor: { userId: 'U2' }, askedAt: AT + 1 },
      'foreign',
    ],
  ] as const)('%s', (_name, over, objection) =>
    expect(objectionTo(confirmation, { ...asked, ...over })).toBe(objection),
  );

  test('for anybody but its person, for anything but its route, nor after its time', () => {
    const few = fc.constantFrom('U1', 'U2', 'u1', 'U1 ', 'U11');
    const team = fc.constantFrom(undefined, 'T1', 'T2');
    const route = fc.constantFrom('instances.delete', 'instances.stop', 'instances.delete ', '');
    fc.assert(
      fc.property(few, team, route, fc.integer({ min: -2, max: 2 }), (userId, teamId, routeId, late) => {
        const actor = { userId, ...(teamId === undefined ? {} : { teamId }) };
        const objection = objectionTo(confirmation, { route: routeId, actor, askedAt: AT + late });
        const isIts = userId === 'U1' && routeId === 'instances.delete';
        return objection === (isIts ? (late > 0 ? 'expired' : undefined) : 'foreign');
      }),
      { numRuns: RULE_RUNS },
    );
  });
});

describe('an instance is the one that was shown', () => {
  const createdAt = '2026-01-01T00:00:00Z';
  test.each([
    ['with its id, name and birthday', { id: '1', name: 'a', createdAt }, true],
    ['not with another id', { id: '2', name: 'a', createdAt }, false],
    ['not with another name', { id: '1', name: 'A', createdAt }, false],
    ['not with another birthday', { id: '1', name: 'a', createdAt: '2026-01-01T00:00:01Z' }, false],
    ['not with a birthday that is given no more', { id: '1', name: 'a' }, false],
  ])('%s', (_name, now, same) => expect(isSame({ id: '1', name: 'a', createdAt }, now)).toBe(same));

  test('where no birthday was ever given, by id and name, and not once one is', () => {
    expect(isSame({ id: '1', name: 'a' }, { id: '1', name: 'a' })).toBe(true);
    expect(isSame({ id: '1', name: 'a' }, { id: '1', name: 'a', createdAt })).toBe(false);
  });

  test('whatever it is, and not once any of the three differs', () => {
    const text = fc.constantFrom('', 'a', 'A', 'b', '__proto__', '1');
    const one = fc.record({ id: text, name: text, createdAt: text }, { requiredKeys: ['id', 'name'] });
    fc.assert(
      fc.property(one, one, (shown, now) => {
        expect(isSame(fingerprintOf(shown), shown)).toBe(true);
        const alike = shown.id === now.id && shown.name === now.name && shown.createdAt === now.createdAt;
        expect(isSame(fingerprintOf(shown), now)).toBe(alike);
      }),
      { numRuns: RULE_RUNS / 2 },
    );
  });
});

test('what is kept of a confirmation comes back as it was', () => {
  const full: Confirmation = {
    ...confirmation,
    args: { id: '7', type: 'backup', tier: 'pro' },
    because: 'over',
    bullets: [say`its disk`],
  };
  for (const one of [confirmation, full]) {
    expect(confirmationSchema.parse(JSON.parse(JSON.stringify(one)))).toEqual(one);
  }
});

test.each([
  ['without a person', { actor: undefined }],
  ['with a person that is none', { actor: { userId: '<!channel>' } }],
  ['without an instance', { instance: undefined }],
  ['without an end', { expiresAt: null }],
  ['with lines that are no phrases', { lines: ['Delete?'] }],
])('a record %s is none', (_name, over) => {
  expect(confirmationSchema.safeParse({ ...confirmation, ...over }).success).toBe(false);
});
