import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../faults/kinds.ts';
import { createRandom } from '../../faults/random.ts';
import { FAMILIES, scheduleOf } from '../../faults/schedule.ts';
import { createWeather } from '../../faults/weather.ts';

describe('a schedule', () => {
  it('comes again for the same seed, and only for that', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (seed, other) => {
        const one = JSON.stringify(scheduleOf(seed, 20, 100, FAMILIES));
        expect(JSON.stringify(scheduleOf(seed, 20, 100, FAMILIES))).toBe(one);
        if (seed !== other) expect(JSON.stringify(scheduleOf(other, 20, 100, FAMILIES))).not.toBe(one);
      }),
      { numRuns: 200 },
    );
  });

  it('without a family has nothing of it, and the rest of the blows unchanged', () => {
    for (const family of ['workers', 'webs', 'redis', 'pauses'] as const) {
      const all = scheduleOf(7, 200, 100, FAMILIES);
      const fewer = scheduleOf(
        7,
        200,
        100,
        FAMILIES.filter((one) => one !== family),
      );
      const kept = new Set(fewer.blows.map((blow) => blow.do));
      expect(fewer.blows.length).toBeLessThan(all.blows.length);
      expect(all.blows.filter((blow) => kept.has(blow.do))).toEqual(fewer.blows);
      expect(fewer.rounds).toEqual(all.rounds);
    }
  });

  it('has every kind of operation and every kind of blow', () => {
    const { rounds, blows, clockOffsetMs } = scheduleOf(1, 400, 100, FAMILIES);
    expect(new Set(rounds.map((round) => round.kind)).size).toBe(KINDS.length);
    expect(new Set(blows.map((blow) => blow.do)).size).toBe(5);
    expect(new Set(Array.from({ length: 50 }, (_, nth) => clockOffsetMs(nth))).size).toBeGreaterThan(3);
  });
});

describe('the weather', () => {
  it('is fair once it is set so, and where its family is left out', () => {
    const call = {
      method: 'POST',
      path: '/',
      query: '',
      at: 0,
      keyName: '',
      body: undefined,
      status: 200,
      hadEffect: false,
    } as const;
    const bad = createWeather(createRandom(1), FAMILIES);
    const faults = Array.from({ length: 300 }, () => bad.hosting(call));
    expect(new Set(faults.map((fault) => fault?.answer)).size).toBeGreaterThan(5);
    bad.clear();
    expect(bad.hosting(call)).toBeUndefined();
    expect(bad.slack({ method: 'chat.postMessage', args: {} })).toBeUndefined();
    const fair = createWeather(createRandom(1), []);
    expect(Array.from({ length: 300 }, () => fair.hosting(call)).filter(Boolean)).toEqual([]);
  });
});
