import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findStart, inListOrder, isInTrouble, startOf } from '../../src/features/instances/list-order.ts';
import { type Instance, STATUSES } from '../../src/platform/hosting/service.ts';
import { runs } from '../support/runs.ts';

const instances = fc.uniqueArray(
  fc.record({
    id: fc.nat({ max: 500 }).map(String),
    name: fc.oneof(
      fc.nat({ max: 30 }).map((index) => `web-${index}`),
      fc.constantFrom('db', 'Web-2', 'äb', ''),
    ),
    status: fc.constantFrom(...STATUSES, 'unknown' as const),
    health: fc.constantFrom('healthy', 'unhealthy', undefined),
  }),
  { selector: ({ id }) => id, maxLength: 60 },
);
const toInstance = (of: {
  id: string;
  name: string;
  status: Instance['status'];
  health?: string;
}): Instance => ({
  ...of,
  statusWord: of.status,
  can: {},
});

/** In words of its own: what people look for first. */
function groupOf({ status, health }: Instance): number {
  if (['error', 'deploy_failed', 'paused', 'unknown', 'pending_configuration'].includes(status)) return 0;
  if (health === 'unhealthy') return 0;
  if (['stopped', 'deleted'].includes(status)) return 2;
  return status === 'running' ? 3 : 1;
}

describe('the order of a list', () => {
  it('has trouble, what is being changed, what is stopped and what runs, each in one piece', () => {
    fc.assert(
      fc.property(instances, (all) => {
        const inOrder = inListOrder(all.map(toInstance));
        expect(inOrder.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
        const groups = inOrder.map(groupOf);
        expect(groups).toEqual(groups.toSorted((one, other) => one - other));
        expect(inOrder.filter(isInTrouble)).toEqual(inOrder.filter((one) => groupOf(one) === 0));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('is the same whichever way they came, and has web-2 before web-10', () => {
    fc.assert(
      fc.property(instances, fc.gen(), (all, gen) => {
        const given = all.map(toInstance);
        const shuffled = given.toSorted(() => gen(fc.integer, { min: -1, max: 1 }));
        expect(inListOrder(shuffled)).toEqual(inListOrder(given));
      }),
      { numRuns: runs(1_000) },
    );
    const named = ['web-10', 'web-2', 'web-1'].map((name, index) =>
      toInstance({ id: `${index}`, name, status: 'running' }),
    );
    expect(inListOrder(named).map(({ name }) => name)).toEqual(['web-1', 'web-2', 'web-10']);
  });

  it('page by page leaves out nothing that stayed as it was, whatever changed meanwhile', () => {
    fc.assert(
      fc.property(
        instances,
        fc.nat(),
        fc.func(fc.constantFrom(...STATUSES, undefined)),
        (all, at, become) => {
          fc.pre(all.length > 1);
          const before = inListOrder(all.map(toInstance));
          const from = 1 + (at % (before.length - 1));
          const first = before[from]!;
          const after = inListOrder(before.map((one) => ({ ...one, status: become(one.id) ?? one.status })));
          const start = findStart(after, { start: startOf(first), from });
          const onIt = new Set(after.slice(start).map(({ id }) => id));
          const stayed = before.slice(from).filter((one) => (become(one.id) ?? one.status) === one.status);
          expect(stayed.filter(({ id }) => !onIt.has(id))).toEqual([]);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});
