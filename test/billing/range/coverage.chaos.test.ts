import { expect, test } from 'vitest';
import { coverageOf } from './coverage.ts';
import { HARDER, KINDS } from './histories.ts';
import { WAYS } from './other-histories.ts';

const EACH = 1_000;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

test('of a thousand accounts of each kind, four of five run out within the range that was said', () => {
  const shares = [...KINDS, ...HARDER].map((kind) => [kind, coverageOf(kind, EACH)] as const);
  const promised = shares.slice(0, KINDS.length);
  promised.forEach(([kind, share]) => {
    expect(share, kind).toBeGreaterThanOrEqual(0.75);
    expect(share, kind).toBeLessThanOrEqual(0.85);
  });
  const overall = shares.reduce((total, [, share]) => total + share, 0) / shares.length;
  expect(overall).toBeGreaterThanOrEqual(0.75);
  expect(overall).toBeLessThanOrEqual(0.85);
  const each = shares.map(([kind, share]) => `${kind} ${percent(share)}`).join(', ');
  expect(`${each}; overall ${percent(overall)}`).toBe(
    'steady 82.8 %, growing 83.8 %, weekly 84.7 %, bursts 76.5 %, late bookings 81.5 %, gaps 84.2 %, all of it 76.6 %, steps 64.2 %; overall 79.3 %',
  );
});

test.each(WAYS)('so do about as many whose days come about otherwise: %s', (way) => {
  const shares = [...KINDS, 'steps' as const].map((kind) => [kind, coverageOf(kind, EACH / 4, way)] as const);
  const overall = shares.reduce((total, [, share]) => total + share, 0) / shares.length;
  const each = shares.map(([kind, share]) => `${kind} ${percent(share)}`).join(', ');
  expect(overall, each).toBeGreaterThanOrEqual(0.75);
  expect(overall, each).toBeLessThanOrEqual(0.85);
  shares.slice(0, KINDS.length).forEach(([kind, share]) => {
    expect(share, kind).toBeGreaterThanOrEqual(0.7);
    expect(share, kind).toBeLessThanOrEqual(0.9);
  });
});
