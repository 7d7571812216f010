import { expect, test } from 'vitest';
import { toDecimal } from '../../../src/core/money/amount.ts';
import { findProposal, type Known } from '../../../src/features/billing/proposals/find.ts';
import { fleetOf } from './fleets.ts';

/** A fleet of which something is proposed. */
const PROPOSED = 2;
const SEEDS = 80;
const fleets = Array.from({ length: SEEDS }, (_, index) => fleetOf(index + 1));

test('what is proposed ran in all nights, was touched in none, and saves what was promised', () => {
  const wrong: string[] = [];
  const counts = { proposals: 0, exact: 0, within: 0 };
  for (const [seed, fleet] of fleets.entries()) {
    const found = findProposal(fleet.known);
    if ('why' in found) continue;
    const { instances, perMonth, isAtLeast } = found.proposal;
    const ids = instances.map(({ id }) => id);
    const uses = fleet.machines.filter(({ id }) => ids.includes(id)).map(({ use }) => use);
    const now = fleet.weekOf(ids, false);
    const measured = now - fleet.weekOf(ids, true);
    const promised = (Number(toDecimal(perMonth)) * 7_000) / 30;
    const isQuiet = uses.every((use) => use === 'always' || use === 'off for days');
    const isWrong = !isQuiet || measured < now * 0.05 || promised > measured * 1.05;
    if (isWrong) wrong.push(`${seed}: ${uses.join()} ${promised} of ${measured}, ${now}`);
    counts.proposals += 1;
    if (!isAtLeast) counts.exact += 1;
    if (!isAtLeast && Math.abs(promised - measured) <= measured * 0.05) counts.within += 1;
  }
  expect(counts.proposals).toBeGreaterThan(SEEDS / 3);
  expect(wrong).toEqual([]);
  expect(counts.exact).toBeGreaterThan(counts.proposals / 3);
  expect(counts.within).toBeGreaterThanOrEqual(counts.exact * 0.95);
});

test('why nothing is proposed is known', () => {
  const whys = new Set<string>();
  for (const { known } of fleets) {
    const found = findProposal(known);
    if ('why' in found) whys.add(found.why);
  }
  const { known } = fleetOf(1);
  const few = findProposal({ ...known, days: known.days.slice(-13) });
  expect(few).toEqual({ why: 'few days' });
  expect([...whys].toSorted()).toEqual(['does not pay', 'no nights', 'price unknown', 'touched']);
});

test('nothing is proposed that is touched on one night, or may not be', () => {
  const { known } = fleetOf(PROPOSED);
  const found = findProposal(known);
  if ('why' in found) throw new Error(found.why);
  const ids = found.proposal.instances.map(({ id }) => id);
  const night = Date.parse(`${known.days.at(-3)?.day ?? ''}T00:30Z`);
  const rest = (one: Known): readonly string[] => {
    const next = findProposal(one);
    return 'why' in next ? [] : next.proposal.instances.map(({ id }) => id);
  };
  for (const id of ids) {
    const touches = new Map([...known.touches, [id, [night]]]);
    expect(rest({ ...known, zone: 'UTC', touches })).not.toContain(id);
    const mayBe = new Set([...known.mayBe].filter((one) => one !== id));
    expect(rest({ ...known, mayBe })).not.toContain(id);
  }
});
