import { expect, it } from 'vitest';
import { nextRuns } from '../../src/core/schedules/next-runs.ts';
import { wallAt } from '../support/wall-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const [FROM, TO] = [Date.UTC(2024, 0, 1), Date.UTC(2029, 0, 1)];
const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

function offsetAt(atMs: number, zone: string): number {
  return wallAt(atMs, zone) - atMs;
}

/** Every moment of those years at which the clock in `zone` is set, found by looking twice a day and halving. */
function transitionsOf(zone: string): number[] {
  const found: number[] = [];
  let known = offsetAt(FROM, zone);
  for (let at = FROM; at < TO; at += DAY_MS / 2) {
    let [before, after] = [at, at + DAY_MS / 2];
    const wanted = offsetAt(after, zone);
    if (known === wanted) continue;
    known = wanted;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetAt(middle, zone) === wanted) after = middle;
      else before = middle;
    }
    found.push(after);
  }
  return found;
}

/** At which minutes around the transition a clock shows each wall time, by looking at every one. */
function shownAround(zone: string, transition: number): ReadonlyMap<number, readonly number[]> {
  const shown = new Map<number, number[]>();
  // No clock is set by more than two hours.
  const around = 5 * HOUR_MS;
  for (let at = transition - around; at < transition + around; at += MINUTE_MS) {
    const wallMs = wallAt(at, zone);
    shown.set(wallMs, [...(shown.get(wallMs) ?? []), at]);
  }
  return shown;
}

/** When a clock first shows it; else the first moment after the gap. */
function expected([first, second]: readonly number[], transition: number): { at: number; odd?: string } {
  if (first === undefined) return { at: transition, odd: 'gap' };
  return second === undefined ? { at: first } : { at: first, odd: 'twice' };
}

it('every zone has each wall time around each of its transitions from 2024 to 2028 where Intl has it', () => {
  let [transitions, gaps, twice] = [0, 0, 0];
  for (const zone of ZONES) {
    for (const transition of transitionsOf(zone)) {
      transitions++;
      const wall = wallAt(transition, zone);
      const around = shownAround(zone, transition);
      for (let minutes = -125; minutes <= 125; minutes += 5) {
        const wallMs = wall + minutes * MINUTE_MS;
        const shown = new Date(wallMs);
        const when = {
          kind: 'weekly' as const,
          zone,
          rules: [
            {
              verb: 'stop' as const,
              days: [shown.getUTCDay() || 7],
              hour: shown.getUTCHours(),
              minute: shown.getUTCMinutes(),
            },
          ],
        };
        const { at, odd } = expected(around.get(wallMs) ?? [], transition);
        const [run] = nextRuns(when, transition - 2 * DAY_MS, 1);
        expect({ zone, at: run?.at, odd: run?.odd }).toEqual({ zone, at, odd });
        if (odd === 'gap') gaps++;
        if (odd === 'twice') twice++;
      }
    }
  }
  // A table of zones without any would find no difference either.
  expect(transitions).toBeGreaterThan(1_000);
  expect(gaps).toBeGreaterThan(1_000);
  expect(twice).toBeGreaterThan(1_000);
}, 600_000);
