import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Before, type Change, changesBetween, listedOf } from '../../src/features/watches/changes.ts';
import { confirmed, type View, viewOf } from '../../src/features/watches/in-view.ts';
import { watchList } from '../../src/features/watches/list-messages.ts';
import {
  packStates,
  type States,
  unpackStates,
  isSameMarks,
  marksOf,
} from '../../src/features/watches/states.ts';
import type { Watch } from '../../src/features/watches/watch.ts';
import type { Instance } from '../../src/platform/hosting/service.ts';
import { plainMessage } from '../../src/core/outbox/outside.ts';
import { RULE_RUNS } from '../support/runs.ts';

const PATIENCE = { unhealthyAfterMs: 60_000 };
const START_AT = Date.UTC(2026, 10, 1);
const POLL_EVERY_MS = 20_000;
const DAY_MS = 86_400_000;
const IDS = ['1', '2', '3', '4'] as const;
type Id = (typeof IDS)[number];
const WATCH: Watch = {
  id: 'watch',
  filters: ['label:team=web', 'region:fra1'],
  instances: [],
  channelId: 'C0OPS000001',
  setBy: { userId: 'U0ADA000001' },
  setAt: 0,
  nextPollAt: 0,
  cards: [],
  count: 0,
};

const plainOne = (id: string, more: Partial<Instance> = {}): Instance => ({
  id,
  name: `web-${id}`,
  status: 'running',
  statusWord: 'running',
  labels: ['team=web'],
  region: 'fra1',
  createdAt: new Date(START_AT - DAY_MS).toISOString(),
  can: {},
  ...more,
});

/** What the service has of one machine at a look. */
const machine = fc.record({
  isThere: fc.boolean(),
  /** Whether the list has it, and not only a read of its id. */
  isListed: fc.boolean(),
  /** Undefined where the service doesn't say. */
  labels: fc.constantFrom(undefined, [], ['team=data'], ['team=web'], ['team=web']),
  region: fc.constantFrom(undefined, 'ams3', 'fra1', 'fra1', 'fra1'),
  status: fc.constantFrom('running', 'running', 'stopped', 'error'),
});
/** When each was created: a day before, in the last minutes, or nobody says. */
const ages = fc.constantFrom(START_AT - DAY_MS, START_AT - 60_000, START_AT + 30_000, undefined);
const worlds = fc.record({
  ages: fc.tuple(ages, ages, ages, ages),
  looks: fc.array(
    fc.record({ machines: fc.tuple(machine, machine, machine, machine), isWhole: fc.boolean() }),
    { minLength: 2, maxLength: 10 },
  ),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

/** One look: what is really so, what the list says of it, and what the watch makes of that. */
interface Look {
  readonly real: ReadonlyMap<string, Instance>;
  readonly listed: ReadonlySet<string>;
  readonly view: View;
  readonly changes: readonly Change[];
  readonly seen: States;
}

async function walk({ ages: born, looks }: World): Promise<Look[]> {
  let before: Before | undefined;
  const all: Look[] = [];
  for (const [index, { machines, isWhole }] of looks.entries()) {
    const at = START_AT + index * POLL_EVERY_MS;
    const there = machines.flatMap(({ isThere, isListed, labels, region, status }, which) => {
      const [id, createdMs] = [IDS[which] ?? '1', born[which]];
      const createdAt = createdMs === undefined ? undefined : new Date(createdMs).toISOString();
      const one = plainOne(id, { status, statusWord: status, labels, region, createdAt });
      return isThere ? [{ one, isListed }] : [];
    });
    const real = new Map(there.map(({ one }) => [one.id, one]));
    const instances = there.flatMap(({ one, isListed }) => (isListed ? [one] : []));
    const byId = new Map(instances.map((one) => [one.id, one]));
    const list = {
      instances,
      ...(isWhole ? {} : { incomplete: { read: instances.length, isCertain: true } }),
    };
    const read = (id: string): Promise<Instance | undefined> => Promise.resolve(real.get(id));
    const view = await viewOf(WATCH, { list, at, byId, read }, () => true, before);
    const { changes, seen } = changesBetween(before, view, () => 'no', PATIENCE);
    all.push({ real, listed: new Set(byId.keys()), view, changes, seen });
    before = { seen: unpackStates(packStates(seen)), at, ...listedOf(list, before) };
  }
  return all;
}

const isMeant = (one: Instance | undefined): boolean =>
  one?.labels?.includes('team=web') === true && one.region === 'fra1';
const isTold = (one: Instance | undefined): boolean => one?.labels !== undefined && one.region !== undefined;

async function holds(property: (looks: readonly Look[]) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => property(await walk(world))),
    { numRuns: RULE_RUNS },
  );
}

it('what an earlier look had on its list, watched or not, is never said to be created', () =>
  holds((looks) => {
    const known = new Set<string>();
    looks.forEach(({ changes, listed }, index) => {
      const created = changes.filter(({ what }) => what === 'created').map(({ id }) => id);
      expect(created.filter((id) => known.has(id) || index === 0)).toEqual([]);
      for (const id of listed) known.add(id);
    });
  }));

it('trouble is said only of what is meant by what the service says of it then, but for what is gone', () =>
  holds((looks) => {
    for (const { changes, real } of looks)
      for (const one of changes) {
        if (one.what === 'created') expect(isMeant(real.get(one.id))).toBe(true);
        if (one.what === 'began' && one.trouble === 'deleted') expect(real.has(one.id)).toBe(false);
        if (one.what === 'began' && one.trouble !== 'deleted') expect(isMeant(real.get(one.id))).toBe(true);
      }
  }));

it('trouble ends as watched no more only for what the service says is not meant any more', () =>
  holds((looks) => {
    for (const { changes, real } of looks)
      for (const one of changes) {
        if (one.what !== 'ended') continue;
        if (one.now === 'left') expect([real.has(one.id), isMeant(real.get(one.id))]).toEqual([true, false]);
        if (one.now === 'running') expect(isMeant(real.get(one.id))).toBe(true);
      }
  }));

it('what was seen stays as it was seen where the service does not say whether it is meant', () =>
  holds((looks) => {
    looks.forEach(({ seen, real, changes }, index) => {
      for (const [id, was] of looks[index - 1]?.seen ?? []) {
        const one = real.get(id);
        const isUnclear = one !== undefined && one.labels === undefined && one.region === undefined;
        if (!isUnclear || was.isOutside || was.trouble === 'deleted') continue;
        expect(seen.get(id)).toEqual(was);
        expect(changes.filter((change) => change.id === id)).toEqual([]);
      }
    });
  }));

it('what is meant at two looks in a row, and breaks between them, is told', () =>
  holds((looks) => {
    looks.forEach(({ real, listed, changes }, index) => {
      const before = looks[index - 1];
      for (const id of IDS satisfies readonly Id[]) {
        const [was, is] = [before?.real.get(id), real.get(id)];
        const isSeen = before?.listed.has(id) === true && listed.has(id);
        if (!isSeen || !isMeant(was) || !isMeant(is) || before.view.untold > 0) continue;
        if (was?.status !== 'running' || is?.status !== 'stopped') continue;
        const told = changes.some(
          (one) => one.id === id && one.what === 'began' && one.trouble === 'stopped',
        );
        expect(told).toBe(true);
      }
    });
  }));

it('nothing is kept of what is not watched but that it is there', () =>
  holds((looks) => {
    for (const { seen, real, listed } of looks)
      for (const [id, state] of seen)
        if (state.isOutside) expect([state.name, state.trouble]).toEqual(['', undefined]);
        else if (listed.has(id) && isTold(real.get(id)) && state.trouble !== 'deleted')
          expect(isMeant(real.get(id))).toBe(true);
  }));

it('a list of a while ago is no proof: what lost its label since is told of as watched no more', async () => {
  const one = plainOne('1');
  const before: Before = { seen: new Map([['1', { name: 'web-1' }]]), at: START_AT, isWhole: true };
  const changesFor = async (now: Instance): Promise<readonly Change[]> => {
    const stopped: Instance = { ...one, status: 'stopped' };
    const list = { instances: [stopped], readAtMs: START_AT };
    const listed = { list, at: START_AT, byId: new Map([['1', stopped]]), read: () => Promise.resolve(now) };
    const view = await viewOf(WATCH, listed, () => true, before);
    const sure = await confirmed(before, view, listed, PATIENCE);
    return changesBetween(before, sure, () => 'no', PATIENCE).changes;
  };
  expect(await changesFor({ ...one, status: 'stopped' })).toHaveLength(1);
  expect(await changesFor({ ...one, status: 'stopped', labels: [] })).toEqual([]);
  expect(await changesFor({ ...one, status: 'stopped', labels: undefined })).toEqual([]);
});

it.each([
  [1, "on hold for 1 instance: the hosting service doesn't say any more whether it is meant"],
  [3, "on hold for 3 instances: the hosting service doesn't say any more whether they are meant"],
])(
  'the list of watches says of how many the service does not say whether they are meant: %i',
  (untold, words) => {
    const watch = { ...WATCH, base: { mark: 'm', at: START_AT, isWhole: true, untold } };
    expect(plainMessage(watchList([watch], []))).toContain(words);
    expect(plainMessage(watchList([WATCH], []))).not.toContain('on hold');
  },
);

it('what nobody can tell of stays as it was seen, hides nothing else, and is still new later where it is', async () => {
  const untold = Array.from({ length: 30 }, (_, index) => `untold-${index}`);
  const known = [...untold, 'gone', 'listed', '1'];
  const before: Before = {
    seen: new Map(known.map((id) => [id, { name: `web-${id}` }])),
    at: START_AT,
    isWhole: true,
    newestAt: START_AT - DAY_MS,
  };
  const young = plainOne('young', { createdAt: new Date(START_AT + 5_000).toISOString() });
  const instances = [
    plainOne('1', { status: 'stopped' }),
    plainOne('listed', { createdAt: undefined }),
    young,
  ];
  const at = START_AT + POLL_EVERY_MS;
  const listed = {
    list: { instances },
    at,
    byId: new Map(instances.map((one) => [one.id, one])),
    read: () => Promise.resolve(undefined),
  };
  const isTellable = new Set(['1', 'gone']);
  const view = await viewOf(WATCH, listed, ({ id }) => isTellable.has(id) || 'unknown', before);
  const { changes, seen } = changesBetween(before, view, () => 'no', PATIENCE);
  expect(changes.map(({ id, what }) => [id, what])).toEqual([
    ['1', 'began'],
    ['gone', 'began'],
  ]);
  for (const id of [...untold, 'listed']) expect(seen.get(id)).toEqual(before.seen.get(id));
  const next: Before = { seen, at, ...listedOf(listed.list, before) };
  const later = await viewOf(WATCH, { ...listed, at: at + POLL_EVERY_MS }, () => true, next);
  const news = changesBetween(next, later, () => 'no', PATIENCE).changes;
  expect(news.filter(({ what }) => what === 'created').map(({ id }) => id)).toEqual(['young']);
});

it('so much is kept of labels and a region and no more, as far as they are told, in any order the same', () => {
  const labels = fc.array(fc.string({ maxLength: 150 }), { maxLength: 40 });
  const told = fc.record({
    labels: fc.option(labels, { nil: undefined }),
    region: fc.option(fc.string({ maxLength: 150 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(told, told, (first, second) => {
      const before = marksOf(first, undefined);
      const kept = marksOf(second, before);
      expect(kept?.labels ?? []).toHaveLength(
        Math.min(20, (second.labels ?? before?.labels ?? []).filter(({ length }) => length <= 100).length),
      );
      expect((kept?.region ?? '').length).toBeLessThanOrEqual(100);
      if (!second.labels) expect(kept?.labels).toEqual(before?.labels);
      for (const label of kept?.labels ?? []) expect(second.labels ?? first.labels).toContain(label);
      const reversed = { ...second, labels: second.labels?.toReversed() };
      expect(isSameMarks(marksOf(reversed, before), kept)).toBe(true);
      const seen: States = new Map([['1', { name: 'web-1', ...(kept ? { marks: kept } : {}) }]]);
      expect(unpackStates(packStates(seen))).toEqual(seen);
    }),
    { numRuns: RULE_RUNS },
  );
});
