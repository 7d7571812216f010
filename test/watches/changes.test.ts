import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainedBy } from '../../src/features/watches/asked-for.ts';
import {
  type AskedFor,
  type Before,
  type Change,
  changesBetween,
  type Now,
} from '../../src/features/watches/changes.ts';
import { withChanges } from '../../src/features/watches/judge.ts';
import { packStates, type States, unpackStates } from '../../src/features/watches/states.ts';
import { isOpen, type Watch, watchSchema } from '../../src/features/watches/watch.ts';
import { type Instance, STATUSES } from '../../src/platform/hosting/service.ts';
import { RULE_RUNS } from '../support/runs.ts';

const PATIENCE = { unhealthyAfterMs: 60_000 };
const GATHERING = { watchCalmMs: 900_000 };
const POLL_EVERY_MS = 20_000;
const IDS = ['1', '2', '3', '4', '5', '6'] as const;

const instances: fc.Arbitrary<Instance[]> = fc.subarray([...IDS]).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        name: fc.constant(`web-${id}`),
        status: fc.constantFrom(...STATUSES, 'unknown' as const),
        statusWord: fc.constant('word'),
        health: fc.constantFrom('healthy', 'unhealthy', 'unknown'),
        can: fc.constant({}),
      }),
    ),
  ),
);
const verdicts: fc.Arbitrary<AskedFor> = fc
  .dictionary(fc.constantFrom(...IDS), fc.constantFrom('yes', 'no', 'wait'))
  .map((of) => (id) => of[id] ?? 'no');
/** Some looks one after another: what the list has, whether it is whole, and what was asked for meanwhile. */
const looks = fc.array(fc.record({ instances, askedFor: verdicts, isWhole: fc.boolean() }), {
  minLength: 1,
  maxLength: 8,
});
type Looks = typeof looks extends fc.Arbitrary<infer T> ? T : never;

interface Step {
  readonly before: Before | undefined;
  readonly now: Now;
  readonly changes: readonly Change[];
  readonly seen: States;
  readonly askedFor: AskedFor;
  readonly isWhole: boolean;
}

/** What a watch makes of looks; an id that a whole list lacks is gone. */
function walk(all: Looks): Step[] {
  let before: Before | undefined;
  return all.map(({ instances: listed, askedFor, isWhole }, index) => {
    const at = 1_000_000 + index * POLL_EVERY_MS;
    const ids = new Set(listed.map(({ id }) => id));
    const lacking = [...(before?.seen.keys() ?? [])].filter((id) => !ids.has(id));
    const gone = new Set(isWhole ? lacking : []);
    const now: Now = { at, instances: listed, outside: new Map(), gone };
    const { changes, seen } = changesBetween(before, now, askedFor, PATIENCE);
    const step = { before, now, changes, seen, askedFor, isWhole };
    before = { seen, at, isWhole };
    return step;
  });
}

/** Tries a property of what a watch makes of looks. */
function holds(property: (steps: readonly Step[]) => void): void {
  fc.assert(
    fc.property(looks, (all) => property(walk(all))),
    { numRuns: RULE_RUNS },
  );
}

describe('what is different between two looks', () => {
  it('is nothing at the first look, whatever it sees', () => {
    holds((steps) => {
      expect(steps[0]?.changes).toEqual([]);
    });
  });

  it('is nothing once more: a look that sees the same tells nothing again', () => {
    holds((steps) => {
      const last = steps.at(-1);
      if (!last) return;
      const { seen, now, isWhole } = last;
      // What waits to be judged waits on; all else has been reported.
      const again = changesBetween({ seen, at: now.at, isWhole }, now, last.askedFor, PATIENCE);
      const said = last.changes.filter(({ what }) => what !== 'created').map(({ id }) => id);
      expect(again.changes.filter(({ id }) => said.includes(id))).toEqual([]);
    });
  });

  it('never says of what was asked for, or may have been, that nobody did', () => {
    holds((steps) => {
      for (const { changes, askedFor } of steps)
        for (const one of changes) if (one.what === 'began') expect(askedFor(one.id, one.trouble)).toBe('no');
    });
  });

  it('never says of an id that is only not on the list that it was deleted', () => {
    holds((steps) => {
      for (const { changes, now } of steps)
        for (const one of changes)
          if (one.what === 'began' && one.trouble === 'deleted') {
            const listed = now.instances.find(({ id }) => id === one.id);
            expect(now.gone.has(one.id) || listed?.status === 'deleted').toBe(true);
          }
    });
  });

  it('ends what began before other trouble of the same instance begins', () => {
    holds((steps) => {
      const open = new Map<string, string>();
      for (const { changes } of steps)
        for (const one of changes) {
          if (one.what === 'began') {
            expect(open.has(one.id)).toBe(false);
            open.set(one.id, one.trouble);
          }
          if (one.what === 'ended') {
            const trouble = open.get(one.id);
            if (trouble !== undefined) expect(one.trouble).toBe(trouble);
            open.delete(one.id);
          }
        }
    });
  });

  it('leaves exactly that open on cards which is wrong, was reported and has not ended', () => {
    holds((steps) => {
      let watch: Watch = { ...EMPTY };
      const said = new Map<string, string>();
      steps.forEach(({ changes }, index) => {
        for (const one of changes) {
          if (one.what === 'began') said.set(one.id, one.trouble);
          if (one.what === 'ended') said.delete(one.id);
        }
        watch = withChanges(watch, changes, 1_000_000 + index * POLL_EVERY_MS, GATHERING);
        const open = watch.cards.flatMap(({ members }) => members.filter(isOpen));
        expect(open.map(({ id, what }) => `${id} ${what}`).toSorted()).toEqual(
          [...said].map(([id, trouble]) => `${id} ${trouble}`).toSorted(),
        );
        expect(watchSchema.parse(JSON.parse(JSON.stringify(watch)))).toEqual(watch);
      });
    });
  });

  it('is kept as it was seen', () => {
    holds((steps) => {
      for (const { seen } of steps) expect(unpackStates(packStates(seen))).toEqual(seen);
    });
  });
});

const EMPTY: Watch = {
  id: 'watch',
  filters: ['name:*'],
  instances: [],
  channelId: 'C0OPS000001',
  setBy: { userId: 'U0ADA000001' },
  setAt: 0,
  nextPollAt: 0,
  cards: [],
  count: 0,
};

describe('what was done here explains a change', () => {
  const between = { from: 100_000, to: 120_000, listMayLagMs: 2_000 };
  it.each([
    ['a stop that is under way', 'instances.stop', undefined, 'stopped', 'wait'],
    ['a stop that was done since', 'instances.stop', [110_000, 'done'], 'stopped', 'yes'],
    ['a forced stop that was done since', 'instances.force-stop', [110_000, 'done'], 'stopped', 'yes'],
    ['a stop that was done long before', 'instances.stop', [50_000, 'done'], 'stopped', 'no'],
    ['a restart that ended a moment ago', 'instances.restart', [119_000, 'done'], 'stopped', 'wait'],
    ['a restart that was done before the list', 'instances.restart', [110_000, 'done'], 'stopped', 'no'],
    ['a restart that failed since', 'instances.restart', [110_000, 'failed'], 'error', 'yes'],
    ['a stop that ended unknown some minutes ago', 'instances.stop', [-300_000, 'unknown'], 'stopped', 'yes'],
    ['a stop that was canceled', 'instances.stop', [110_000, 'canceled'], 'stopped', 'no'],
    ['a deletion that was done since', 'instances.delete', [110_000, 'done'], 'deleted', 'yes'],
    ['a start that was done since', 'instances.start', [105_000, 'done'], 'deleted', 'no'],
  ] as const)('%s', (_what, kind, end, trouble, verdict) => {
    const done = [{ instanceId: '1', kind, ...(end ? { end: { at: end[0], result: end[1] } } : {}) }];
    expect(explainedBy(done, between)('1', trouble)).toBe(verdict);
    expect(explainedBy(done, between)('2', trouble)).toBe('no');
  });
});

it('one that its service goes on to call deleted is forgotten after a while', () => {
  const web: Instance = { id: '1', name: 'web-1', status: 'running', statusWord: 'running', can: {} };
  const none = { outside: new Map<string, string | undefined>(), newestAt: undefined };
  let at = 1_000_000;
  const look = (listed: readonly Instance[], before?: Before): States =>
    changesBetween(before, { at, instances: listed, gone: new Set(), ...none }, () => 'no', PATIENCE).seen;
  let seen = look([web]);
  seen = look([{ ...web, status: 'deleted' }], { seen } as Before);
  for (let day = 0; day < 30; day++) {
    at += 24 * 3_600_000;
    seen = look([], { seen } as Before);
  }
  expect(seen.size).toBe(0);
});
